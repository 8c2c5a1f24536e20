import { isPlatformError } from '#api/errors.ts';
import { asError, isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { PlanEntry } from './plan.ts';
import type { Hash } from './hash.ts';
import type { RemoteFile, RemoteListing, RemoteReader, RemoteWrite, WriteReply } from './ports.ts';

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
function judge(effect: Effect, files: ReadonlyMap<string, RemoteFile>): 'done' | 'pristine' | 'changed' {
  if (effect.facets.every((facet) => files.get(facet.path)?.hash === facet.after)) return 'done';
  if (effect.facets.every((facet) => files.get(facet.path)?.hash === facet.before)) return 'pristine';
  return 'changed';
}

interface Settling {
  readonly remote: RemoteReader;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Look at the platform right before each attempt. */
  readonly looks: boolean;
  /** `allOrNothing`: if one of the effects was overtaken, none is sent. */
  readonly how: 'conditional' | 'allOrNothing';
}

const ATTEMPTS = 4;

/**
 * Sends effects until it is known of each whether it happened. A lost reply, or a refusal because something changed, is
 * resolved by looking: what is there already is done, what is untouched is sent again, what somebody else changed is left.
 */
export async function settleEffects(
  effects: readonly Effect[],
  send: (effects: readonly Effect[], fresh: RemoteListing | undefined) => Promise<WriteReply>,
  settling: Settling,
): Promise<SettledEffects> {
  const outcome: Settlement = { done: [], changed: [], pending: effects };
  const settled = (failed: readonly Effect[], error?: Error): SettledEffects => ({
    ...outcome,
    failed,
    error,
    cancelled: false,
  });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const fresh = attempt > 0 || settling.looks ? await lookAgain(outcome, settling) : undefined;
      if (outcome.pending.length === 0) return settled([]);
      const reply = await send(outcome.pending, fresh).catch((thrown: unknown) => asError(thrown));
      if (!(reply instanceof Error)) {
        if (reply.kind === 'changed') continue;
        outcome.done.push(...outcome.pending);
        return settled([]);
      }
      if (isCancelled(reply)) throw reply;
      if (!mayHaveHappened(reply)) return settled(outcome.pending, reply);
      outcome.error = reply;
      await settling.clock.sleep(backoff(attempt, reply), settling.signal);
    }
    await lookAgain(outcome, settling);
  } catch (thrown) {
    const error = asError(thrown);
    if (isCancelled(error)) return { ...settled([]), cancelled: true };
    return settled(outcome.pending, outcome.error ?? error);
  }
  if (outcome.error) return settled(outcome.pending, outcome.error);
  // Refused again and again though a look shows nothing new: somebody is faster than we are.
  outcome.changed.push(...outcome.pending);
  return settled([]);
}

interface Settlement {
  readonly done: Effect[];
  readonly changed: Effect[];
  pending: readonly Effect[];
  /** Why the last attempt got no clear answer. */
  error?: Error;
}

async function lookAgain(outcome: Settlement, { remote, signal, how }: Settling): Promise<RemoteListing> {
  const fresh = await remote.list(signal);
  outcome.pending = sort(outcome.pending, fresh.files, outcome.done, outcome.changed);
  if (how === 'allOrNothing' && outcome.changed.length > 0) outcome.pending = [];
  return fresh;
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
export function mayHaveHappened(error: Error): boolean {
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
