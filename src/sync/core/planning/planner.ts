import { dirName } from '#base/path.ts';
import type { BaseEntry } from '#sync/core/base.ts';
import { type Clashes, findClashes } from './clashes.ts';
import { runGuards } from './guards.ts';
import type { FrozenReason, Plan, PlanEntry } from './plan.ts';
import type { LocalFile, RemoteFile } from '#sync/core/ports.ts';
import type { PlanInput } from './plan-input.ts';
import { pairRenames } from './renames.ts';

const SLICE = 4000;

/** Makes a plan in slices of some milliseconds, so that the caller can let other work run in between. */
export function* planSteps(input: PlanInput): Generator<void, Plan> {
  const { differing, unchanged: agreed } = yield* compareWithBase(input);
  let unchanged = agreed;
  const same = agreed === input.local.files.size && agreed === input.remote.files.size && differing.length === 0;
  const clashes = same ? noClashes : yield* findClashes(input);
  const rowInput: RowInput = { ...input, clashes };
  let entries: PlanEntry[] = [];
  let seen = 0;
  const visit = (path: string): void => {
    const entry = planPath(path, rowInput);
    if (entry === undefined) unchanged += 1;
    else if (entry !== 'nothing') entries.push(entry);
  };
  for (const path of differing) {
    visit(path);
    if (++seen % SLICE === 0) yield;
  }
  for (const [index, side] of [
    input.local.files,
    input.remote.files,
    input.local.frozen,
    input.remote.frozen,
  ].entries()) {
    if (same && index < 2) continue;
    for (const path of side.keys()) {
      if (++seen % SLICE === 0) yield;
      if (!input.base.has(path) && !seenBefore(path, index, input)) visit(path);
    }
  }
  entries = pairRenames(entries);
  // A folder that is first linked may have hundreds of thousands of entries without a transfer: do not sort them.
  const equal = entries.filter(needsNoTransfer);
  entries = entries.filter((entry) => !needsNoTransfer(entry));
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  const guards = runGuards(input, entries);
  const halted = guards.some((guard) => guard.kind === 'rootMissing');
  return {
    target: input.target,
    generation: input.generation,
    time: input.time,
    entries: halted ? [] : [...entries, ...equal],
    guards,
    unchanged,
  };
}

function needsNoTransfer({ kind }: PlanEntry): boolean {
  return kind === 'adopt' || kind === 'forget';
}

const noClashes: Clashes = { frozen: new Map(), roots: new Set(), shadowed: new Set(), filled: new Set() };

/**
 * Finds the paths of docs/sync.md#row-1, which are nearly all, without checking names (no listing contains ignored or
 * frozen paths).
 */
function* compareWithBase({
  base,
  local,
  remote,
}: PlanInput): Generator<void, { differing: string[]; unchanged: number }> {
  const differing: string[] = [];
  let unchanged = 0;
  for (const [path, { hash }] of base) {
    if (local.files.get(path)?.hash === hash && remote.files.get(path)?.hash === hash) unchanged += 1;
    else differing.push(path);
    if ((unchanged + differing.length) % SLICE === 0) yield;
  }
  return { differing, unchanged };
}

/** Checks whether an earlier one of the maps that are iterated contains the path. */
function seenBefore(path: string, index: number, { local, remote }: PlanInput): boolean {
  if (index > 0 && local.files.has(path)) return true;
  if (index > 1 && remote.files.has(path)) return true;
  return index > 2 && local.frozen.has(path);
}

interface RowInput extends PlanInput {
  readonly clashes: Clashes;
}

/** One path in the base and on both sides. */
interface Sides {
  readonly path: string;
  readonly base: BaseEntry | undefined;
  readonly local: LocalFile | undefined;
  readonly remote: RemoteFile | undefined;
}

/** Applies docs/sync.md#the-table to one path; returns `undefined` if both sides agree, `nothing` if the path is not ours. */
function planPath(path: string, input: RowInput): PlanEntry | 'nothing' | undefined {
  const frozen = frozenEntry(path, input);
  if (frozen) return frozen;
  const sides: Sides = {
    path,
    base: input.base.get(path),
    local: input.local.files.get(path),
    remote: input.remote.files.get(path),
  };
  if (input.ignores(path, false)) {
    if (sides.base) return { kind: 'forget', path };
    return sides.remote ? { kind: 'ignored', path } : 'nothing';
  }
  return sides.local?.hash === sides.remote?.hash ? agreed(sides, input) : differing(sides, input);
}

/** Applies rows 4 to 12, 14 and 15 of docs/sync.md#the-table. */
function differing(sides: Sides, input: RowInput): PlanEntry {
  const { path } = sides;
  if (input.clashes.roots.size > 0 && insideAny(path, input.clashes.roots)) return conflict(sides, 'fileAndFolder');
  if (isTorn(sides, input.unclean)) return conflict(sides, 'tornWrite');
  const entry = row(sides);
  if (input.dirty.has(path) && entry.kind !== 'upload' && entry.kind !== 'conflict') {
    return conflict(sides, 'dirtyEditor');
  }
  return heldByListing(entry, input);
}

/** Applies rows 4 to 11 of docs/sync.md#the-table: the changes on each side since the base decide. */
function row(sides: Sides): PlanEntry {
  const localChanged = sides.local?.hash !== sides.base?.hash;
  const remoteChanged = sides.remote?.hash !== sides.base?.hash;
  if (localChanged && remoteChanged) return bothChanged(sides);
  return localChanged ? toPlatform(sides) : toDisk(sides);
}

function bothChanged(sides: Sides): PlanEntry {
  const { local, remote } = sides;
  if (!local && remote) return download(sides, remote, 'restored');
  if (local && !remote) return upload(sides, local, 'restored');
  return conflict(sides, sides.base ? 'bothChanged' : 'bothAdded');
}

function toPlatform(sides: Sides): PlanEntry {
  const { path, base, local } = sides;
  if (local) return upload(sides, local, base ? 'changed' : 'added');
  return { kind: 'deleteRemote', path, expectedRemote: base?.hash ?? '', size: base?.size ?? 0 };
}

function toDisk(sides: Sides): PlanEntry {
  const { path, base, local, remote } = sides;
  if (remote) return download(sides, remote, base ? 'changed' : 'added');
  return { kind: 'deleteLocal', path, expectedLocal: local?.hash ?? '', size: local?.size ?? 0 };
}

/** Applies rows 1 to 3 of docs/sync.md#the-table. */
function agreed(sides: Sides, input: PlanInput): PlanEntry | undefined {
  const { path, base, local } = sides;
  if (local) {
    return base?.hash === local.hash ? undefined : { kind: 'adopt', path, hash: local.hash, size: local.size };
  }
  // Only complete listings prove that a path is absent on both sides.
  return base && input.local.complete && input.remote.complete ? { kind: 'forget', path } : undefined;
}

/**
 * Applies docs/sync.md#row-13. The platform lists only files, so only the path itself can be frozen there; on this disk
 * a folder can be frozen, and with it every path below.
 */
function frozenEntry(path: string, input: RowInput): PlanEntry | undefined {
  const { shadowed, filled } = input.clashes;
  const isFolderName = shadowed.has(path) || (filled.size > 0 && insideAny(dirName(path), filled));
  const remoteReason = isFolderName ? 'folderName' : input.remote.frozen.get(path);
  if (remoteReason) return { kind: 'frozen', path, side: 'remote', reason: remoteReason };
  const localReason = frozenReason(path, input.local.frozen) ?? input.clashes.frozen.get(path);
  return localReason ? { kind: 'frozen', path, side: 'local', reason: localReason } : undefined;
}

function frozenReason(path: string, frozen: ReadonlyMap<string, FrozenReason>): FrozenReason | undefined {
  if (frozen.size === 0) return undefined;
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const reason = frozen.get(path.slice(0, end));
    if (reason) return reason;
  }
  return undefined;
}

function insideAny(path: string, roots: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (roots.has(path.slice(0, end))) return true;
  }
  return false;
}

/** Freezes an entry that would delete a file, or overwrite it as if it were new, because of an incomplete listing. */
function heldByListing(entry: PlanEntry, input: PlanInput): PlanEntry {
  const { path } = entry;
  if (!input.local.complete && entry.kind === 'deleteRemote') {
    return { kind: 'frozen', path, side: 'local', reason: 'listingIncomplete' };
  }
  const unseen = entry.kind === 'deleteLocal' || (entry.kind === 'upload' && !input.remote.files.has(path));
  if (!input.remote.complete && unseen) return { kind: 'frozen', path, side: 'remote', reason: 'listingIncomplete' };
  return entry;
}

/** Checks for docs/sync.md#row-15: the file is shorter than the agreed version in a way that only a crash explains. */
function isTorn({ base, local }: Sides, unclean: boolean): boolean {
  if (!local || !base) return false;
  return local.torn === true || (unclean && local.size === 0 && base.size > 0);
}

function upload(sides: Sides, local: LocalFile, reason: 'added' | 'changed' | 'restored'): PlanEntry {
  // The version that the platform has now: the base's, or none where the edit wins over a deletion.
  const expectedRemote = sides.remote?.hash;
  return { kind: 'upload', path: sides.path, reason, hash: local.hash, size: local.size, expectedRemote };
}

function download(sides: Sides, remote: RemoteFile, reason: 'added' | 'changed' | 'restored'): PlanEntry {
  const expectedLocal = sides.local?.hash;
  return { kind: 'download', path: sides.path, reason, hash: remote.hash, size: remote.size, expectedLocal };
}

function conflict(sides: Sides, reason: Extract<PlanEntry, { kind: 'conflict' }>['reason']): PlanEntry {
  const { path, base, local, remote } = sides;
  return {
    kind: 'conflict',
    path,
    reason,
    base: base?.hash,
    local: local?.hash,
    remote: remote?.hash,
    size: (local ?? remote)?.size ?? 0,
    eolOnly: false,
  };
}
