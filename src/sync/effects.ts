import { isPlatformError } from '#api/errors.ts';
import { asError, isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { PlanEntry } from './plan.ts';
import type { Hash, RemoteFile, RemoteReader, RemoteWrite, WriteReply } from './ports.ts';

/** What one entry does to the platform, path by path. */
export interface Effect {
  readonly entry: PlanEntry;
  readonly facets: readonly Facet[];
}

interface Facet {
  readonly path: string;
  readonly before: Hash | undefined;
  readonly after: Hash | undefined;
}

export interface SettledEffects {
  readonly done: readonly Effect[];
  /** The platform no longer had what the plan expected. */
  readonly changed: readonly Effect[];
  readonly failed: readonly Effect[];
  /** Why the failed ones failed. */
  readonly error: Error | undefined;
  readonly cancelled: boolean;
}

/** What `entry` changes on the platform; undefined for one that changes nothing there. */
export function effectOf(entry: PlanEntry): Effect | undefined {
  switch (entry.kind) {
    case 'upload':
      return { entry, facets: [{ path: entry.path, before: entry.expectedRemote, after: entry.hash }] };
    case 'deleteRemote':
      return { entry, facets: [{ path: entry.path, before: entry.expectedRemote, after: undefined }] };
    case 'renameRemote':
      return {
        entry,
        facets: [
          { path: entry.from, before: entry.hash, after: undefined },
          { path: entry.path, before: undefined, after: entry.hash },
        ],
      };
    default:
      return undefined;
  }
}

/** Compares an effect with what the platform has: already there, still possible, or overtaken by somebody else. */
export function judge(effect: Effect, files: ReadonlyMap<string, RemoteFile>): 'done' | 'pristine' | 'changed' {
  if (effect.facets.every((facet) => files.get(facet.path)?.hash === facet.after)) return 'done';
  if (effect.facets.every((facet) => files.get(facet.path)?.hash === facet.before)) return 'pristine';
  return 'changed';
}

interface Settling {
  readonly remote: RemoteReader;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

const ATTEMPTS = 4;

/**
 * Sends effects until it is known of each whether it happened. A lost reply, or a refusal because something changed, is
 * resolved by looking: what is there already is done, what is untouched is sent again, what somebody else changed is left.
 */
export async function settleEffects(
  effects: readonly Effect[],
  send: (effects: readonly Effect[]) => Promise<WriteReply>,
  { remote, clock, signal }: Settling,
): Promise<SettledEffects> {
  const done: Effect[] = [];
  const changed: Effect[] = [];
  let pending = effects;
  let error: Error | undefined;
  const settled = (failed: readonly Effect[], cancelled = false): SettledEffects => ({
    done,
    changed,
    failed,
    error: failed.length > 0 ? error : undefined,
    cancelled,
  });
  try {
    for (let attempt = 0; attempt < ATTEMPTS && pending.length > 0; attempt++) {
      const reply = await send(pending).catch((thrown: unknown) => asError(thrown));
      if ('kind' in reply && reply.kind === 'done') {
        done.push(...pending);
        return settled([]);
      }
      error = reply instanceof Error ? reply : undefined;
      if (error && isCancelled(error)) return settled([], true);
      if (error && !mayHaveHappened(error)) return settled(pending);
      if (error) await clock.sleep(backoff(attempt, error), signal);
      pending = sort(pending, (await remote.list(signal)).files, done, changed);
    }
  } catch (thrown) {
    error = asError(thrown);
    return settled(isCancelled(error) ? [] : pending, isCancelled(error));
  }
  if (error) return settled(pending);
  // Refused again and again though a look shows nothing new: somebody is faster than we are.
  changed.push(...pending);
  return settled([]);
}

/** Distributes effects by what the platform has now, and answers those that can be sent again. */
function sort(
  effects: readonly Effect[],
  files: ReadonlyMap<string, RemoteFile>,
  done: Effect[],
  changed: Effect[],
): readonly Effect[] {
  const pristine: Effect[] = [];
  for (const effect of effects) {
    const verdict = judge(effect, files);
    (verdict === 'done' ? done : verdict === 'changed' ? changed : pristine).push(effect);
  }
  return pristine;
}

/** Whether the platform may have done what was asked although it did not say so. */
function mayHaveHappened(error: Error): boolean {
  return (
    isPlatformError(error) &&
    ['network', 'timeout', 'server', 'rateLimit', 'invalidResponse', 'cancelled'].includes(error.kind)
  );
}

/** ms before the next attempt: what the server asked for, else doubling from a quarter of a second. */
export function backoff(attempt: number, error: Error): number {
  const asked = isPlatformError(error) ? error.retryAfter : undefined;
  return Math.min(30_000, asked === undefined ? 250 * 2 ** attempt : asked * 1000);
}

/** The write of an upload effect. */
export function writeOf(effect: Effect, bytes: Uint8Array): RemoteWrite {
  const [facet] = effect.facets;
  return { path: effect.entry.path, bytes, hash: facet?.after ?? '', expected: facet?.before };
}
