import type { SyncContext } from '#sync/core/context.ts';
import { ignoreRulesFor, isAgreedFolder } from '#sync/core/planning/compare-sides.ts';
import type { FailedPath } from '#sync/core/folder-sync.ts';
import type { Hash } from '#sync/core/hash.ts';
import { checkName, foldName } from '#base/file-names.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';

/** More saves at once than this, which are probably a checkout, go through a plan with its guards. */
const QUICK_MAX = 20;

/**
 * Resolves to entries that upload existing files with a known base without a scan. Resolves to `undefined` when a full plan must
 * decide: a path is gone, the folder is a different one, or a rename, a crash, a name, a lost reply or an ignore rule is
 * involved.
 */
export async function quickEntries(
  context: SyncContext,
  paths: ReadonlySet<string>,
): Promise<readonly PlanEntry[] | undefined> {
  const { state } = context;
  if (paths.size > QUICK_MAX || state.entries.size === 0 || state.isDoubtful) return undefined;
  if (!(await isAgreedFolder(context))) return undefined;
  const rules = await ignoreRulesFor(context, paths);
  const entries: PlanEntry[] = [];
  for (const path of paths) {
    if (rules.ignores(path, false)) continue;
    const entry = await quickEntry(context, path);
    if (entry === undefined) return undefined;
    if (entry !== 'unchanged') entries.push(entry);
  }
  return entries;
}

async function quickEntry(context: SyncContext, path: string): Promise<PlanEntry | 'unchanged' | undefined> {
  const { state, ports } = context;
  const local = checkName(path) === undefined ? await ports.files.stateOf(path) : undefined;
  if (local?.kind !== 'file' || local.size > context.settings().maxFileSize) return undefined;
  const base = state.entries.get(path);
  // An earlier upload may have arrived: only the platform's hashes show which version the next one replaces.
  if (state.attempts.has(path)) return undefined;
  // The platform may have the new name in different letter case, and a disk that ignores case could not hold both.
  if (!base) return undefined;
  const torn = state.unclean && local.size === 0 && base.size > 0;
  if (torn) return undefined;
  if (base.hash === local.hash) return 'unchanged';
  const { hash, size } = local;
  return { kind: 'upload', path, reason: 'changed', hash, size, expectedRemote: base.hash };
}

/** Returns the entries of a full plan to upload after a save: changed, new and renamed files. Deletions are never automatic. */
export function automaticEntries(plan: Plan, paths: ReadonlySet<string>): readonly PlanEntry[] {
  const folded = new Set([...paths].map(foldName));
  return plan.entries.filter(
    (entry) => isAutomatic(entry) && pathsOf(entry).some((path) => folded.has(foldName(path))),
  );
}

/**
 * Returns a function that checks whether a path has a change that is uploaded automatically, as fast for ten thousand
 * saves as for one.
 */
export function automaticPaths(plan: Plan): (path: string) => boolean {
  const folded = new Set(plan.entries.filter(isAutomatic).flatMap(pathsOf).map(foldName));
  return (path) => folded.has(foldName(path));
}

function isAutomatic({ kind }: PlanEntry): boolean {
  return kind === 'upload' || kind === 'renameRemote';
}

/** Returns the saves whose entry failed, with the errors. */
export function failedSaves(
  paths: ReadonlySet<string>,
  entries: readonly PlanEntry[],
  failed: readonly FailedPath[],
): ReadonlyMap<string, Error> {
  const errors = new Map(failed.map(({ path, message, error }) => [path, error ?? new Error(message)]));
  const found = new Map<string, Error>();
  for (const entry of entries) {
    const error = errors.get(entry.path);
    const own = new Set(pathsOf(entry).map(foldName));
    for (const path of paths) if (error && own.has(foldName(path))) found.set(path, error);
  }
  return found;
}

/** Whether a plan covers every path. */
export function isWhole({ guards }: Plan): boolean {
  return !guards.some(({ kind }) => kind === 'rootMissing' || kind.endsWith('ListingIncomplete'));
}

/** Resolves to the current hash of a path on this disk, as the outbox stores it. */
export async function savedHash({ ports }: SyncContext, path: string): Promise<Hash | null> {
  const now = await ports.files.stateOf(path);
  return now.kind === 'file' ? now.hash : null;
}

function pathsOf(entry: PlanEntry): readonly string[] {
  return entry.kind === 'renameRemote' ? [entry.path, entry.from] : [entry.path];
}
