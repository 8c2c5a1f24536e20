import { isPlatformError } from '#api/errors.ts';
import { asError, isCancelled } from '#base/async.ts';
import { runAdaptive } from '#sync/core/remote/adaptive.ts';
import type { WriteContext } from '#sync/core/context.ts';
import { type Effect, mayHaveHappened } from './effects.ts';
import type { JournalRecord } from '#sync/core/record/journal.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { RemoteListing, UploadTransaction } from '#sync/core/ports.ts';
import { carryOut } from './carry-out.ts';
import { plural } from '#base/words.ts';
import type { SyncRun } from './sync-run.ts';
import { vanishedFiles } from './vanished-files.ts';

/**
 * Uploads files through one upload transaction: start, concurrent uploads, one finish with the full manifest. Nothing
 * is visible on the platform before the finish, and right before it the platform is read again: if any of these files
 * changed there, the whole upload stops. Deletions are included only where the branch takes nothing else: the manifest
 * then lists every existing file except those ticked for deletion, and `autoRemoveFiles` is set.
 */
export async function uploadInTransaction(
  context: WriteContext,
  effects: readonly Effect[],
  run: SyncRun,
): Promise<void> {
  let rest = effects;
  try {
    // What a deploy does not list is deleted: the list before its end is compared with this one.
    const earlier = context.writer.transactionOnly ? await context.writer.list(run.signal) : undefined;
    while (rest.length > 0 && !run.stopped) {
      const transaction = await openTransaction(context, rest, run);
      const ready = await sendFiles(context, transaction, rest, run);
      if (ready === 'forgotten') {
        await endUpload(context);
        continue;
      }
      if (ready.length === rest.length) {
        await transaction.requireTarget?.(run.signal);
        await finish(context, transaction, ready, earlier, run);
        return;
      }
      // Some files changed here meanwhile and may already be in the transaction: the rest goes into a new one.
      await endUpload(context);
      if (context.writer.transactionOnly) {
        failDeploy(effects, run);
        return;
      }
      rest = ready;
    }
  } catch (thrown) {
    const error = asError(thrown);
    if (isCancelled(error)) run.cancelled = true;
    else failRest(effects, error, run);
  }
}

/** Ends a deploy of which a file changed here: users get what it publishes, and its files belong together, so there is no rest. */
export function failDeploy(effects: readonly Effect[], run: SyncRun): void {
  failRest(effects, new Error(CHANGED_HERE), run);
}

/** Resolves to the open transaction that an earlier run started for exactly these files, or to a new one. */
async function openTransaction(
  { state, writer, link }: WriteContext,
  effects: readonly Effect[],
  run: SyncRun,
): Promise<UploadTransaction> {
  const set = digestOf(effects);
  const pending = state.pendingUpload;
  if (pending?.set === set) {
    state.pendingUpload = { ...pending, resumed: true };
    return writer.resumeUpload(pending.id);
  }
  const transaction = await link.timed(() => writer.startUpload(run.signal));
  state.pendingUpload = { id: transaction.id, set, sent: new Map(), resumed: false };
  await state.intendUpload(transaction.id, set);
  return transaction;
}

/** The versions of larger pushes are not stored for merges: writing them would take longer than uploading them. */
export const KEPT_MAX = 200;

const NOTES = 32;

/**
 * Uploads the files that the transaction lacks. Resolves to the effects whose bytes are in it, or reports that the
 * server has forgotten it.
 */
async function sendFiles(
  context: WriteContext,
  transaction: UploadTransaction,
  effects: readonly Effect[],
  run: SyncRun,
): Promise<readonly Effect[] | 'forgotten'> {
  const { state, ports } = context;
  const pending = state.pendingUpload;
  // Finishing a forgotten transaction would fail. Uploading one file again shows whether the server still has it.
  if (pending?.resumed === true) dropFirst(pending.sent);
  const ready: Effect[] = [];
  const notes: JournalRecord[] = [];
  const upload = async (effect: Effect): Promise<void> => {
    const { path, after: hash } = effect.facets.find(({ after }) => after !== undefined) ?? {
      path: '',
      after: undefined,
    };
    if (hash === undefined) {
      ready.push(effect);
      return;
    }
    // Hash the bytes that are actually sent: what changed since the plan is left out.
    const content = await ports.files.read(path);
    if (!content || content.hash !== hash) {
      run.changed.add(effect.entry.path);
      return;
    }
    if (pending?.sent.get(path) !== hash) {
      await Promise.all([
        context.link.timed(() => transaction.upload(path, content.bytes, run.signal)),
        effects.length <= KEPT_MAX ? ports.blobs.put(hash, content.bytes) : undefined,
      ]);
      pending?.sent.set(path, hash);
      notes.push({ type: 'upload', id: transaction.id, set: pending?.set ?? '', path, hash });
      // A record that a crash loses costs one more request; appending each one separately would cost more.
      if (notes.length >= NOTES) await state.note(notes.splice(0));
    }
    ready.push(effect);
  };
  try {
    await runAdaptive(effects, upload, { clock: ports.clock, signal: run.signal });
  } catch (error) {
    if (pending?.resumed === true && isForgotten(error)) return 'forgotten';
    throw error;
  } finally {
    await state.note(notes);
  }
  return ready;
}

function dropFirst(sent: Map<string, Hash>): void {
  for (const path of sent.keys()) {
    sent.delete(path);
    return;
  }
}

/** Returns a digest of files and versions; a transaction is only resumed for the identical set. */
function digestOf(effects: readonly Effect[]): string {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (const { path, after } of effects.flatMap(({ facets }) => facets)) {
    for (const character of `${path}\n${after}\n`) {
      const code = character.codePointAt(0) ?? 0;
      low = Math.imul(low ^ code, 2_654_435_761);
      high = Math.imul(high ^ code, 1_597_334_677);
    }
  }
  return `${effects.length}-${(low >>> 0).toString(16)}${(high >>> 0).toString(16)}`;
}

async function finish(
  context: WriteContext,
  transaction: UploadTransaction,
  effects: readonly Effect[],
  earlier: RemoteListing | undefined,
  run: SyncRun,
): Promise<void> {
  const send = async (
    _: readonly Effect[],
    fresh: RemoteListing | undefined,
  ): ReturnType<UploadTransaction['finish']> => {
    if (!fresh) throw new Error('An upload is finished only after a fresh scan.');
    const autoRemove = effects.some(({ facets }) => facets.some(({ after }) => after === undefined));
    if (autoRemove && !fresh.complete) throw new Error(INCOMPLETE);
    const [vanished, ...more] = autoRemove && earlier ? vanishedFiles(earlier, fresh, effects) : [];
    if (vanished !== undefined) throw new Error(vanishedText(vanished, more.length));
    const message = context.writer.transactionOnly ? run.message : undefined;
    return transaction.finish(manifestOf(fresh, effects), autoRemove, run.signal, message);
  };
  const outcomes = await carryOut(context, effects, send, run, 'allOrNothing');
  if (outcomes.changed.length > 0) failRest(effects, new Error(MOVED), run);
  // If only the connection broke, everything has arrived: the next push finishes the transaction.
  const canResume = outcomes.cancelled || (outcomes.error !== undefined && mayHaveHappened(outcomes.error));
  if (!canResume) await endUpload(context);
}

const MOVED =
  'The platform changed while files were uploaded, so nothing was published. Refresh the changes and try again.';

const CHANGED_HERE =
  'Another file of the deploy changed before everything was uploaded, so nothing was deployed. Review the deploy again.';

const INCOMPLETE = 'The platform’s list of files was not complete, so nothing was deployed. Try again.';

function vanishedText(path: string, more: number): string {
  const files = more === 0 ? `“${path}”` : `“${path}” and ${plural(more, 'more file')}`;
  return `The platform does not list ${files} any more, so nothing was deployed: deploying would delete what it does not list. Review the deploy again.`;
}

/** Returns the whole branch as it should be: the current files, overlaid with ours. */
function manifestOf(fresh: RemoteListing, effects: readonly Effect[]): ReadonlyMap<string, Hash> {
  const manifest = new Map(fresh.others);
  for (const [path, file] of fresh.files) manifest.set(path, file.hash);
  for (const { facets } of effects) {
    for (const { path, after } of facets) {
      if (after === undefined) manifest.delete(path);
      else manifest.set(path, after);
    }
  }
  return manifest;
}

async function endUpload(context: WriteContext): Promise<void> {
  const pending = context.state.pendingUpload;
  if (!pending) return;
  context.state.pendingUpload = undefined;
  await context.state.note([{ type: 'uploadEnd', id: pending.id }]);
}

/** Checks whether the server no longer knows the transaction (or never did). */
function isForgotten(error: unknown): boolean {
  return isPlatformError(error) && ['notFound', 'invalidRequest', 'conflict', 'forbidden'].includes(error.kind);
}

function failRest(effects: readonly Effect[], error: Error, run: SyncRun): void {
  const known = new Set([...run.changed, ...run.failed.map(({ path }) => path)]);
  // Compare entries, not paths: the edit of a file that was just renamed is still to come.
  const applied = new Set([...run.applied, ...run.confirmed.map(({ entry }) => entry)]);
  for (const { entry } of effects) if (!applied.has(entry) && !known.has(entry.path)) run.fail(entry.path, error);
}
