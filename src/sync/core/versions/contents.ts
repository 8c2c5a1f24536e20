import { isPlatformError } from '#api/errors.ts';
import { asError, isCancelled, mapLimited } from '#base/async.ts';
import { unreachable } from '#base/result.ts';
import type { SyncContext } from '#sync/core/context.ts';
import { differsOnlyInLineEnds } from './eol.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { RemoteListing } from '#sync/core/ports.ts';
import type { ReadVersion, WantedVersion } from '#sync/core/remote/remote-reads.ts';

type Conflict = Extract<PlanEntry, { kind: 'conflict' }>;

/** The maximum number of conflicts whose contents are read. More of them suggest an accident of another kind. */
const CLASSIFIED_MAX = 200;
/** The maximum number of versions stored for later merges when a folder is first linked. */
const KEPT_MAX = 2000;
const KEEPING = 8;

/**
 * Resolves to the version of a path with this hash: a stored one, the local file if it matches, or the platform's. Also
 * stores the versions in `along`, because the platform sends the whole branch even for a single file.
 */
export async function versionOf(
  context: SyncContext,
  wanted: WantedVersion,
  along: readonly WantedVersion[] = [],
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  const { blobs, files } = context.ports;
  const kept = await blobs.get(wanted.hash);
  if (kept) return kept;
  const here = await files.read(wanted.path);
  if (here?.hash === wanted.hash) return here.bytes;
  const others = along.filter(({ path }) => path !== wanted.path);
  let found: Uint8Array | undefined;
  for await (const version of context.reads.versions(context.ports, [wanted, ...others], signal)) {
    if (version.kind === 'read' && version.path === wanted.path) found = version.bytes;
  }
  return found;
}

/** Returns the versions that a plan needs from the platform. */
export function versionsOfPlan(plan: Plan | undefined): readonly WantedVersion[] {
  return (plan?.entries ?? []).flatMap((entry) => {
    if (entry.kind === 'download') return [{ path: entry.path, hash: entry.hash }];
    return entry.kind === 'conflict' && entry.remote !== undefined ? [{ path: entry.path, hash: entry.remote }] : [];
  });
}

/**
 * Completes a plan with what only the contents show: conflicts that differ only in line endings, and versions that the
 * platform cannot deliver. Where contents cannot be read, the plan stays valid and each conflict gives the reason.
 */
export async function classifyEntries(context: SyncContext, plan: Plan, signal?: AbortSignal): Promise<Plan> {
  const notText = await context.ports.blobs.notText();
  const entries = notText.size === 0 ? plan.entries : plan.entries.map((entry) => frozenAsNotText(entry, notText));
  const open = entries.filter((entry) => entry.kind === 'conflict');
  const texts = open.filter(({ local, remote }) => local !== undefined && remote !== undefined && !notText.has(remote));
  if (texts.length === 0 || texts.length > CLASSIFIED_MAX)
    return entries === plan.entries ? plan : { ...plan, entries };
  const classified = await classify(context, texts, signal);
  return {
    ...plan,
    entries: entries.map((entry) => (entry.kind === 'conflict' ? (classified.get(entry) ?? entry) : entry)),
  };
}

function frozenAsNotText(entry: PlanEntry, notText: ReadonlySet<Hash>): PlanEntry {
  if (entry.kind === 'download' && notText.has(entry.hash)) {
    return { kind: 'frozen', path: entry.path, side: 'remote', reason: 'notText' };
  }
  if (entry.kind !== 'conflict' || entry.remote === undefined || !notText.has(entry.remote)) return entry;
  return { ...entry, unread: whyUnread('notText') };
}

async function classify(
  context: SyncContext,
  conflicts: readonly Conflict[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Conflict, Conflict>> {
  const classified = new Map<Conflict, Conflict>();
  const left = new Map<string, Conflict>();
  for (const conflict of conflicts) {
    // A version that did not arrive as listed will not do so now. Do not read the whole branch for it at each scan.
    if (!context.reads.hasFailed(conflict.remote ?? '')) left.set(conflict.path, conflict);
    else classified.set(conflict, { ...conflict, unread: whyUnread('different') });
  }
  const wanted = [...left.values()].map(({ path, remote }) => ({ path, hash: remote ?? '' }));
  try {
    for await (const version of context.reads.versions(context.ports, wanted, signal)) {
      const conflict = left.get(version.path);
      left.delete(version.path);
      if (conflict) classified.set(conflict, await compared(context, conflict, version));
    }
  } catch (thrown) {
    const error = asError(thrown);
    if (isCancelled(error) || !isPlatformError(error)) throw error;
    // An unreadable conflict must not end the scan: the rest of the plan is known.
    context.logger.warn('Conflicts could not be compared', { error: error.message });
    for (const conflict of left.values()) classified.set(conflict, { ...conflict, unread: error.message });
  }
  return classified;
}

async function compared({ ports }: SyncContext, conflict: Conflict, version: ReadVersion): Promise<Conflict> {
  if (version.kind !== 'read') {
    if (version.kind === 'notText') await ports.blobs.noteNotText([version.hash]);
    return { ...conflict, unread: whyUnread(version.kind) };
  }
  const mine = await ports.files.read(conflict.path);
  return mine && differsOnlyInLineEnds(mine.bytes, version.bytes) ? { ...conflict, eolOnly: true } : conflict;
}

/** Returns a sentence that explains why a version on the platform cannot be shown. */
export function whyUnread(kind: Exclude<ReadVersion['kind'], 'read'>): string {
  switch (kind) {
    case 'notText':
      return 'The platform sends files as text, and its version of this file is not text.';
    case 'different':
      return 'The platform sent other content than it lists for this file.';
    case 'missing':
      return 'The platform lists this file but did not send it.';
    default:
      return unreachable(kind);
  }
}

/** Stores the versions on which both sides turned out to agree, so that a later conflict can be merged three-way. */
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
