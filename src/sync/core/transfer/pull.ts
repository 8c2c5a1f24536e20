import { append } from '#base/long-lists.ts';
import { asError, isCancelled, mapLimited } from '#base/async.ts';
import { whyUnread } from '#sync/core/versions/contents.ts';
import { keepForGood } from '#sync/core/record/keep-for-good.ts';
import type { SyncContext } from '#sync/core/context.ts';
import { type LocalEffect, removeHere, renameHere, replaceHere } from './local-effects.ts';
import { InFlight } from './in-flight.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import type { Hash } from '#sync/core/hash.ts';
import { FileProblem, type StagedFile } from '#sync/core/ports.ts';
import type { ReadVersion } from '#sync/core/remote/remote-reads.ts';
import type { SyncRun } from './sync-run.ts';
import type { Agreement, Intent } from '#sync/core/record/sync-record.ts';

type Download = Extract<PlanEntry, { kind: 'download' }>;
type LocalChange = Extract<PlanEntry, { kind: 'deleteLocal' | 'renameLocal' }>;

/** The maximum number of effects between two flushes to disk: after a crash, recovery has to check at most this many. */
const BATCH = 64;
/** The number of files written concurrently, each at another path. */
const SIDE_BY_SIDE = 8;

/** Carries out the pull entries of a plan. Every file is checked again right before it is touched; its old version is kept. */
export async function pullEntries(context: SyncContext, entries: readonly PlanEntry[], run: SyncRun): Promise<void> {
  const changes = entries.filter((entry) => entry.kind === 'deleteLocal' || entry.kind === 'renameLocal');
  const downloads = entries.filter((entry) => entry.kind === 'download');
  const expected = [...entries];
  await guarded(expected, run, async () => {
    const renames = changes.filter((entry) => entry.kind === 'renameLocal');
    await changeHere(context, renames, run);
    const edits = editsOf(renames, run);
    append(downloads, edits);
    append(expected, edits);
    await download(context, downloads, run);
    await changeHere(
      context,
      changes.filter((entry) => entry.kind === 'deleteLocal'),
      run,
    );
  });
}

/** Returns the new versions of files that were just renamed. */
function editsOf(renames: readonly LocalChange[], run: SyncRun): readonly Download[] {
  return renames.flatMap((entry): readonly Download[] => {
    if (entry.kind !== 'renameLocal' || !entry.edited || !run.applied.includes(entry)) return [];
    const { path, hash: expectedLocal, edited } = entry;
    return [{ kind: 'download', path, reason: 'changed', ...edited, expectedLocal }];
  });
}

/** The maximum number of bytes that are written concurrently; a single larger file is written alone. */
const WRITTEN_BYTES = 8 * 1024 * 1024;

/**
 * Stages files while it reads the branch once, and moves them to their paths in batches. Files that were written stay
 * when the connection breaks.
 */
async function download(context: SyncContext, downloads: readonly Download[], run: SyncRun): Promise<void> {
  if (downloads.length === 0 || run.stopped) return;
  const wanted = new Map(downloads.map((entry) => [entry.path, entry]));
  const unproven: Unproven[] = [];
  const writing = new InFlight({ tasks: SIDE_BY_SIDE, bytes: WRITTEN_BYTES });
  let staged: Staged[] = [];
  let begun = 0;
  const flush = async (): Promise<void> => {
    await writing.end();
    const batch = staged;
    staged = [];
    begun = 0;
    if (run.stopped) await discardAll(context, batch);
    else if (batch.length > 0) await placeBatch(context, batch, run);
  };
  try {
    for await (const version of context.reads.versions(context.ports, downloads, run.signal)) {
      const entry = wanted.get(version.path);
      if (!entry) continue;
      if (version.kind === 'read') {
        const { bytes } = version;
        begun += 1;
        await writing.begin(bytes.length, async () => {
          const file = await stage(context, entry, bytes, run);
          if (file) staged.push({ entry, file, size: bytes.length });
        });
      } else unproven.push({ entry, why: version.kind });
      if (begun >= BATCH) await flush();
      if (run.stopped) return;
    }
  } finally {
    // The files that arrived before the connection broke are complete.
    await flush();
  }
  if (unproven.length > 0) await explainUnproven(context, unproven, run);
}

/** Stages a version next to its path, unless the user has unsaved changes there. */
async function stage(
  { ports: { files, editors } }: SyncContext,
  { path, hash }: Download,
  bytes: Uint8Array,
  run: SyncRun,
): Promise<StagedFile | undefined> {
  if (editors.dirty().has(path)) {
    run.changed.add(path);
    return undefined;
  }
  if (isFull(run)) {
    run.fail(path, new FileProblem('full', 'The disk is full. Free some space and pull again.'));
    return undefined;
  }
  return attempt(path, run, () => files.stage(path, bytes, hash));
}

async function discardAll({ ports: { files } }: SyncContext, batch: readonly Staged[]): Promise<void> {
  await Promise.all(batch.map(({ file }) => files.discard(file)));
}

async function placeBatch(context: SyncContext, batch: readonly Staged[], run: SyncRun): Promise<void> {
  const time = context.ports.clock.now();
  try {
    await context.state.intend(
      batch.map(({ entry: { path, hash }, size }) => ({ side: 'here', path, hash, size, time })),
    );
  } catch (error) {
    // An effect that cannot be recorded must not happen.
    await discardAll(context, batch);
    throw error;
  }
  const done: Staged[] = [];
  const same: Staged[] = [];
  await mapLimited(batch, SIDE_BY_SIDE, async (one) => {
    const { path } = one.entry;
    const result = await attempt(path, run, () => putInPlace(context, one, run));
    if (result === 'done') done.push(one);
    else if (result === 'same') same.push(one);
    else if (result === 'changed' || result === 'held') run.changed.add(path);
  });
  const agreed = ({ entry, size }: Staged): Done => ({ entry, after: [{ path: entry.path, hash: entry.hash, size }] });
  await advanceBase(context, done.map(agreed), run, 'names');
  await advanceBase(context, same.map(agreed), run);
}

async function putInPlace(
  { ports }: SyncContext,
  { entry, file }: Staged,
  run: SyncRun,
): Promise<LocalEffect['kind'] | 'stopped' | 'same'> {
  if (run.stopped) {
    await ports.files.discard(file);
    return run.cancelled ? 'stopped' : 'changed';
  }
  const result = await replaceHere(ports, file, entry.expectedLocal, run.cause);
  run.setAside(result);
  // Another program, such as the command line beside the editor, has brought the same version.
  if (result.kind === 'changed' && result.now.kind === 'file' && result.now.hash === entry.hash) return 'same';
  return result.kind;
}

interface Staged {
  readonly entry: Download;
  readonly file: StagedFile;
  readonly size: number;
}

interface Unproven {
  readonly entry: Download;
  readonly why: Exclude<ReadVersion['kind'], 'read'>;
}

/** Handles content that does not match its hash: either the file has changed since, or the platform cannot deliver it. */
async function explainUnproven(context: SyncContext, unproven: readonly Unproven[], run: SyncRun): Promise<void> {
  const { remote, blobs } = context.ports;
  const { files } = await remote.list(run.signal);
  const notText: Hash[] = [];
  for (const { entry, why } of unproven) {
    const { path, hash } = entry;
    if (files.get(path)?.hash !== hash) {
      run.changed.add(path);
      continue;
    }
    if (why === 'notText') notText.push(hash);
    run.fail(path, new FileProblem('other', `${path}: ${whyUnread(why)} The file here was left as it is.`));
  }
  if (notText.length > 0) await blobs.noteNotText(notText);
}

async function changeHere(context: SyncContext, entries: readonly LocalChange[], run: SyncRun): Promise<void> {
  const { ports } = context;
  for (let at = 0; at < entries.length && !run.stopped; at += BATCH) {
    const batch = entries.slice(at, at + BATCH).filter((entry) => {
      const held = ports.editors.dirty().has(entry.path) || ('from' in entry && ports.editors.dirty().has(entry.from));
      if (held) run.changed.add(entry.path);
      return !held;
    });
    const time = context.ports.clock.now();
    await context.state.intend(
      batch.flatMap(agreements).map((agreement): Intent => ({ side: 'here', ...agreement, time })),
    );
    const done: Done[] = [];
    for (const entry of batch) {
      if (run.stopped) break;
      const result = await attempt(entry.path, run, () =>
        entry.kind === 'deleteLocal'
          ? removeHere(ports, entry.path, entry.expectedLocal, run.cause)
          : renameHere(ports, { from: entry.from, to: entry.path, expected: entry.hash }),
      );
      if (result) run.setAside(result);
      const isGone = result?.kind === 'changed' && entry.kind === 'deleteLocal' && result.now.kind === 'absent';
      if (result?.kind === 'done' || isGone) done.push({ entry, after: agreements(entry) });
      else if (result) run.changed.add(entry.path);
    }
    await advanceBase(context, done, run);
  }
}

interface Done {
  readonly entry: PlanEntry;
  readonly after: readonly Agreement[];
}

function agreements(entry: LocalChange): Done['after'] {
  if (entry.kind === 'deleteLocal') return [{ path: entry.path, hash: undefined, size: 0 }];
  return [
    { path: entry.from, hash: undefined, size: 0 },
    { path: entry.path, hash: entry.hash, size: entry.size },
  ];
}

/** Flushes the changes to disk, and only then advances the base. */
async function advanceBase(context: SyncContext, done: readonly Done[], run: SyncRun, only?: 'names'): Promise<void> {
  if (done.length === 0) return;
  const paths = done.flatMap(({ after }) => after.map(({ path }) => path));
  const unkept = await keepForGood(context.ports.files, paths, only);
  for (const [path, problem] of unkept) run.fail(path, problem);
  const kept = done.filter(({ after }) => !after.some(({ path }) => unkept.has(path)));
  await context.state.commit(kept.flatMap(({ after }) => after));
  for (const { entry, after } of kept) {
    run.applied.push(entry);
    run.progress(entry.path, entry.kind === 'download' ? after.reduce((sum, { size }) => sum + size, 0) : 0);
  }
}

/**
 * Whether the disk was full for an earlier file. No further file is written then; staged files may still be moved to
 * their paths.
 */
function isFull(run: SyncRun): boolean {
  return run.failed.some(({ error }) => error instanceof FileProblem && error.kind === 'full');
}

/** Runs work on one file; a `FileProblem` fails that file only. */
async function attempt<T>(path: string, run: SyncRun, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    run.fail(path, error);
    return undefined;
  }
}

/** Runs work; a connection failure ends the run, and what was done until then stays. */
async function guarded(entries: readonly PlanEntry[], run: SyncRun, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const error = asError(thrown);
    if (isCancelled(error)) {
      run.cancelled = true;
      return;
    }
    if (error.name !== 'PlatformError') throw error;
    const applied = new Set(run.applied);
    for (const entry of entries) {
      if (!applied.has(entry) && !run.changed.has(entry.path)) run.fail(entry.path, error);
    }
  }
}
