import { plural } from '#base/words.ts';
import type { BranchTree } from './branch-files.ts';

/** One file that differs between two trees of a branch. */
export interface FileDifference {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** Returns what turns `before` into `after`, by path; equal files are left out. */
export function compareTrees(before: BranchTree, after: BranchTree): readonly FileDifference[] {
  return compareTexts(textsOf(before), textsOf(after));
}

/** As {@link compareTrees}, for texts by path. */
export function compareTexts(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly FileDifference[] {
  const differences: FileDifference[] = [];
  for (const [path, text] of after) {
    const old = before.get(path);
    if (old === undefined) differences.push({ path, change: 'added' });
    else if (old !== text) differences.push({ path, change: 'changed' });
  }
  for (const path of before.keys()) if (!after.has(path)) differences.push({ path, change: 'removed' });
  return differences.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the texts of a branch's files by path. */
export function textsOf(tree: BranchTree): ReadonlyMap<string, string> {
  return new Map([...tree].flatMap(([path, { content }]) => (content === undefined ? [] : [[path, content] as const])));
}

/** Returns `3 files: 1 added, 1 changed, 1 removed`, or `3 files changed`. */
export function fileDifferenceText(differences: readonly FileDifference[]): string {
  if (differences.length === 0) return 'no file differs';
  const files = plural(differences.length, 'file');
  const [first, ...others] = new Set(differences.map(({ change }) => change));
  return others.length === 0 ? `${files} ${first}` : `${files}: ${differenceCounts(differences)}`;
}

/** Returns `1 added, 1 changed, 1 removed`. */
export function differenceCounts(differences: readonly FileDifference[]): string {
  const count = (change: FileDifference['change']): number =>
    differences.filter((difference) => difference.change === change).length;
  return (['added', 'changed', 'removed'] as const)
    .map((change) => [change, count(change)] as const)
    .filter(([, number]) => number > 0)
    .map(([change, number]) => `${number} ${change}`)
    .join(', ');
}
