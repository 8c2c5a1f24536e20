import { foldName } from '#base/file-names.ts';
import type { PlanEntry } from './plan.ts';

type EntryOf<K extends PlanEntry['kind']> = Extract<PlanEntry, { kind: K }>;

/**
 * Pairs renames (docs/sync.md#row-16): a deletion and an addition of identical bytes, each the only one with them. Two
 * names that differ only by letter case are also a rename, whatever the bytes: one name must never be added before the
 * other is gone. On this disk, only renames by letter case are carried out as renames (where the file system ignores
 * case, anything else would delete the file).
 */
export function pairRenames(entries: readonly PlanEntry[]): PlanEntry[] {
  return pairLocalCase(pairRemote(pairRemoteCase(entries)));
}

function pairRemoteCase(entries: readonly PlanEntry[]): readonly PlanEntry[] {
  const leaving = new Map<string, EntryOf<'deleteRemote'>>();
  for (const entry of entries) if (entry.kind === 'deleteRemote') leaving.set(foldName(entry.path), entry);
  if (leaving.size === 0) return entries;
  const gone = new Set<PlanEntry>();
  const renames: PlanEntry[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'upload' || entry.expectedRemote !== undefined) continue;
    const from = leaving.get(foldName(entry.path));
    if (!from || gone.has(from)) continue;
    gone.add(from).add(entry);
    const { hash, size } = entry;
    const edited = hash === from.expectedRemote ? undefined : { hash, size };
    renames.push({ ...renamed('renameRemote', from.path, entry.path, from.expectedRemote, from.size), edited });
  }
  return [...entries.filter((entry) => !gone.has(entry)), ...renames];
}

function renamed<K extends 'renameRemote' | 'renameLocal'>(
  kind: K,
  from: string,
  path: string,
  hash: string,
  size: number,
): { readonly kind: K; readonly from: string; readonly path: string; readonly hash: string; readonly size: number } {
  return { kind, from, path, hash, size };
}

function pairRemote(entries: readonly PlanEntry[]): readonly PlanEntry[] {
  const deletes = new Map<string, EntryOf<'deleteRemote'> | 'several'>();
  const adds = new Map<string, EntryOf<'upload'> | 'several'>();
  for (const entry of entries) {
    if (entry.kind === 'deleteRemote') note(deletes, entry.expectedRemote, entry);
    else if (entry.kind === 'upload' && entry.reason === 'added' && entry.size > 0) note(adds, entry.hash, entry);
  }
  if (deletes.size === 0 || adds.size === 0) return entries;
  const gone = new Set<PlanEntry>();
  const renames: PlanEntry[] = [];
  for (const [hash, from] of deletes) {
    const to = adds.get(hash);
    if (from === 'several' || to === undefined || to === 'several') continue;
    gone.add(from).add(to);
    renames.push(renamed('renameRemote', from.path, to.path, hash, to.size));
  }
  return [...entries.filter((entry) => !gone.has(entry)), ...renames];
}

function note<T>(into: Map<string, T | 'several'>, key: string, entry: T): void {
  into.set(key, into.has(key) ? 'several' : entry);
}

function pairLocalCase(entries: readonly PlanEntry[]): PlanEntry[] {
  const leaving = new Map<string, EntryOf<'deleteLocal'>>();
  for (const entry of entries) if (entry.kind === 'deleteLocal') leaving.set(foldName(entry.path), entry);
  if (leaving.size === 0) return [...entries];
  const replaced = new Map<PlanEntry, PlanEntry | undefined>();
  for (const entry of entries) {
    if (entry.kind !== 'download') continue;
    const from = leaving.get(foldName(entry.path));
    if (!from) continue;
    replaced.set(from, undefined);
    replaced.set(entry, localCaseRename(from, entry));
  }
  return entries.flatMap((entry) => {
    if (!replaced.has(entry)) return [entry];
    const instead = replaced.get(entry);
    return instead ? [instead] : [];
  });
}

function localCaseRename(from: EntryOf<'deleteLocal'>, to: EntryOf<'download'>): PlanEntry {
  const rename = renamed('renameLocal', from.path, to.path, from.expectedLocal, from.size);
  return from.expectedLocal === to.hash ? rename : { ...rename, edited: { hash: to.hash, size: to.size ?? 0 } };
}
