import { removeHere, renameHere, replaceHere } from '#sync/core/transfer/local-effects.ts';
import type { SyncContext, WriteContext } from '#sync/core/context.ts';
import { writerOf } from '#sync/core/context.ts';
import { carryOut, proveConfirmed } from '#sync/core/transfer/carry-out.ts';
import { type Effect, effectOf, writeOf } from '#sync/core/transfer/effects.ts';
import type { ApplyOptions, SyncOutcome } from '#sync/core/folder-sync.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { HistoryRun, Reversal, UndoSteps } from './history.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import type { WriteReply } from '#sync/core/ports.ts';
import { refused, refusedByDisk, SyncRun } from '#sync/core/transfer/sync-run.ts';

/** Files per request; the condition of each goes into one shared header line. */
const BATCH_FILES = 80;
/** The maximum number of names in a refusal message. */
const NAMED = 3;

/**
 * Undoes a push or a pull from the history, or refuses, and touches nothing, where something changed since. A push is
 * undone on the platform only, so that its files count as local changes again; a pull is undone here only, so that the
 * platform's versions are offered again or the local ones can be pushed.
 */
export function undoRun(context: SyncContext, earlier: HistoryRun, options: ApplyOptions): Promise<SyncOutcome> {
  return earlier.action === 'pull' ? undoPull(context, earlier, options) : undoPush(context, earlier, options);
}

/** Resolves to the steps that undoing a push or a pull would take; reads only what is stored on this machine. */
export function undoSteps(context: SyncContext, earlier: HistoryRun): Promise<UndoSteps> {
  return reversalsOf(context, earlier, earlier.action === 'pull' ? reversePull : reversePush);
}

async function undoPush(context: SyncContext, earlier: HistoryRun, options: ApplyOptions): Promise<SyncOutcome> {
  const writer = writerOf(context.ports);
  if (!writer) return refused('This branch is read only. Start dev mode to undo a push.');
  if (writer.transactionOnly)
    return refused('A deploy cannot be undone from here. Deploy the earlier version instead.');
  const { files } = await context.ports.remote.list(options.signal);
  const moved = earlier.applied.filter((entry) => {
    const facets = effectOf(entry)?.facets ?? [];
    return facets.some(({ path, after }) => files.get(path)?.hash !== after);
  });
  if (moved.length > 0) return refusedFor(moved, 'changed on the platform since');
  const { reversals, lost } = await reversalsOf(context, earlier, reversePush);
  if (lost.length > 0) return refusedFor(lost, 'its earlier version is no longer stored');
  const unfit = reversals.filter(({ bytes }) => bytes && !writer.canPut(bytes)).map(({ entry }) => entry);
  if (unfit.length > 0) return refusedFor(unfit, 'the earlier version is not text');
  const run = new SyncRun(reversals.length, options);
  for (let at = 0; at < reversals.length && !run.stopped; at += BATCH_FILES) {
    await sendBack({ ...context, writer }, reversals.slice(at, at + BATCH_FILES), run);
  }
  await proveConfirmed({ ...context, writer }, run);
  const outcome = run.outcome('Reverted');
  return { ...outcome, message: `${outcome.message} Your files here stay as they are and become local changes again.` };
}

/** Sends conditional writes, with separate requests for each kind. */
async function sendBack(context: WriteContext, reversals: readonly Reversal[], run: SyncRun): Promise<void> {
  const bytesOf = new Map(reversals.map(({ entry, bytes }) => [entry, bytes]));
  const effects = reversals.map(({ entry }) => effectOf(entry)).filter((effect) => effect !== undefined);
  const send = (kind: PlanEntry['kind'], write: (chosen: readonly Effect[]) => Promise<WriteReply>): Promise<unknown> =>
    carryOut(
      context,
      effects.filter(({ entry }) => entry.kind === kind),
      write,
      run,
    );
  const { writer } = context;
  await send('renameRemote', (chosen) =>
    writer.rename(
      chosen.flatMap(({ entry }) =>
        entry.kind === 'renameRemote' ? [{ from: entry.from, to: entry.path, expected: entry.hash }] : [],
      ),
      run.signal,
    ),
  );
  await send('upload', (chosen) =>
    writer.put(
      chosen.map((effect) => writeOf(effect, bytesOf.get(effect.entry) ?? new Uint8Array())),
      run.signal,
    ),
  );
  await send('deleteRemote', (chosen) =>
    writer.remove(
      chosen.flatMap(({ entry }) =>
        entry.kind === 'deleteRemote' ? [{ path: entry.path, expected: entry.expectedRemote }] : [],
      ),
      run.signal,
    ),
  );
}

async function undoPull(context: SyncContext, earlier: HistoryRun, options: ApplyOptions): Promise<SyncOutcome> {
  const { files, editors } = context.ports;
  const dirty = editors.dirty();
  const open = earlier.applied.filter(({ path }) => dirty.has(path));
  if (open.length > 0) return refusedFor(open, 'it has unsaved changes in an editor');
  const moved: PlanEntry[] = [];
  for (const entry of earlier.applied) if (!(await isAsPulled(context, entry))) moved.push(entry);
  if (moved.length > 0) return refusedFor(moved, 'changed here since');
  const { reversals, lost } = await reversalsOf(context, earlier, reversePull);
  if (lost.length > 0) return refusedFor(lost, 'its earlier version is no longer stored');
  const run = new SyncRun(reversals.length, options, 'restore');
  try {
    for (const reversal of reversals) {
      if (run.stopped) break;
      await putBack(context, reversal, run);
    }
    await files.sync(run.applied.map(({ path }) => path));
  } catch (error) {
    return refusedByDisk(error);
  }
  return run.outcome('Reverted');
}

async function isAsPulled({ ports }: SyncContext, entry: PlanEntry): Promise<boolean> {
  const now = await ports.files.stateOf(entry.path);
  const hash = now.kind === 'file' ? now.hash : undefined;
  if (now.kind === 'frozen') return false;
  return hash === (entry.kind === 'download' || entry.kind === 'renameLocal' ? entry.hash : undefined);
}

/** Changes this disk only: the base remains the agreed state, so that a plan shows what was undone. */
async function putBack({ ports }: SyncContext, { entry, bytes }: Reversal, run: SyncRun): Promise<void> {
  const result = await (async () => {
    if (entry.kind === 'renameLocal')
      return renameHere(ports, { from: entry.from, to: entry.path, expected: entry.hash });
    if (entry.kind === 'deleteLocal') return removeHere(ports, entry.path, entry.expectedLocal, run.cause);
    if (entry.kind !== 'download' || !bytes) return undefined;
    const staged = await ports.files.stage(entry.path, bytes, entry.hash);
    return replaceHere(ports, staged, entry.expectedLocal, run.cause);
  })();
  if (!result) return;
  run.setAside(result);
  if (result.kind === 'done') run.applied.push(entry);
  else run.changed.add(entry.path);
}

async function reversalsOf(
  context: SyncContext,
  earlier: HistoryRun,
  reverse: (entry: PlanEntry) => PlanEntry | undefined,
): Promise<UndoSteps> {
  const reversals: Reversal[] = [];
  const lost: PlanEntry[] = [];
  for (const done of earlier.applied) {
    const entry = reverse(done);
    if (!entry) continue;
    const needed = entry.kind === 'upload' || entry.kind === 'download' ? entry.hash : undefined;
    const bytes = needed === undefined ? undefined : await keptVersion(context, earlier, entry.path, needed);
    if (needed !== undefined && !bytes) lost.push(entry);
    else reversals.push({ entry, bytes });
  }
  return { reversals, lost };
}

/** Resolves to a version from the blob store or the trash. */
async function keptVersion(
  { ports: { blobs, trash, hasher } }: SyncContext,
  earlier: HistoryRun,
  path: string,
  hash: Hash,
): Promise<Uint8Array | undefined> {
  const kept = await blobs.get(hash);
  if (kept) return kept;
  const items = await trash.list();
  // Start with those of the run; any other version with the same content will do.
  const likely = items.filter((item) => earlier.trashed.includes(item.id) || item.path === path);
  for (const { id } of likely) {
    const bytes = await trash.read(id);
    if (bytes && hasher.hash(bytes) === hash) return bytes;
  }
  return undefined;
}

function reversePush(entry: PlanEntry): PlanEntry | undefined {
  switch (entry.kind) {
    case 'upload': {
      const { path, hash, size, expectedRemote } = entry;
      if (expectedRemote === undefined) return { kind: 'deleteRemote', path, expectedRemote: hash, size };
      return { kind: 'upload', path, reason: 'restored', hash: expectedRemote, size, expectedRemote: hash };
    }
    case 'deleteRemote': {
      const { path, expectedRemote, size } = entry;
      return { kind: 'upload', path, reason: 'restored', hash: expectedRemote, size, expectedRemote: undefined };
    }
    case 'renameRemote':
      return { ...entry, from: entry.path, path: entry.from };
    default:
      return undefined;
  }
}

function reversePull(entry: PlanEntry): PlanEntry | undefined {
  switch (entry.kind) {
    case 'download': {
      const { path, hash, size, expectedLocal } = entry;
      if (expectedLocal === undefined) return { kind: 'deleteLocal', path, expectedLocal: hash, size: size ?? 0 };
      return { kind: 'download', path, reason: 'restored', hash: expectedLocal, size: undefined, expectedLocal: hash };
    }
    case 'deleteLocal': {
      const { path, expectedLocal, size } = entry;
      return { kind: 'download', path, reason: 'restored', hash: expectedLocal, size, expectedLocal: undefined };
    }
    case 'renameLocal':
      return { ...entry, from: entry.path, path: entry.from };
    default:
      return undefined;
  }
}

function refusedFor(entries: readonly PlanEntry[], why: string): SyncOutcome {
  const names = entries.slice(0, NAMED).map(({ path }) => path);
  const more = entries.length > NAMED ? ` and ${entries.length - NAMED} more` : '';
  return refused(`Nothing was undone. ${names.join(', ')}${more}: ${why}.`);
}
