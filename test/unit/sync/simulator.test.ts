import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSchedule } from '#support/sync/random-schedule.ts';
import { type EngineVariant, live, type Schedule } from '#support/sync/schedule.ts';
import { realEngine, realWithoutConditions, weakEngines } from '#support/sync/weak-engines.ts';

/** Schedules a variant lives through in the ordinary run; `npm run bench -- sync-soak` does millions. */
const SCHEDULES = 100_000;
const WEAK_LIMIT = 10_000;

describe('the simulator', () => {
  it.each([realEngine, realWithoutConditions])(
    'loses nothing and converges: $name',
    { timeout: 240_000 },
    async (engine) => {
      const started = performance.now();
      const failing = await firstFailing(engine, SCHEDULES);
      expect(failing === undefined ? '' : await explain(failing, engine)).toBe('');
      const seconds = (performance.now() - started) / 1000;
      console.log(`${engine.name}: ${SCHEDULES} schedules, 0 losses, all converged, ${seconds.toFixed(1)} s`);
    },
  );

  it.each(weakEngines)('catches a weakened engine: $name', { timeout: 120_000 }, async (engine) => {
    const failing = await firstFailing(engine, WEAK_LIMIT);
    expect(failing, `${engine.name} was not caught within ${WEAK_LIMIT} schedules`).toBeDefined();
    console.log(`caught at seed ${failing}: ${engine.name}`);
  });

  it('is the same schedule for the same seed', async () => {
    const twice = await Promise.all([
      live(randomSchedule(4711), realEngine, true),
      live(randomSchedule(4711), realEngine, true),
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
  const { violations, log } = await live(shortened(smallest), engine, true);
  return `seed ${seed}\n${JSON.stringify(shortened(smallest))}\n${violations.join('\n')}\n${log.join('\n')}`;
}
