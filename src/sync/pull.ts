import { asError, isCancelled, mapLimited } from '#base/async.ts';
import type { SyncContext } from './context.ts';
import type { PlanEntry } from './plan.ts';
import type { Hash } from './hash.ts';
import { FileProblem, type StagedFile } from './ports.ts';
import type { RunLog } from './run-log.ts';

type Download = Extract<PlanEntry, { kind: 'download' }>;
type LocalChange = Extract<PlanEntry, { kind: 'deleteLocal' | 'renameLocal' }>;

/** Effects between two syncs of the disk: at most this many are repeated by observation after a crash. */
const BATCH = 64;
/** Files written at once; each is another path. */
const SIDE_BY_SIDE = 8;

/** Carries out the pull entries of a plan. Every file is re-checked right before it is touched; its old version is kept. */
export async function pullEntries(context: SyncContext, entries: readonly PlanEntry[], log: RunLog): Promise<void> {
  const changes = entries.filter((entry) => entry.kind === 'deleteLocal' || entry.kind === 'renameLocal');
  const downloads = entries.filter((entry) => entry.kind === 'download');
  await guarded(entries, log, async () => {
    const renames = changes.filter((entry) => entry.kind === 'renameLocal');
    await changeHere(context, renames, log);
    for (let at = 0; at < downloads.length && !log.stopped; at += SLICE) {
      await downloadSlice(context, downloads.slice(at, at + SLICE), log);
    }
    await changeHere(
      context,
      changes.filter((entry) => entry.kind === 'deleteLocal'),
      log,
    );
  });
}

/** Contents held in memory at once. */
const SLICE = 2048;

async function downloadSlice(context: SyncContext, downloads: readonly Download[], log: RunLog): Promise<void> {
  const contents = await fetchContents(context, downloads, log.signal);
  for (let at = 0; at < downloads.length && !log.stopped; at += BATCH) {
    await writeBatch(context, downloads.slice(at, at + BATCH), contents, log);
  }
}

/** Bytes by path: kept versions first, the rest from the platform, each proven by its hash. */
async function fetchContents(
  context: SyncContext,
  downloads: readonly Download[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { blobs, remote, hasher } = context.ports;
  const contents = new Map<string, Uint8Array>();
  const missing: Download[] = [];
  for (const entry of downloads) {
    const kept = await blobs.get(entry.hash);
    if (kept) contents.set(entry.path, kept);
    else missing.push(entry);
  }
  if (missing.length === 0) return contents;
  const fetched = await remote.read(
    missing.map(({ path }) => path),
    signal,
  );
  for (const { path, hash } of missing) {
    const bytes = fetched.get(path);
    if (bytes && hasher.hash(bytes) === hash) {
      contents.set(path, bytes);
      await blobs.put(hash, bytes);
    }
  }
  return contents;
}

async function writeBatch(
  context: SyncContext,
  batch: readonly Download[],
  contents: ReadonlyMap<string, Uint8Array>,
  log: RunLog,
): Promise<void> {
  const { files, editors } = context.ports;
  const unproven = batch.filter(({ path }) => !contents.has(path));
  const staged: Staged[] = [];
  await mapLimited(batch, SIDE_BY_SIDE, async (entry) => {
    const bytes = contents.get(entry.path);
    if (!bytes) return;
    if (editors.dirty().has(entry.path)) {
      log.changed.add(entry.path);
      return;
    }
    const file = isFull(log)
      ? log.fail(entry.path, new FileProblem('full', 'The disk is full. Free some space and pull again.'))
      : await attempt(entry.path, log, () => files.stage(entry.path, bytes, entry.hash));
    if (file) staged.push({ entry, file, size: bytes.length });
  });
  await context.state.intend(
    staged.map(({ entry }) => ({
      type: 'intent',
      operation: 'download',
      path: entry.path,
      expectedLocal: entry.expectedLocal,
      expectedRemote: entry.hash,
      hash: entry.hash,
    })),
  );
  const done: Staged[] = [];
  await mapLimited(staged, SIDE_BY_SIDE, async (one) => {
    const { path } = one.entry;
    const result = await attempt(path, log, () => putInPlace(context, one, log));
    if (result === 'done') done.push(one);
    else if (result === 'changed') log.changed.add(path);
  });
  await settle(
    context,
    done.map(({ entry, size }) => ({ entry, after: [{ path: entry.path, hash: entry.hash, size }] })),
    log,
  );
  if (unproven.length > 0) await explainUnproven(context, unproven, log);
}

/** The last look at the editors, then the replacement itself, which looks at the file. */
async function putInPlace(
  { ports }: SyncContext,
  { entry, file }: Staged,
  log: RunLog,
): Promise<'done' | 'changed' | 'stopped'> {
  if (log.stopped || ports.editors.dirty().has(entry.path)) {
    await ports.files.discard(file);
    return log.cancelled ? 'stopped' : 'changed';
  }
  const result = await ports.files.replace(file, entry.expectedLocal, log.cause);
  log.setAside(result);
  return result.kind;
}

interface Staged {
  readonly entry: Download;
  readonly file: StagedFile;
  readonly size: number;
}

/** A content that does not fit its hash: either the file moved on, or its bytes do not survive being sent as text. */
async function explainUnproven(context: SyncContext, entries: readonly Download[], log: RunLog): Promise<void> {
  const { files } = await context.ports.remote.list(log.signal);
  for (const entry of entries) {
    if (files.get(entry.path)?.hash !== entry.hash) log.changed.add(entry.path);
    else
      log.fail(
        entry.path,
        new FileProblem(
          'other',
          `${entry.path}: the platform did not deliver the bytes that it lists (it sends files as text). The file here was left as it is.`,
        ),
      );
  }
}

async function changeHere(context: SyncContext, entries: readonly LocalChange[], log: RunLog): Promise<void> {
  const { files, editors } = context.ports;
  for (let at = 0; at < entries.length && !log.stopped; at += BATCH) {
    const batch = entries.slice(at, at + BATCH).filter((entry) => {
      const held = editors.dirty().has(entry.path) || ('from' in entry && editors.dirty().has(entry.from));
      if (held) log.changed.add(entry.path);
      return !held;
    });
    await context.state.intend(
      batch.map((entry) => ({
        type: 'intent',
        operation: entry.kind,
        path: entry.path,
        expectedLocal: 'expectedLocal' in entry ? entry.expectedLocal : entry.hash,
        expectedRemote: undefined,
        hash: undefined,
      })),
    );
    const done: Settled[] = [];
    for (const entry of batch) {
      if (log.stopped) break;
      const result = await attempt(entry.path, log, () =>
        entry.kind === 'deleteLocal'
          ? files.remove(entry.path, entry.expectedLocal, log.cause)
          : files.rename(entry.from, entry.path, entry.hash),
      );
      if (result) log.setAside(result);
      if (result?.kind === 'done') done.push({ entry, after: agreements(entry) });
      else if (result) log.changed.add(entry.path);
    }
    await settle(context, done, log);
  }
}

interface Settled {
  readonly entry: PlanEntry;
  readonly after: readonly { readonly path: string; readonly hash: Hash | undefined; readonly size: number }[];
}

function agreements(entry: LocalChange): Settled['after'] {
  if (entry.kind === 'deleteLocal') return [{ path: entry.path, hash: undefined, size: 0 }];
  return [
    { path: entry.from, hash: undefined, size: 0 },
    { path: entry.path, hash: entry.hash, size: entry.size },
  ];
}

/** The law of order: on disk for good first, then the base. */
async function settle(context: SyncContext, done: readonly Settled[], log: RunLog): Promise<void> {
  if (done.length === 0) return;
  const after = done.flatMap((settled) => settled.after);
  await context.ports.files.sync(after.map(({ path }) => path));
  await context.state.commit(after);
  for (const { entry, after } of done) {
    log.applied.push(entry);
    log.progress(entry.path, entry.kind === 'download' ? after.reduce((sum, { size }) => sum + size, 0) : 0);
  }
}

/** A disk that was full for one file is not tried with the next; what is staged already may still take its place. */
function isFull(log: RunLog): boolean {
  return log.failed.some(({ error }) => error instanceof FileProblem && error.kind === 'full');
}

/** One file's trouble is that file's failure. */
async function attempt<T>(path: string, log: RunLog, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    log.fail(path, error);
    return undefined;
  }
}

/** Failures of the connection end the run; what happened until then stays. */
async function guarded(entries: readonly PlanEntry[], log: RunLog, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const error = asError(thrown);
    if (isCancelled(error)) {
      log.cancelled = true;
      return;
    }
    if (error.name !== 'PlatformError') throw error;
    const applied = new Set(log.applied);
    for (const entry of entries) {
      if (!applied.has(entry) && !log.changed.has(entry.path)) log.fail(entry.path, error);
    }
  }
}
