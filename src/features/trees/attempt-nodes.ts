import { baseName, dirName } from '#base/path.ts';
import type { FileTarget } from '#protocol/targets.ts';
import { type GitAttempt, isSettled, openFiles, stepWords } from '../git-attempt.ts';
import type { TreeItemSpec, TreeNode } from './tree-item.ts';

/** A file that the platform named in a 409: it changed on the dev branch and on the other one. */
export interface GitConflictNode extends TreeNode, FileTarget {
  readonly kind: 'gitConflict';
  /** The other branch. */
  readonly from: string;
  readonly isSettled: boolean;
}

/** The step that stopped: a click does what comes next. */
export interface AttemptNode extends TreeNode {
  readonly kind: 'attempt';
  readonly step: string;
  readonly from: string;
  /** Files that still wait for the person. */
  readonly open: number;
}

/** The rows of a stopped step; a file that also differs from the platform is settled as that first, and not in here. */
export function attemptNodes(
  folderId: string,
  attempt: GitAttempt,
  inConflict: ReadonlySet<string>,
): { readonly row: AttemptNode; readonly files: readonly GitConflictNode[] } {
  const { from } = attempt;
  const files = attempt.files
    .filter(({ path }) => !inConflict.has(path))
    .map((file): GitConflictNode => ({
      kind: 'gitConflict',
      id: `changes/${folderId}/conflicts/git/${file.path}`,
      folderId,
      path: file.path,
      from,
      isSettled: isSettled(file),
      children: [],
    }));
  const open = openFiles(attempt).length;
  const row = {
    kind: 'attempt',
    id: `changes/${folderId}/attempt`,
    step: stepWords(attempt),
    from,
    open,
    children: [],
  } as const;
  return { row, files };
}

export function describeAttempt({ step, from, open }: AttemptNode): TreeItemSpec {
  const whole = step === 'pull' ? `pull from ${from}` : `${step} with ${from}`;
  const capital = whole.charAt(0).toUpperCase() + whole.slice(1);
  return open === 0
    ? {
        label: `Continue the ${whole}`,
        tooltip: `Every conflict is settled. Click to go on with the ${whole}.`,
        icon: { id: 'debug-continue' },
        contextValue: 'attempt.ready',
        collapsible: 'none',
        command: { id: 'modelbench.git.continue', title: 'Continue' },
      }
    : {
        label: `${capital} stopped: ${open} ${open === 1 ? 'conflict' : 'conflicts'} to settle`,
        tooltip: `The platform changed nothing. Settle the files under Conflicts, then go on with the ${whole}.`,
        icon: { id: 'debug-pause', color: 'problemsWarningIcon.foreground' },
        contextValue: 'attempt.open',
        collapsible: 'none',
        command: { id: 'modelbench.conflict.merge', title: 'Resolve' },
      };
}

export function describeGitConflict(node: GitConflictNode): TreeItemSpec {
  const { path, from, folderId } = node;
  const what = node.isSettled ? `settled with ${from}` : `changed on ${from} too`;
  const folder = dirName(path);
  return {
    label: baseName(path),
    description: folder === '' ? what : `${what} · ${folder}`,
    tooltip: `${path}\n${what}`,
    ...(node.isSettled ? { icon: { id: 'pass', color: 'testing.iconPassed' } } : { file: { folderId, path } }),
    contextValue: node.isSettled ? 'settled' : 'change.conflicts.git',
    collapsible: 'none',
    command: { id: node.isSettled ? 'modelbench.openFile' : 'modelbench.conflict.merge', title: 'Open' },
    spoken: `${path}, ${what}`,
  };
}
