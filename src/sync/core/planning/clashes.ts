import { foldName } from '#base/file-names.ts';
import type { FrozenReason } from './plan.ts';
import type { PlanInput } from './plan-input.ts';

const SLICE = 4000;

/** Finds names that cannot coexist on every disk, and paths that are a file on one side and a folder on the other. */
export function* findClashes(input: PlanInput): Generator<void, Clashes> {
  // What is deployed is not written to a disk, so names may differ in letter case only.
  const frozen = input.rules === 'deploy' ? new Map<string, FrozenReason>() : yield* findCollisions(input);
  const roots = new Set<string>();
  const shadowed = new Set<string>();
  const filled = new Set<string>();
  const localFolders = foldersOf(input.local.files);
  const remoteFolders = foldersOf(input.remote.files);
  yield;
  for (const folder of remoteFolders) {
    const isLocalFile = input.local.files.has(folder);
    // A server that lists a file and a folder of the same name contradicts itself. What is missing on this disk is left
    // alone.
    if (input.remote.files.has(folder)) (isLocalFile ? filled : shadowed).add(folder);
    else if (isLocalFile) roots.add(folder);
  }
  for (const folder of localFolders) {
    if (input.remote.files.has(folder) && !shadowed.has(folder)) roots.add(folder);
  }
  return { frozen, roots, shadowed, filled };
}

function foldersOf(files: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of files.keys()) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

/** Groups paths that differ only in case or in Unicode normalization. */
function* findCollisions(input: PlanInput): Generator<void, ReadonlyMap<string, FrozenReason>> {
  const first = new Map<string, string>();
  const groups = new Map<string, Set<string>>();
  let seen = 0;
  const visit = (path: string): void => {
    const key = foldName(path);
    const known = first.get(key);
    if (known === undefined) first.set(key, path);
    else if (known !== path) {
      const group = groups.get(key) ?? new Set([known]);
      groups.set(key, group.add(path));
    }
  };
  for (const path of input.local.files.keys()) {
    visit(path);
    if (++seen % SLICE === 0) yield;
  }
  for (const path of input.remote.files.keys()) {
    if (!input.local.files.has(path)) visit(path);
    if (++seen % SLICE === 0) yield;
  }
  const frozen = new Map<string, FrozenReason>();
  for (const group of groups.values()) {
    if (isRename([...group], input)) continue;
    for (const path of group) frozen.set(path, 'caseCollision');
  }
  return frozen;
}

/** Checks whether someone renamed a file by case only: each side has one name, and one of them is the base's, unchanged. */
function isRename(group: readonly string[], input: PlanInput): boolean {
  const here = group.filter((path) => input.local.files.has(path));
  const there = group.filter((path) => input.remote.files.has(path));
  const [local, remote] = [here[0], there[0]];
  if (here.length !== 1 || there.length !== 1 || local === undefined || remote === undefined) return false;
  const agreed = (path: string, hash: string | undefined): boolean => input.base.get(path)?.hash === hash;
  return agreed(remote, input.remote.files.get(remote)?.hash) !== agreed(local, input.local.files.get(local)?.hash);
}

/** Paths that cannot both be files, or cannot both exist, at the same time. */
export interface Clashes {
  readonly frozen: ReadonlyMap<string, FrozenReason>;
  /** Paths that are a file on one side and a folder on the other. */
  readonly roots: ReadonlySet<string>;
  /** Files on the platform that share their name with one of its folders. */
  readonly shadowed: ReadonlySet<string>;
  /** Files on both sides below which the platform also lists files. */
  readonly filled: ReadonlySet<string>;
}
