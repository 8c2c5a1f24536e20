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

/** Schedules a variant lives through in the ordinary run; `npm run bench -- sync-soak` does millions. */
const SCHEDULES = 100_000;
/** The same with everything around it that the extension uses. */
const FOLDER_SCHEDULES = 15_000;
const WEAK_LIMIT = 10_000;

const engines: readonly (readonly [EngineVariant, number])[] = [
  [realEngine, SCHEDULES],
  [realWithoutConditions, SCHEDULES],
  [folderEngine, FOLDER_SCHEDULES],
  [folderWithoutConditions, FOLDER_SCHEDULES],
];
/** Weakened in a port, not in the planner or in what it knows, which the extension lets nobody choose. */
const weakFolders = weakEngines
  .filter(({ planner, weakenState }) => planner === undefined && weakenState === undefined)
  .map((engine): EngineVariant => ({ ...engine, name: `as the extension runs it: ${engine.name}`, asFolder: true }));

describe('the simulator', () => {
  it.each(engines.map(([engine, count]) => ({ ...engine, engine, count })))(
    'loses nothing and converges: $name',
    async ({ engine, count }) => {
      const started = performance.now();
      const failing = await firstFailing(engine, count);
      expect(failing === undefined ? '' : await explain(failing, engine)).toBe('');
      const seconds = (performance.now() - started) / 1000;
      console.log(`${engine.name}: ${count} schedules, 0 losses, all converged, ${seconds.toFixed(1)} s`);
    },
  );

  it.each([...weakEngines, ...weakFolders])('catches a weakened engine: $name', async (engine) => {
    const failing = await firstFailing(engine, WEAK_LIMIT);
    expect(failing, `${engine.name} was not caught within ${WEAK_LIMIT} schedules`).toBeDefined();
    console.log(`caught at seed ${failing}: ${engine.name}`);
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
