import { describe, expect, it } from 'vitest';
import { diskEngines, untruthfulEngines, weakDiskEngines } from '#support/sync/disk-world.ts';
import { anySchedule, ROUNDS } from '#support/sync/any-schedule.ts';
import { nastinesses, nastySchedule } from '#support/sync/nasty-schedules.ts';
import { randomSchedule } from '#support/sync/random-schedule.ts';
import { type EngineVariant, live } from '#support/sync/schedule.ts';

/** Every other schedule is lived through as the extension does it, with saves, their outbox and the history. */
const asFolder = (seed: number, engine: EngineVariant): EngineVariant => ({ ...engine, asFolder: seed % 4 > 1 });

/** Schedules in all; `npm run bench -- sync-soak` does a hundred times as many. */
const SCHEDULES = 2000;
const WEAK_LIMIT = 3000;

describe('the simulator with the real disk layer', () => {
  it.each(diskEngines)(
    'loses nothing, does what is asked and no more, leaves nothing behind and converges: $name',
    async (engine) => {
      for (let seed = 1; seed <= SCHEDULES / diskEngines.length; seed++) {
        const { violations } = await live(anySchedule(seed), asFolder(seed, engine), { rounds: ROUNDS });
        expect(violations, `seed ${seed}`).toEqual([]);
      }
    },
  );

  it.each(diskEngines.filter(({ disk }) => disk?.stepMs !== undefined))(
    'notices files that swap their names, though their sizes and time stamps are the same: $name',
    async (engine) => {
      // The first one is the schedule that showed it; an engine that believes the stamps fails with the others.
      for (const seed of [5_000_831, 16, 37, 42, 72, 84]) {
        const { violations } = await live(nastySchedule(nastinesses.cycles, seed), engine, { rounds: ROUNDS });
        expect(violations, `seed ${seed}`).toEqual([]);
      }
    },
  );

  it('calls a rename by letter case done only where the renamed file is', async () => {
    const [ordinary] = diskEngines;
    if (!ordinary) throw new Error('unreachable');
    // Meanwhile the user deletes the file and saves another one under its new name.
    const { violations } = await live(anySchedule(80_126_543), ordinary, { rounds: ROUNDS });
    expect(violations).toEqual([]);
  });

  it.each(weakDiskEngines)('catches a weakened disk layer: $name', async (engine) => {
    let caught: number | undefined;
    for (let seed = 1; seed <= WEAK_LIMIT && caught === undefined; seed++) {
      for (const schedule of [randomSchedule(seed), anySchedule(seed)]) {
        if ((await live(schedule, engine, { rounds: ROUNDS })).violations.length > 0) caught = seed;
      }
    }
    expect(caught).toBeDefined();
  });

  it.each(
    untruthfulEngines.flatMap((engine) => [
      engine,
      { ...engine, name: `as the extension runs it: ${engine.name}`, asFolder: true },
    ]),
  )('sees through an engine: $name', async (engine) => {
    let isCaught = false;
    for (let seed = 1; seed <= WEAK_LIMIT && !isCaught; seed++) {
      const { violations } = await live(randomSchedule(seed), engine);
      isCaught = violations.some((violation) => violation.startsWith(engine.caughtBy));
    }
    expect(isCaught).toBe(true);
  });
});
