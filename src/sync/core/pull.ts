import { asError, isCancelled, mapLimited } from '#base/async.ts';
import { whyUnread } from './contents.ts';
import { keepForGood } from './keep-for-good.ts';
import type { SyncContext } from './context.ts';
import { InFlight } from './in-flight.ts';
import type { PlanEntry } from './plan.ts';
import type { Hash } from './hash.ts';
import { FileProblem, type StagedFile } from './ports.ts';
import type { ReadVersion } from './remote-reads.ts';
import type { RunLog } from './run-log.ts';
import type { Intent } from './state.ts';

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
  const expected = [...entries];
  await guarded(expected, log, async () => {
    const renames = changes.filter((entry) => entry.kind === 'renameLocal');
    await changeHere(context, renames, log);
    const edits = editsOf(renames, log);
    downloads.push(...edits);
    expected.push(...edits);
    await download(context, downloads, log);
    await changeHere(
      context,
      changes.filter((entry) => entry.kind === 'deleteLocal'),
      log,
    );
  });
}

/** The new versions of files that were renamed a moment ago. */
function editsOf(renames: readonly LocalChange[], log: RunLog): readonly Download[] {
  return renames.flatMap((entry): readonly Download[] => {
    if (entry.kind !== 'renameLocal' || !entry.edited || !log.applied.includes(entry)) return [];
    const { path, hash: expectedLocal, edited } = entry;
    return [{ kind: 'download', path, reason: 'changed', ...edited, expectedLocal }];
  });
}

/** Bytes that are written at once, beside a single file that is larger. */
const WRITTEN_BYTES = 8 * 1024 * 1024;

/** Writes files beside their places while the branch is read once, and puts them in place in batches. What was written stays when the connection breaks. */
async function download(context: SyncContext, downloads: readonly Download[], log: RunLog): Promise<void> {
  if (downloads.length === 0 || log.stopped) return;
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
    if (log.stopped) await discardAll(context, batch);
    else if (batch.length > 0) await placeBatch(context, batch, log);
  };
  try {
    for await (const version of context.reads.versions(context.ports, downloads, log.signal)) {
      const entry = wanted.get(version.path);
      if (!entry) continue;
      if (version.kind === 'read') {
        const { bytes } = version;
        begun += 1;
        await writing.begin(bytes.length, async () => {
          const file = await stage(context, entry, bytes, log);
          if (file) staged.push({ entry, file, size: bytes.length });
        });
      } else unproven.push({ entry, why: version.kind });
      if (begun >= BATCH) await flush();
      if (log.stopped) return;
    }
  } finally {
    // What arrived before a break is as good as the rest.
    await flush();
  }
  if (unproven.length > 0) await explainUnproven(context, unproven, log);
}

/** Writes a version beside its place, unless the user has unsaved changes there. */
async function stage(
  { ports: { files, editors } }: SyncContext,
  { path, hash }: Download,
  bytes: Uint8Array,
  log: RunLog,
): Promise<StagedFile | undefined> {
  if (editors.dirty().has(path)) {
    log.changed.add(path);
    return undefined;
  }
  if (isFull(log)) {
    log.fail(path, new FileProblem('full', 'The disk is full. Free some space and pull again.'));
    return undefined;
  }
  return attempt(path, log, () => files.stage(path, bytes, hash));
}

async function discardAll({ ports: { files } }: SyncContext, batch: readonly Staged[]): Promise<void> {
  await Promise.all(batch.map(({ file }) => files.discard(file)));
}

async function placeBatch(context: SyncContext, batch: readonly Staged[], log: RunLog): Promise<void> {
  const time = context.ports.clock.now();
  try {
    await context.state.intend(
      batch.map(({ entry: { path, hash }, size }) => ({ side: 'here', path, hash, size, time })),
    );
  } catch (error) {
    // What could not be noted is not done.
    await discardAll(context, batch);
    throw error;
  }
  const done: Staged[] = [];
  await mapLimited(batch, SIDE_BY_SIDE, async (one) => {
    const { path } = one.entry;
    const result = await attempt(path, log, () => putInPlace(context, one, log));
    if (result === 'done') done.push(one);
    else if (result === 'changed') log.changed.add(path);
  });
  await settle(
    context,
    done.map(({ entry, size }) => ({ entry, after: [{ path: entry.path, hash: entry.hash, size }] })),
    log,
    'names',
  );
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

interface Unproven {
  readonly entry: Download;
  readonly why: Exclude<ReadVersion['kind'], 'read'>;
}

/** Explains content that does not fit its hash: either the file moved on, or the platform cannot deliver it. */
async function explainUnproven(context: SyncContext, unproven: readonly Unproven[], log: RunLog): Promise<void> {
  const { remote, blobs } = context.ports;
  const { files } = await remote.list(log.signal);
  const notText: Hash[] = [];
  for (const { entry, why } of unproven) {
    const { path, hash } = entry;
    if (files.get(path)?.hash !== hash) {
      log.changed.add(path);
      continue;
    }
    if (why === 'notText') notText.push(hash);
    log.fail(path, new FileProblem('other', `${path}: ${whyUnread(why)} The file here was left as it is.`));
  }
  if (notText.length > 0) await blobs.noteNotText(notText);
}

async function changeHere(context: SyncContext, entries: readonly LocalChange[], log: RunLog): Promise<void> {
  const { files, editors } = context.ports;
  for (let at = 0; at < entries.length && !log.stopped; at += BATCH) {
    const batch = entries.slice(at, at + BATCH).filter((entry) => {
      const held = editors.dirty().has(entry.path) || ('from' in entry && editors.dirty().has(entry.from));
      if (held) log.changed.add(entry.path);
      return !held;
    });
    const time = context.ports.clock.now();
    await context.state.intend(
      batch.flatMap(agreements).map((agreement): Intent => ({ side: 'here', ...agreement, time })),
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
async function settle(context: SyncContext, done: readonly Settled[], log: RunLog, only?: 'names'): Promise<void> {
  if (done.length === 0) return;
  const paths = done.flatMap(({ after }) => after.map(({ path }) => path));
  const unkept = await keepForGood(context.ports.files, paths, only);
  for (const [path, problem] of unkept) log.fail(path, problem);
  const kept = done.filter(({ after }) => !after.some(({ path }) => unkept.has(path)));
  await context.state.commit(kept.flatMap(({ after }) => after));
  for (const { entry, after } of kept) {
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
