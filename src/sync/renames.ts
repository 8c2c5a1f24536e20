import { foldName } from '#base/file-names.ts';
import type { PlanEntry } from './plan.ts';
import type { PlanInput } from './plan-input.ts';

type EntryOf<K extends PlanEntry['kind']> = Extract<PlanEntry, { kind: K }>;

/**
 * Row 16: a deletion and an addition of the very same bytes, each the only one of them, are a rename. On this disk only
 * renames by letter case are made as such (where the file system ignores case, anything else would delete the file).
 */
export function pairRenames(entries: readonly PlanEntry[], input: PlanInput): PlanEntry[] {
  return pairLocalCase(pairRemote(entries), input);
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
    renames.push({ kind: 'renameRemote', from: from.path, path: to.path, hash, size: to.size });
  }
  return [...entries.filter((entry) => !gone.has(entry)), ...renames];
}

function note<T>(into: Map<string, T | 'several'>, key: string, entry: T): void {
  into.set(key, into.has(key) ? 'several' : entry);
}

function pairLocalCase(entries: readonly PlanEntry[], input: PlanInput): PlanEntry[] {
  const leaving = new Map<string, EntryOf<'deleteLocal'>>();
  for (const entry of entries) if (entry.kind === 'deleteLocal') leaving.set(foldName(entry.path), entry);
  if (leaving.size === 0) return [...entries];
  const replaced = new Map<PlanEntry, PlanEntry | undefined>();
  for (const entry of entries) {
    if (entry.kind !== 'download') continue;
    const from = leaving.get(foldName(entry.path));
    if (!from) continue;
    replaced.set(from, undefined);
    replaced.set(entry, localCaseRename(from, entry, input));
  }
  return entries.flatMap((entry) => {
    if (!replaced.has(entry)) return [entry];
    const instead = replaced.get(entry);
    return instead ? [instead] : [];
  });
}

function localCaseRename(from: EntryOf<'deleteLocal'>, to: EntryOf<'download'>, input: PlanInput): PlanEntry {
  if (from.expectedLocal === to.hash && !input.dirty.has(to.path)) {
    return { kind: 'renameLocal', from: from.path, path: to.path, hash: to.hash, size: from.size };
  }
  return {
    kind: 'conflict',
    path: from.path,
    reason: 'caseRename',
    base: input.base.get(from.path)?.hash,
    local: from.expectedLocal,
    remote: to.hash,
    size: from.size,
    eolOnly: false,
  };
}
