import { mapLimited } from '#base/async.ts';
import type { WriteContext } from './context.ts';
import { carryOut } from './confirm.ts';
import { type Effect, effectOf, writeOf } from './effects.ts';
import { type PlanEntry, sizeOf } from './plan.ts';
import type { WriteReply } from './ports.ts';
import type { RunLog } from './run-log.ts';
import { KEPT_MAX, uploadInTransaction } from './upload.ts';

/** `transaction`: uploads go through one upload transaction; `direct`: through file writes. */
export type UploadRoute = 'transaction' | 'direct';

/** Larger changes go through an upload transaction whatever was asked. */
const TRANSACTION_FILES = 500;
const TRANSACTION_BYTES = 5 * 1024 * 1024;
/** The condition of each file is a part of one header line, and proxies cut lines beyond 4 KB. */
const BATCH_FILES = 80;
const BATCH_BYTES = 1024 * 1024;
/** Requests under way at once; each names other files. */
const BATCHES = 4;
/** Versions written to the store at once. */
const KEEPING = 8;

/** Carries out the push entries of a plan: renames, then uploads, deletions last. */
export async function pushEntries(
  context: WriteContext,
  entries: readonly PlanEntry[],
  route: UploadRoute,
  log: RunLog,
): Promise<void> {
  const effects = entries.map(effectOf).filter((effect) => effect !== undefined);
  if (context.writer.transactionOnly) {
    await uploadInTransaction(context, await stillTrueHere(context, effects, log), log);
    return;
  }
  await sendAll(context, effects, 'renameRemote', log);
  const uploads = effects.filter(({ entry }) => entry.kind === 'upload');
  const bytes = uploads.reduce((sum, { entry }) => sum + sizeOf(entry), 0);
  if (route === 'transaction' || uploads.length > TRANSACTION_FILES || bytes > TRANSACTION_BYTES) {
    await uploadInTransaction(context, uploads, log);
  } else {
    await uploadDirectly(context, uploads, log);
  }
  await sendAll(context, effects, 'deleteRemote', log);
}

interface Reading {
  readonly effect: Effect;
  readonly bytes: Uint8Array;
}

async function uploadDirectly(context: WriteContext, uploads: readonly Effect[], log: RunLog): Promise<void> {
  const unfit: Effect[] = [];
  const sending = new Set<Promise<void>>();
  let batch: Reading[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const full = batch;
    batch = [];
    size = 0;
    if (full.length === 0 || log.stopped) return;
    const sent: Promise<void> = putBatch(context, full, uploads.length <= KEPT_MAX, log).finally(() =>
      sending.delete(sent),
    );
    sending.add(sent);
    if (sending.size >= BATCHES) await Promise.race(sending);
  };
  for (const effect of uploads) {
    if (log.stopped) break;
    const content = await context.ports.files.read(effect.entry.path);
    if (content?.hash !== effect.facets[0]?.after) log.changed.add(effect.entry.path);
    else if (content && !context.writer.canPut(content.bytes)) unfit.push(effect);
    else if (content) {
      if (batch.length >= BATCH_FILES || size + content.bytes.length > BATCH_BYTES) await flush();
      batch.push({ effect, bytes: content.bytes });
      size += content.bytes.length;
    }
  }
  await flush();
  await Promise.all(sending);
  if (unfit.length > 0 && !log.stopped) await uploadInTransaction(context, unfit, log);
}

async function putBatch(context: WriteContext, batch: readonly Reading[], keep: boolean, log: RunLog): Promise<void> {
  const bytesOf = new Map(batch.map(({ effect, bytes }) => [effect, bytes]));
  const send = (effects: readonly Effect[]): Promise<WriteReply> =>
    context.writer.put(
      effects.map((effect) => writeOf(effect, bytesOf.get(effect) ?? new Uint8Array())),
      log.signal,
    );
  const { done } = await carryOut(context, [...bytesOf.keys()], send, log);
  if (!keep) return;
  await mapLimited(done, KEEPING, async (effect) => {
    const { bytes, hash } = writeOf(effect, bytesOf.get(effect) ?? new Uint8Array());
    await context.ports.blobs.put(hash, bytes);
  });
}

async function sendAll(
  context: WriteContext,
  effects: readonly Effect[],
  kind: 'renameRemote' | 'deleteRemote',
  log: RunLog,
): Promise<void> {
  const chosen = effects.filter(({ entry }) => entry.kind === kind);
  for (let at = 0; at < chosen.length && !log.stopped; at += BATCH_FILES) {
    const { writer } = context;
    const send = (batch: readonly Effect[]): Promise<WriteReply> => {
      const items = batch.map(({ entry }) => entry);
      if (kind === 'deleteRemote') {
        return writer.remove(
          items.flatMap((entry) =>
            entry.kind === 'deleteRemote' ? [{ path: entry.path, expected: entry.expectedRemote }] : [],
          ),
          log.signal,
        );
      }
      return writer.rename(
        items.flatMap((entry) =>
          entry.kind === 'renameRemote' ? [{ from: entry.from, to: entry.path, expected: entry.hash }] : [],
        ),
        log.signal,
      );
    };
    await carryOut(context, await stillTrueHere(context, chosen.slice(at, at + BATCH_FILES), log), send, log);
  }
}

/** A file that is back, or a renamed one that was edited since, is not deleted or renamed on the platform. */
async function stillTrueHere(
  context: WriteContext,
  effects: readonly Effect[],
  log: RunLog,
): Promise<readonly Effect[]> {
  const kept: Effect[] = [];
  for (const effect of effects) {
    const states = await Promise.all(
      effect.facets.map(async ({ path, after }) => {
        const state = await context.ports.files.look(path);
        return (
          state.kind === (after === undefined ? 'absent' : 'file') && (state.kind !== 'file' || state.hash === after)
        );
      }),
    );
    if (states.every(Boolean)) kept.push(effect);
    else log.changed.add(effect.entry.path);
  }
  return kept;
}
