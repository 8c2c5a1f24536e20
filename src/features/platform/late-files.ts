import { plural } from '#base/words.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { hashesOf } from './branch-hashes.ts';
import type { PlatformData } from './platform-data.ts';
import type { StepFiles } from './production-gate.ts';

/** What a step has left on a branch that its user did not confirm. */
export interface LateFiles {
  /** The branch that was changed. */
  readonly branchName: string;
  /** They, or their versions, came while the step was being sent. */
  readonly arrived: readonly string[];
  /** Both branches had versions of them, and this is neither: merged from both, or changed while the step was being sent. */
  readonly mixed: readonly string[];
  /** All files in which both branches differed, if the branch still has its own version of each. */
  readonly untouched: readonly string[];
  /** Whether they show that the step had no effect. A merge may have nothing to bring: they may all be newer on the branch. */
  readonly hadNoEffect: boolean;
}

/** What a step had to bring: a commit always something, a merge perhaps; `undefined` if that does not matter. */
type Brings = 'something' | 'perhaps' | undefined;

/**
 * Resolves to the files of the branch that a step has changed which are neither as on the branch that was sent nor as they were,
 * when both were read for the last time, and to those that it should have changed and did not; `undefined` if there are none, or
 * if either is not known. The platform sends whatever a branch has by then, and knows no condition
 * (docs/adr/0055-one-gate-before-production.md). Never rejects.
 */
export async function lateFiles(
  data: PlatformData,
  target: BranchTarget,
  to: string | undefined,
  files: StepFiles | undefined,
  brings: Brings,
): Promise<LateFiles | undefined> {
  if (to === undefined || files === undefined) return undefined;
  const { own, theirs } = files;
  const now = await hashesOf(data, { ...target, branchName: to }).catch(() => undefined);
  if (now === undefined) return undefined;
  const paths = [...new Set([...own.keys(), ...theirs.keys(), ...now.keys()])].sort();
  const late = paths.filter((path) => now.get(path) !== own.get(path) && now.get(path) !== theirs.get(path));
  const isMixed = (path: string): boolean =>
    now.has(path) && own.has(path) && theirs.has(path) && own.get(path) !== theirs.get(path);
  const differing = brings ? paths.filter((path) => own.get(path) !== theirs.get(path)) : [];
  const untouched = differing.every((path) => now.get(path) === theirs.get(path)) ? differing : [];
  if (late.length + untouched.length === 0) return undefined;
  return {
    branchName: to,
    arrived: late.filter((path) => !isMixed(path)),
    mixed: late.filter(isMixed),
    untouched,
    hadNoEffect: brings === 'something' && untouched.length > 0,
  };
}

/** Returns what the user of a step reads about such files. */
export function lateText({ branchName, arrived, mixed, untouched, hadNoEffect }: LateFiles): string {
  const why = hadNoEffect
    ? 'Nothing was sent again.'
    : 'Either there was nothing to merge, because they are newer there, or the platform did not merge.';
  const without =
    untouched.length === 0
      ? ''
      : `The platform confirmed the step, but on “${branchName}” ${plural(untouched.length, 'file is', 'files are')} as before: ${named(untouched)}. ${why}`;
  const came =
    arrived.length === 0
      ? ''
      : `“${branchName}” also has ${plural(arrived.length, 'change')} that you did not confirm, because someone made them while the step was being sent: ${named(arrived)}.`;
  const merged =
    mixed.length === 0
      ? ''
      : `“${branchName}” has ${plural(mixed.length, 'file')} in a version that neither branch had on its page, merged from both or changed while the step was being sent: ${named(mixed)}.`;
  return [without, came, merged, 'Check them in the branch comparison.']
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function named(paths: readonly string[]): string {
  return paths.slice(0, 3).join(', ') + (paths.length > 3 ? ', …' : '');
}
