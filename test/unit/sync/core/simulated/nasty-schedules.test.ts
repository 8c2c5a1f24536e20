import { describe, expect, it } from 'vitest';
import { type Nastiness, nastinesses, nastySchedule } from '#support/sync/nasty-schedules.ts';
import { type Act, type EngineVariant, live, type Schedule, type Verdict } from '#support/sync/schedule.ts';
import { liveTogether, randomDesks } from '#support/sync/two-desks.ts';
import { folderEngine, realEngine, weakEngines } from '#support/sync/weak-engines.ts';
import type { Fault } from '#support/sync/world-events.ts';

/**
 * Schedules of one kind within which every weakened engine is caught by some kind: what writes its base before the files are
 * flushed is caught by the 201st, a platform that ignores `If-Match` by the 214th, all others by the 50th.
 */
const ENOUGH = 215;
/** The engine lives through twice as many of each kind, and in the nightly workflow (`sync-soak`) through tens of thousands. */
const SCHEDULES = 2 * ENOUGH;
const ROUNDS = 6;
/** More calls of ports than such a push makes. */
const CALLS = 40;

interface Kind {
  readonly name: string;
  readonly run: (seed: number, engine: EngineVariant) => Promise<Verdict>;
}

const kinds: readonly Kind[] = [
  ...Object.values<Nastiness>(nastinesses).map((nastiness): Kind => ({
    name: nastiness.name,
    run: (seed, engine) => live(nastySchedule(nastiness, seed), engine, { rounds: ROUNDS }),
  })),
  {
    name: 'two people in turn, with crashes in between',
    run: (seed, engine) => liveTogether(randomDesks(seed, false), engine),
  },
  {
    name: 'two people at once, call by call',
    run: (seed, engine) => liveTogether(randomDesks(seed, true), { ...engine, asFolder: false }),
  },
];

const careless = weakEngines.filter(({ name }) => /no re-check|last writer/.test(name));

describe('nasty schedules', () => {
  it.each(kinds)('lose nothing and converge: $name', async ({ name, run }) => {
    expect(await firstFailing(run, realEngine)).toEqual(none);
    expect(await firstFailing(run, folderEngine)).toEqual(none);
    console.log(`${name}: ${2 * SCHEDULES} schedules, 0 losses, all converged`);
  });

  it.each(kinds)('catch a careless engine: $name', async ({ run }) => {
    for (const engine of careless) expect(await firstFailing(run, engine)).not.toEqual(none);
  });

  it.each(weakEngines)('catch a weakened engine: $name', async (engine) => {
    for (const { run } of kinds) if ((await firstFailing(run, engine, ENOUGH)) !== none) return;
    expect.fail(`not caught within ${ENOUGH} schedules of any kind`);
  });
});

describe('a file that was renamed by letter case and edited', () => {
  const paths = ['m/a', 'm/A'];

  it.each([
    {
      way: 'push',
      acts: [
        { do: 'rename', path: 0, to: 1 },
        { do: 'edit', path: 1 },
      ],
    },
    {
      way: 'pull',
      acts: [
        { do: 'theirRename', path: 0, to: 1 },
        { do: 'theirEdit', path: 1 },
      ],
    },
  ] as const)('does not count as done where its edit is cut off: $way', async ({ way, acts }) => {
    const [rename, edit] = acts;
    for (const transaction of [true, false]) {
      for (let at = 1; at <= CALLS; at++) {
        for (const kind of ['cut', 'lost', 'busy'] as const) {
          const last: Act = way === 'push' ? { do: way, transaction } : { do: way };
          const faults = [0, 1, 2, 3, 4].map((more): Schedule['faults'][number] => [at + more, { kind }]);
          const schedule = {
            acts: [{ do: 'pull' }, rename, edit, last] as const,
            faults,
            shared: [0],
            coins: 1,
            paths,
          };
          const { violations } = await live(schedule, realEngine, { rounds: ROUNDS });
          expect(violations, `${kind} at ${at}`).toEqual([]);
        }
      }
    }
  });
});

describe('a push that is cancelled at every boundary of a request', () => {
  const cancels = ['cancel', 'cancelAfter'] as const;
  const colleague = ['theirEdit', 'theirDelete'] as const;

  it.each([false, true])('while a colleague commits at every other: transaction %s', async (transaction) => {
    const schedules: Schedule[] = [];
    for (let at = 1; at <= CALLS; at++) {
      for (let other = 1; other <= CALLS; other++) {
        for (const kind of cancels) {
          for (const what of colleague) {
            const event: Fault = { kind: 'event', event: { do: what, path: other } };
            schedules.push(
              pushOfThree(transaction, [
                [other, event],
                [at, { kind }],
              ]),
            );
          }
        }
      }
    }
    const run: Kind['run'] = (seed, engine) => live(schedules[seed - 1] ?? pushOfThree(transaction, []), engine);
    expect(await firstFailing(run, realEngine, schedules.length)).toEqual(none);
    console.log(`cancelled at every boundary: ${schedules.length} schedules, 0 losses, all converged`);
  });
});

function pushOfThree(transaction: boolean, faults: Schedule['faults']): Schedule {
  const edits = [0, 1, 2].map((path) => ({ do: 'edit', path }) as const);
  return { acts: [{ do: 'pull' }, ...edits, { do: 'push', transaction }], faults, shared: [0, 1, 2], coins: 1 };
}

const none: Failing = { seed: 0, violations: [] };

interface Failing {
  readonly seed: number;
  readonly violations: readonly string[];
}

async function firstFailing(run: Kind['run'], engine: EngineVariant, count = SCHEDULES): Promise<Failing> {
  for (let seed = 1; seed <= count; seed++) {
    const { violations } = await run(seed, engine);
    if (violations.length > 0) return { seed, violations };
  }
  return none;
}
