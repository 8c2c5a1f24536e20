import { mapLimited } from '#base/async.ts';
import type { SyncContext } from './context.ts';
import { differsOnlyInLineEnds } from './eol.ts';
import type { Plan, PlanEntry } from './plan.ts';
import type { Hash } from './hash.ts';
import type { RemoteListing } from './ports.ts';

/** More conflicts than this are an accident of another kind: not each is read. */
const CLASSIFIED_MAX = 200;
/** Versions kept for later merges when a folder is first linked. */
const KEPT_MAX = 2000;
const KEEPING = 8;

/** The version with this hash: kept, or the platform's present one. */
export async function versionOf(
  context: SyncContext,
  path: string,
  hash: Hash,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  const { blobs, remote, hasher } = context.ports;
  const kept = await blobs.get(hash);
  if (kept) return kept;
  const bytes = (await remote.read([path], signal)).get(path);
  if (!bytes || hasher.hash(bytes) !== hash) return undefined;
  await blobs.put(hash, bytes);
  return bytes;
}

/** Marks the conflicts whose versions differ only in line ends. */
export async function classifyConflicts(context: SyncContext, plan: Plan, signal?: AbortSignal): Promise<Plan> {
  const open = plan.entries.filter((entry) => entry.kind === 'conflict');
  const texts = open.filter(({ local, remote }) => local !== undefined && remote !== undefined);
  if (texts.length === 0 || texts.length > CLASSIFIED_MAX) return plan;
  await keepRemote(context, texts, signal);
  const eolOnly = new Set<PlanEntry>();
  for (const entry of texts) {
    const mine = await context.ports.files.read(entry.path);
    const theirs = await context.ports.blobs.get(entry.remote ?? '');
    if (mine && theirs && differsOnlyInLineEnds(mine.bytes, theirs)) eolOnly.add(entry);
  }
  if (eolOnly.size === 0) return plan;
  const entries = plan.entries.map((entry): PlanEntry =>
    entry.kind === 'conflict' && eolOnly.has(entry) ? { ...entry, eolOnly: true } : entry,
  );
  return { ...plan, entries };
}

async function keepRemote(
  { ports }: SyncContext,
  entries: readonly Extract<PlanEntry, { kind: 'conflict' }>[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const missing: { path: string; hash: Hash }[] = [];
  for (const { path, remote } of entries) {
    if (remote !== undefined && !(await ports.blobs.get(remote))) missing.push({ path, hash: remote });
  }
  if (missing.length === 0) return;
  const fetched = await ports.remote.read(
    missing.map(({ path }) => path),
    signal,
  );
  for (const { path, hash } of missing) {
    const bytes = fetched.get(path);
    if (bytes && ports.hasher.hash(bytes) === hash) await ports.blobs.put(hash, bytes);
  }
}

/** Keeps the versions that both sides were found to agree on, so that a later conflict can be merged three-way. */
export async function keepAgreed(
  { ports }: SyncContext,
  paths: readonly string[],
  remote: RemoteListing,
  signal: AbortSignal,
): Promise<void> {
  await mapLimited(paths.slice(0, KEPT_MAX), KEEPING, async (path) => {
    const hash = remote.files.get(path)?.hash;
    if (signal.aborted || hash === undefined || (await ports.blobs.get(hash))) return;
    const content = await ports.files.read(path);
    if (content?.hash === hash) await ports.blobs.put(hash, content.bytes);
  });
}
