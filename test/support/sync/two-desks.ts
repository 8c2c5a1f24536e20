import { differences } from './folder-life.ts';
import { randomFrom, randomSchedule } from './random-schedule.ts';
import { type Act, calm, type EngineVariant, startLife, type Schedule, type Verdict } from './schedule.ts';
import { World } from './world.ts';

/** Two users with a folder each, both in sync with one branch. */
export interface TwoDesks {
  readonly desks: readonly [Schedule, Schedule];
  /** Who acts next; `atOnce`: both, call by call. */
  readonly turns: readonly ('first' | 'second')[] | 'atOnce';
}

/** Returns the same desks for the same seed. */
export function randomDesks(seed: number, atOnce: boolean): TwoDesks {
  const below = randomFrom(seed ^ 0x5f3759df);
  const desks: TwoDesks['desks'] = [randomSchedule(2 * seed), randomSchedule(2 * seed + 1)];
  const length = desks[0].acts.length + desks[1].acts.length;
  if (atOnce) return { desks: [inOneRequest(desks[0]), inOneRequest(desks[1])], turns: 'atOnce' };
  return { desks, turns: Array.from({ length }, () => (below(2) === 0 ? 'first' : 'second')) };
}

/**
 * Avoids transactions. A finish has no condition: others may not write during its last round trip, which holds only if the desks
 * take turns.
 */
function inOneRequest(schedule: Schedule): Schedule {
  return {
    ...schedule,
    acts: schedule.acts.map((act) => (act.do === 'push' ? { ...act, transaction: false } : act)),
  };
}

/** Runs both schedules, lets everything calm down, and checks the promises for both. */
export async function liveTogether({ desks, turns }: TwoDesks, variant: EngineVariant): Promise<Verdict> {
  const [one, two] = desks;
  const first = new World(new Map(one.faults), coins(one.coins));
  const second = new World(new Map(two.faults), coins(two.coins), { beside: first });
  for (const path of one.shared) first.begin(first.pathAt(path));
  const lives = [startLife(first, variant), startLife(second, variant)] as const;
  const violations: string[] = [];
  try {
    if (turns === 'atOnce') {
      for (let at = 0; at < Math.max(one.acts.length, two.acts.length); at++) {
        const acts: readonly (Act | undefined)[] = [one.acts[at], two.acts[at]];
        await Promise.all(lives.map(async (life, desk) => actIf(acts[desk], (act) => life.act(act))));
      }
    } else {
      const left = { first: [...one.acts], second: [...two.acts] };
      for (const turn of turns) {
        const life = turn === 'first' ? lives[0] : lives[1];
        await actIf(left[turn].shift(), (act) => life.act(act));
      }
    }
    calm(first);
    calm(second);
    // The other desk still has to pull what one desk resolves.
    for (let round = 0; round < 3; round++) {
      violations.length = 0;
      for (const life of lives) violations.push(...(await life.settle()));
    }
    violations.push(...differences(first), ...differences(second));
  } catch (error) {
    violations.push(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  const lost = first.lost();
  if (lost.length > 0) violations.push(`lost: ${lost.map((version) => `h${version}`).join(', ')}`);
  return { violations, log: [], steps: lives[0].runs + lives[1].runs };
}

async function actIf(act: Act | undefined, work: (act: Act) => Promise<void>): Promise<void> {
  if (act) await work(act);
}

function coins(seed: number): () => boolean {
  const below = randomFrom(seed);
  return () => below(2) === 0;
}
