import { describe, expect, it } from 'vitest';
import { ROUNDS } from '#support/sync/any-schedule.ts';
import { nastySchedule, troubles } from '#support/sync/nasty-schedules.ts';
import { live } from '#support/sync/schedule.ts';
import { trustingEngines } from '#support/sync/trusting-engines.ts';
import { folderEngine, realEngine } from '#support/sync/weak-engines.ts';

const WEAK_LIMIT = 1000;
/** Schedules of each kind; what surrounds the engine in the extension makes them slower. */
const engines = [
  [realEngine, 1000],
  [folderEngine, 150],
] as const;

describe.each(Object.values(troubles))('$name', (kind) => {
  it.each(engines.map(([engine, count]) => ({ name: engine.name, engine, count })))(
    'cost questions, never a version: $name',
    async ({ engine, count }) => {
      for (let seed = 1; seed <= count; seed++) {
        const { violations } = await live(nastySchedule(kind, seed), engine, { rounds: ROUNDS });
        expect(violations, `seed ${seed}`).toEqual([]);
      }
    },
  );
});

describe('the simulator catches an engine that', () => {
  it.each(trustingEngines)('$name', async (engine) => {
    let isCaught = false;
    for (let seed = 1; seed <= WEAK_LIMIT && !isCaught; seed++) {
      const { violations } = await live(nastySchedule(engine.kind, seed), engine, { rounds: ROUNDS });
      isCaught = violations.some((violation) => engine.caughtBy.test(violation));
    }
    expect(isCaught).toBe(true);
  });
});
