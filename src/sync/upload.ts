import { isPlatformError } from '#api/errors.ts';
import { asError, isCancelled } from '#base/async.ts';
import { runAdaptive } from './adaptive.ts';
import type { WriteContext } from './context.ts';
import type { Effect } from './effects.ts';
import type { Hash, RemoteListing, UploadTransaction } from './ports.ts';
import { carryOut } from './confirm.ts';
import type { RunLog } from './run-log.ts';

/**
 * Sends uploads through one upload transaction: start, files side by side, one finish with the full manifest. Nothing is
 * visible on the platform before the finish, and right before it the platform is looked at once more: if any of these
 * files moved there, the whole upload stops. Deletions never ride on it (`autoRemoveFiles` stays false).
 */
export async function uploadInTransaction(
  context: WriteContext,
  effects: readonly Effect[],
  log: RunLog,
): Promise<void> {
  if (effects.length === 0 || log.stopped) return;
  try {
    const sent = await sendFiles(context, effects, log);
    if (sent && sent.effects.length > 0 && !log.stopped) await finish(context, sent.transaction, sent.effects, log);
  } catch (thrown) {
    const error = asError(thrown);
    if (isCancelled(error)) log.cancelled = true;
    else failRest(effects, error, log);
  }
}

interface Sent {
  readonly transaction: UploadTransaction;
  readonly effects: readonly Effect[];
}

async function sendFiles(context: WriteContext, effects: readonly Effect[], log: RunLog): Promise<Sent | undefined> {
  const pending = context.state.pendingUpload;
  if (pending) {
    // An earlier run left a transaction: go on with it, unless the server has forgotten it.
    try {
      return await sendInto(context, context.writer.resumeUpload(pending.id), pending.sent, effects, log);
    } catch (error) {
      if (!isForgotten(error)) throw error;
      await endUpload(context);
    }
  }
  const transaction = await context.writer.startUpload(log.signal);
  const sent = new Map<string, Hash>();
  context.state.pendingUpload = { id: transaction.id, sent };
  await context.state.intend([{ type: 'upload', id: transaction.id, path: undefined, hash: undefined }]);
  return sendInto(context, transaction, sent, effects, log);
}

async function sendInto(
  context: WriteContext,
  transaction: UploadTransaction,
  sent: Map<string, Hash>,
  effects: readonly Effect[],
  log: RunLog,
): Promise<Sent> {
  const ready: Effect[] = [];
  const upload = async (effect: Effect): Promise<void> => {
    const { path } = effect.entry;
    const hash = effect.facets[0]?.after;
    // Bytes are hashed as they are sent: what changed since the plan stays out of the transaction.
    const content = await context.ports.files.read(path);
    if (!content || content.hash !== hash) {
      log.changed.add(path);
      return;
    }
    if (sent.get(path) !== hash) {
      await transaction.upload(path, content.bytes, log.signal);
      sent.set(path, hash);
      await context.state.note([{ type: 'upload', id: transaction.id, path, hash }]);
    }
    await context.ports.blobs.put(hash, content.bytes);
    ready.push(effect);
  };
  await runAdaptive(effects, upload, { clock: context.ports.clock, signal: log.signal });
  return { transaction, effects: ready };
}

async function finish(
  context: WriteContext,
  transaction: UploadTransaction,
  effects: readonly Effect[],
  log: RunLog,
): Promise<void> {
  const send = (_: readonly Effect[], fresh: RemoteListing | undefined): ReturnType<UploadTransaction['finish']> => {
    if (!fresh) throw new Error('An upload is finished only after a fresh look.');
    return transaction.finish(manifestOf(fresh, effects), false, log.signal);
  };
  const settled = await carryOut(context, effects, send, log, 'allOrNothing');
  if (settled.changed.length > 0) failRest(effects, new Error(MOVED), log);
  if (!settled.cancelled) await endUpload(context);
}

const MOVED = 'The platform changed while files were uploaded, so nothing was published. Look at the changes again.';

/** The whole branch as it is to be: what is there now, with our files over it. */
function manifestOf(fresh: RemoteListing, effects: readonly Effect[]): ReadonlyMap<string, Hash> {
  const manifest = new Map(fresh.others);
  for (const [path, file] of fresh.files) manifest.set(path, file.hash);
  for (const { facets } of effects) {
    for (const { path, after } of facets) if (after !== undefined) manifest.set(path, after);
  }
  return manifest;
}

async function endUpload(context: WriteContext): Promise<void> {
  const pending = context.state.pendingUpload;
  if (!pending) return;
  context.state.pendingUpload = undefined;
  await context.state.note([{ type: 'uploadEnd', id: pending.id }]);
}

/** The server no longer knows the transaction (or never did). */
function isForgotten(error: unknown): boolean {
  return isPlatformError(error) && ['notFound', 'invalidRequest', 'conflict', 'forbidden'].includes(error.kind);
}

function failRest(effects: readonly Effect[], error: Error, log: RunLog): void {
  const known = new Set([
    ...log.changed,
    ...log.failed.map(({ path }) => path),
    ...log.applied.map(({ path }) => path),
  ]);
  for (const { entry } of effects) if (!known.has(entry.path)) log.fail(entry.path, error);
}
