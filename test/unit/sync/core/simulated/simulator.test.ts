import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSchedule } from '#support/sync/random-schedule.ts';
import { type EngineVariant, live, type Schedule } from '#support/sync/schedule.ts';
import {
  folderEngine,
  folderWithoutConditions,
  realEngine,
  realWithoutConditions,
  weakEngines,
} from '#support/sync/weak-engines.ts';

/**
 * Schedules within which every weakened engine is caught: the one that takes longest, a platform that ignores `If-Match`, is
 * caught by the 3,262nd, and by the 1,327th with everything around it that the extension uses; all others by the 794th.
 */
const ENOUGH = 3300;
const ENOUGH_AS_FOLDER = 1400;
/** The engine lives through so many times as many; `npm run bench -- sync-soak` does millions, and the nightly workflow a million. */
const TIMES = 2;

const enoughFor = ({ asFolder }: EngineVariant): number => (asFolder === true ? ENOUGH_AS_FOLDER : ENOUGH);

const engines: readonly EngineVariant[] = [realEngine, realWithoutConditions, folderEngine, folderWithoutConditions];
/** Weakened in a port, not in the planner or in what it knows, which the extension lets nobody choose. */
const weakFolders = weakEngines
  .filter(({ planner, weakenState }) => planner === undefined && weakenState === undefined)
  .map((engine): EngineVariant => ({ ...engine, name: `as the extension runs it: ${engine.name}`, asFolder: true }));

describe('the simulator', () => {
  it.each(engines)('loses nothing and converges: $name', async (engine) => {
    const failing = await firstFailing(engine, TIMES * enoughFor(engine));
    expect(failing === undefined ? '' : await explain(failing, engine)).toBe('');
  });

  it.each([...weakEngines, ...weakFolders])('catches a weakened engine: $name', async (engine) => {
    const enough = enoughFor(engine);
    expect(await firstFailing(engine, enough), `not caught within ${enough} schedules`).toBeDefined();
  });

  it('makes the same schedule for the same seed', async () => {
    const twice = await Promise.all([
      live(randomSchedule(4711), realEngine, { verbose: true }),
      live(randomSchedule(4711), realEngine, { verbose: true }),
    ]);
    expect(twice[0].log.length).toBeGreaterThan(10);
    expect(twice[0]).toEqual(twice[1]);
  });
});

async function firstFailing(engine: EngineVariant, count: number): Promise<number | undefined> {
  for (let seed = 1; seed <= count; seed++) {
    const { violations } = await live(randomSchedule(seed), engine);
    if (violations.length > 0) return seed;
  }
  return undefined;
}

/** The failing schedule, made as short as fast-check can, and what happened in it. */
async function explain(seed: number, engine: EngineVariant): Promise<string> {
  const whole = randomSchedule(seed);
  const parts = fc.record({ acts: fc.subarray([...whole.acts]), faults: fc.subarray([...whole.faults]) });
  const shortened = (part: Pick<Schedule, 'acts' | 'faults'>): Schedule => ({ ...whole, ...part });
  const result = await fc.check(
    fc.asyncProperty(parts, async (part) => (await live(shortened(part), engine)).violations.length === 0),
    { examples: [[{ acts: [...whole.acts], faults: [...whole.faults] }]], numRuns: 500, seed: 1 },
  );
  const smallest = result.counterexample?.[0] ?? whole;
  const { violations, log } = await live(shortened(smallest), engine, { verbose: true });
  return `seed ${seed}\n${JSON.stringify(shortened(smallest))}\n${violations.join('\n')}\n${log.join('\n')}`;
}
