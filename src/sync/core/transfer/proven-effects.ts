import { isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Effect } from './effects.ts';
import type { RemoteListing, RemoteReader } from '#sync/core/ports.ts';

/** Confirmed effects, by what the platform's list of files shows of them. */
export interface ProvenEffects {
  /** The list shows them, or is incomplete and so cannot show that they are missing. */
  readonly proven: readonly Effect[];
  readonly missing: readonly MissingEffect[];
}

/**
 * An effect that the platform confirmed and its list does not show. `late`: the files are as they were before, so that the list may
 * only be late. `other`: at least one has a third version.
 */
export interface MissingEffect {
  readonly effect: Effect;
  readonly why: 'late' | 'other';
}

/** A confirmed change that the platform's list of files does not show. */
export class UnprovenChange extends Error {
  override readonly name = 'UnprovenChange';
}

/** Pauses before the list is read again for what it does not show yet, in ms: a list may lag behind a write for a moment. */
const LATE_PAUSES = [250, 500, 1000, 1500, 1500] as const;

/**
 * Compares effects that the platform confirmed with its list of files, which is read again for a few seconds while it still shows
 * the versions before (docs/sync.md#effect-proven). `signal` ends that waiting, but not the first reading: what the platform
 * confirmed before the user stopped is to count. Rejects if the list cannot be read.
 */
export async function proveEffects(
  effects: readonly Effect[],
  { remote, clock, signal }: ProofPorts,
): Promise<ProvenEffects> {
  let found = sort(effects, await remote.list());
  for (const pause of LATE_PAUSES) {
    const late = found.missing.filter(({ why }) => why === 'late');
    if (late.length === 0 || !(await hasWaited(clock, pause, signal))) break;
    const again = sort(
      late.map(({ effect }) => effect),
      await remote.list(),
    );
    const others = found.missing.filter(({ why }) => why === 'other');
    found = { proven: [...found.proven, ...again.proven], missing: [...others, ...again.missing] };
  }
  return found;
}

/** Waits; resolves to false where the signal ended that. */
async function hasWaited(clock: Clock, pause: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await clock.sleep(pause, signal);
    return signal?.aborted !== true;
  } catch (error) {
    if (isCancelled(error)) return false;
    throw error;
  }
}

/** What reading the list needs. */
export interface ProofPorts {
  readonly remote: Pick<RemoteReader, 'list'>;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** Returns the error that a user reads about such an effect. */
export function unprovenError({ effect: { entry, facets }, why }: MissingEffect): UnprovenChange {
  const what =
    why === 'other'
      ? 'lists another version. Someone else may have changed the file since, or the platform stores other bytes than it was sent.'
      : facets.some(({ before }) => before !== undefined)
        ? 'still lists the version before. Its list may be late: refresh the changes, and try again if the file is among them.'
        : 'does not list the file. Its list may be late: refresh the changes, and try again if the file is among them.';
  return new UnprovenChange(`${entry.path}: The platform confirmed the change, but ${what}`);
}

function sort(effects: readonly Effect[], list: RemoteListing): ProvenEffects {
  const proven: Effect[] = [];
  const missing: MissingEffect[] = [];
  for (const effect of effects) {
    const state = stateOf(effect, list);
    if (state === 'proven') proven.push(effect);
    else missing.push({ effect, why: state });
  }
  return { proven, missing };
}

function stateOf({ facets }: Effect, { files, complete }: RemoteListing): 'proven' | MissingEffect['why'] {
  const seen = facets
    .map(({ path, ...facet }) => ({ ...facet, now: files.get(path)?.hash }))
    .filter(({ now }) => complete || now !== undefined);
  if (seen.every(({ now, after }) => now === after)) return 'proven';
  return seen.every(({ now, before, after }) => now === before || now === after) ? 'late' : 'other';
}
