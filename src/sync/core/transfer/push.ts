import { foldName } from '#base/file-names.ts';
import type { WriteContext } from '#sync/core/context.ts';
import { carryOut, proveConfirmed } from './carry-out.ts';
import { type Effect, effectOf } from './effects.ts';
import { type PlanEntry, sizeOf } from '#sync/core/planning/plan.ts';
import type { LocalState, WriteReply } from '#sync/core/ports.ts';
import type { SyncRun } from './sync-run.ts';
import { BATCH_FILES, uploadDirectly } from './upload-directly.ts';
import { chooseTransport } from './upload-route.ts';
import { failDeploy, uploadInTransaction } from './upload.ts';

/** `transaction`: one upload transaction, where that does not take long; `direct`: file writes. */
export type UploadRoute = 'transaction' | 'direct';

/** A few files with more bytes than this go through a transaction, which transfers them as they are, not as JSON. */
const TRANSACTION_BYTES = 5 * 1024 * 1024;

/** Carries out the push entries of a plan: renames, then uploads, deletions last. */
export async function pushEntries(
  context: WriteContext,
  entries: readonly PlanEntry[],
  route: UploadRoute,
  run: SyncRun,
): Promise<void> {
  const planned = entries.map(effectOf).filter((effect) => effect !== undefined);
  const effects = await withoutTwins(context, planned, run);
  if (context.writer.transactionOnly) await deploy(context, effects, run);
  else await sendInOrder(context, effects, route, run);
  await proveConfirmed(context, run);
}

async function deploy(context: WriteContext, effects: readonly Effect[], run: SyncRun): Promise<void> {
  const ready = await stillTrueHere(context, effects, run);
  if (ready.length < effects.length) failDeploy(effects, run);
  else await uploadInTransaction(context, ready, run);
}

async function sendInOrder(
  context: WriteContext,
  effects: readonly Effect[],
  route: UploadRoute,
  run: SyncRun,
): Promise<void> {
  await sendAll(context, effects, 'renameRemote', run);
  // The new version of a renamed file expects the old one under the new name.
  if (effects.some(({ entry }) => entry.kind === 'renameRemote' && entry.edited)) await proveConfirmed(context, run);
  const uploads = [...effects.filter(({ entry }) => entry.kind === 'upload'), ...editsOf(effects, run)];
  const bytes = uploads.reduce((sum, { entry }) => sum + sizeOf(entry), 0);
  const wished = route === 'transaction' || bytes > TRANSACTION_BYTES;
  const transport = wished ? chooseTransport(uploads.length, context.link.roundTrip) : 'batches';
  if (transport === 'transaction') await uploadInTransaction(context, uploads, run);
  else await uploadDirectly(context, uploads, run);
  await sendAll(context, effects, 'deleteRemote', run);
}

/**
 * Leaves out each entry whose name would differ only by letter case from a current name on the platform: a disk that
 * ignores case cannot hold both, and the model would contain everything twice. Such a file is left for the next plan.
 */
async function withoutTwins(
  context: WriteContext,
  effects: readonly Effect[],
  run: SyncRun,
): Promise<readonly Effect[]> {
  const adds = (effect: Effect): boolean =>
    effect.facets.some(({ before, after }) => before === undefined && after !== undefined);
  // A deploy branch takes names as they are (docs/sync.md#deployed-files).
  if (context.writer.transactionOnly || !effects.some(adds)) return effects;
  const { files } = await context.writer.list(run.signal);
  const names = new Map<string, string>();
  for (const path of files.keys()) names.set(foldName(path), path);
  return effects.filter((effect) => {
    const leaving = new Set(effect.facets.filter(({ after }) => after === undefined).map(({ path }) => path));
    const isTwin = effect.facets.some(({ path, before, after }) => {
      const variant = before === undefined && after !== undefined ? names.get(foldName(path)) : undefined;
      return variant !== undefined && variant !== path && !leaving.has(variant);
    });
    if (isTwin) run.changed.add(effect.entry.path);
    return !isTwin;
  });
}

/** Returns the new versions of files that were just renamed. */
function editsOf(effects: readonly Effect[], run: SyncRun): readonly Effect[] {
  return effects.flatMap(({ entry }) => {
    if (entry.kind !== 'renameRemote' || !entry.edited || !run.applied.includes(entry)) return [];
    const { path, hash: expectedRemote, edited } = entry;
    const effect = effectOf({ kind: 'upload', path, reason: 'changed', ...edited, expectedRemote });
    return effect ? [effect] : [];
  });
}

async function sendAll(
  context: WriteContext,
  effects: readonly Effect[],
  kind: 'renameRemote' | 'deleteRemote',
  run: SyncRun,
): Promise<void> {
  const chosen = effects.filter(({ entry }) => entry.kind === kind);
  for (let at = 0; at < chosen.length && !run.stopped; at += BATCH_FILES) {
    const { writer } = context;
    const send = (batch: readonly Effect[]): Promise<WriteReply> => {
      const items = batch.map(({ entry }) => entry);
      if (kind === 'deleteRemote') {
        return writer.remove(
          items.flatMap((entry) =>
            entry.kind === 'deleteRemote' ? [{ path: entry.path, expected: entry.expectedRemote }] : [],
          ),
          run.signal,
        );
      }
      return writer.rename(
        items.flatMap((entry) =>
          entry.kind === 'renameRemote' ? [{ from: entry.from, to: entry.path, expected: entry.hash }] : [],
        ),
        run.signal,
      );
    };
    await carryOut(context, await stillTrueHere(context, chosen.slice(at, at + BATCH_FILES), run), send, run);
  }
}

/** Whether there is no file at a path: also when there is a folder, or a file in place of a parent folder. */
function isNoFile(state: LocalState): boolean {
  return state.kind === 'absent' || (state.kind === 'frozen' && state.reason === 'folderName');
}

/** Leaves out deletions of files that are back, and renames of files that were edited since. */
async function stillTrueHere(
  context: WriteContext,
  effects: readonly Effect[],
  run: SyncRun,
): Promise<readonly Effect[]> {
  const kept: Effect[] = [];
  for (const effect of effects) {
    const states = await Promise.all(
      effect.facets.map(async ({ path, after }) => {
        const state = await context.ports.files.stateOf(path);
        if (after === undefined) return isNoFile(state);
        const expected = effect.entry.kind === 'renameRemote' ? (effect.entry.edited?.hash ?? after) : after;
        return state.kind === 'file' && state.hash === expected;
      }),
    );
    if (states.every(Boolean)) kept.push(effect);
    else run.changed.add(effect.entry.path);
  }
  return kept;
}
