import { append } from '#base/long-lists.ts';
import { isPlatformError } from '#api/errors.ts';
import { asRefusal } from '#sync/core/remote/refusal.ts';
import { asksForLonger, delayBeforeRetry } from '#sync/core/remote/retry-delay.ts';
import { asError, isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { unreachable } from '#base/result.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { RemoteFile, RemoteListing, RemoteReader, RemoteWrite, WriteReply } from '#sync/core/ports.ts';

/** The changes that one entry makes on the platform, path by path. */
export interface Effect {
  readonly entry: PlanEntry;
  readonly facets: readonly Facet[];
}

interface Facet {
  readonly path: string;
  readonly before: Hash | undefined;
  readonly after: Hash | undefined;
}

export interface EffectOutcomes {
  /** Effects that the platform's list of files, or the entity tag in its reply, shows. */
  readonly done: readonly Effect[];
  /** Effects that the platform confirmed without anything that shows them, and deletions that one list shows: see `proveEffects`. */
  readonly confirmed: readonly Effect[];
  /** Effects for which the platform no longer had the version that the plan expected. */
  readonly changed: readonly Effect[];
  readonly failed: readonly Effect[];
  /** The reason for the failed ones. */
  readonly error: Error | undefined;
  readonly cancelled: boolean;
  /** Effects that were sent but unanswered when the work was cancelled: the platform may have carried them out. */
  readonly unanswered?: readonly Effect[];
}

/** Returns the changes that `entry` makes on the platform; `undefined` if it makes none. */
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

/** Compares an effect with the platform's files: already done, still possible, or overtaken by someone else's change. */
function effectState(effect: Effect, files: ReadonlyMap<string, RemoteFile>): 'done' | 'pristine' | 'changed' {
  if (effect.facets.every((facet) => files.get(facet.path)?.hash === facet.after)) return 'done';
  if (effect.facets.every((facet) => files.get(facet.path)?.hash === facet.before)) return 'pristine';
  return 'changed';
}

interface EffectPorts {
  readonly remote: Pick<RemoteReader, 'list'>;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Whether to list the branch right before each attempt. */
  readonly listsFirst: boolean;
  /** `allOrNothing`: if one of the effects was overtaken, none is sent. */
  readonly how: 'conditional' | 'allOrNothing';
}

const ATTEMPTS = 4;

/**
 * Sends effects until the outcome of each is known. Before anything is sent again, the platform's hashes are read
 * again: what is already there is done, what is untouched is sent again, and what someone else changed is left alone. A
 * refusal that the hashes do not explain is final.
 */
export async function finishEffects(
  effects: readonly Effect[],
  send: (effects: readonly Effect[], fresh: RemoteListing | undefined) => Promise<WriteReply>,
  ports: EffectPorts,
): Promise<EffectOutcomes> {
  const outcome: OpenEffects = { done: [], confirmed: [], changed: [], pending: [...effects] };
  const outcomes = (failed: readonly Effect[], error?: Error): EffectOutcomes => ({
    done: outcome.done,
    confirmed: outcome.confirmed,
    changed: outcome.changed,
    failed: [...failed],
    error: error && asRefusal(error),
    cancelled: false,
  });
  let unanswered: readonly Effect[] = [];
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const fresh = attempt > 0 || ports.listsFirst ? await listAgain(outcome, ports) : undefined;
      if (outcome.pending.length === 0) return outcomes([]);
      unanswered = [...outcome.pending];
      const reply = await send(outcome.pending, fresh).catch((thrown: unknown) => asError(thrown));
      const next = nextAfter(reply, attempt);
      if (next.kind === 'done') confirm(outcome, next.stored);
      outcome.error = next.error;
      if (next.kind === 'done' || next.kind === 'giveUp') return outcomes(outcome.pending, next.error);
      if (next.kind === 'listLast') break;
      if (next.pause > 0) await ports.clock.sleep(next.pause, ports.signal);
    }
    await listAgain(outcome, ports);
  } catch (thrown) {
    const error = asError(thrown);
    if (isCancelled(error)) return { ...outcomes([]), cancelled: true, unanswered };
    return outcomes(outcome.pending, outcome.error ?? error);
  }
  return outcomes(outcome.pending, outcome.error ?? new Error(UNEXPLAINED));
}

type Next =
  | { readonly kind: 'done'; readonly stored: Hash | undefined; readonly error?: undefined }
  /** Nothing happened, and another attempt would not help. */
  | { readonly kind: 'giveUp'; readonly error: Error }
  /** The hashes show the outcome; nothing is sent again. */
  | { readonly kind: 'listLast'; readonly error: Error }
  /** After a pause of this many ms, the hashes are read and what is untouched is sent again. */
  | { readonly kind: 'again'; readonly pause: number; readonly error: Error | undefined };

/** Returns the next step after a reply. Throws when the work was cancelled. */
function nextAfter(reply: WriteReply | Error, attempt: number): Next {
  if (reply instanceof Error) {
    if (isCancelled(reply)) throw reply;
    if (!mayHaveHappened(reply)) return { kind: 'giveUp', error: reply };
    if (asksForLonger(reply) || attempt === ATTEMPTS - 1) return { kind: 'listLast', error: reply };
    return { kind: 'again', pause: delayBeforeRetry(attempt, reply), error: reply };
  }
  switch (reply.kind) {
    case 'done':
      return { kind: 'done', stored: reply.stored };
    case 'changed':
      return { kind: 'again', pause: 0, error: reply.error };
    case 'refused':
      return { kind: 'listLast', error: reply.error };
    default:
      return unreachable(reply);
  }
}

const UNEXPLAINED =
  'The platform refused the change as outdated, although it still has the expected version. Refresh, then try again.';

interface OpenEffects {
  readonly done: Effect[];
  readonly confirmed: Effect[];
  readonly changed: Effect[];
  pending: Effect[];
  /** The reason why the last attempt got no clear reply. */
  error?: Error | undefined;
}

/** Notes that the platform confirmed what was sent; an entity tag with the version that was sent also proves it. */
function confirm({ done, confirmed, pending }: OpenEffects, stored: Hash | undefined): void {
  const [only, ...more] = pending.flatMap(({ facets }) => facets);
  const isProven = stored !== undefined && more.length === 0 && only?.after === stored;
  append(isProven ? done : confirmed, pending.splice(0));
}

async function listAgain(outcome: OpenEffects, { remote, signal, how }: EffectPorts): Promise<RemoteListing> {
  const fresh = await remote.list(signal);
  outcome.pending = sort(outcome.pending, fresh.files, outcome);
  if (how === 'allOrNothing' && outcome.changed.length > 0) outcome.pending = [];
  return fresh;
}

/**
 * Sorts effects by what the platform has now, and returns those that can be sent again. That a list lacks a file does not prove its
 * deletion yet: the list may be wrong.
 */
function sort(
  effects: readonly Effect[],
  files: ReadonlyMap<string, RemoteFile>,
  { done, confirmed, changed }: Omit<OpenEffects, 'pending'>,
): Effect[] {
  const pristine: Effect[] = [];
  for (const effect of effects) {
    const verdict = effectState(effect, files);
    const isShown = effect.facets.every(({ after }) => after !== undefined);
    const there = isShown ? done : confirmed;
    (verdict === 'done' ? there : verdict === 'changed' ? changed : pristine).push(effect);
  }
  return pristine;
}

/** Whether the platform may have carried out a request despite the error, or would do so on another attempt. */
export function mayHaveHappened(error: Error): boolean {
  if (!isPlatformError(error)) return false;
  // `retryable`: the key has been replaced since.
  if (error.kind === 'auth') return error.retryable;
  return ['network', 'timeout', 'server', 'rateLimit', 'invalidResponse', 'cancelled'].includes(error.kind);
}

/** Returns the write for an upload effect. */
export function writeOf(effect: Effect, bytes: Uint8Array): RemoteWrite {
  const [facet] = effect.facets;
  return { path: effect.entry.path, bytes, hash: facet?.after ?? '', expected: facet?.before };
}
