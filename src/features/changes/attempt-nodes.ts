import { baseName, dirName } from '#base/path.ts';
import { capitalized, plural } from '#base/words.ts';
import type { FileTarget } from '#shell/targets.ts';
import { type GitAttempt, isSettled, openFiles, stepWords } from '#features/history/index.ts';
import type { TreeItemSpec, TreeNode } from '#shell/tree-item.ts';

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
  /** Files that still wait for the user. */
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

/** The row of a step that stopped: how many conflicts are left, or how it goes on. */
export function describeAttempt({ step, from, open }: AttemptNode): TreeItemSpec {
  if (open === 0) {
    return {
      label: `Continue the ${step}`,
      description: `with ${from}`,
      tooltip: `Every conflict with ${from} is resolved. Click to continue the ${step}.`,
      icon: { id: 'debug-continue' },
      contextValue: 'attempt.ready',
      collapsible: 'none',
      command: { id: 'modelbench.git.continue', title: 'Continue' },
      spoken: `Continue the ${step} with ${from}: every conflict is resolved`,
    };
  }
  const conflicts = `${plural(open, 'conflict')} with ${from}`;
  return {
    label: `${capitalized(step)} stopped`,
    description: conflicts,
    tooltip: `The platform changed nothing: ${conflicts}. Resolve the files under Conflicts, then continue the ${step}.`,
    icon: { id: 'debug-pause', color: 'problemsWarningIcon.foreground' },
    contextValue: 'attempt.open',
    collapsible: 'none',
    command: { id: 'modelbench.conflict.merge', title: 'Resolve' },
    spoken: `The ${step} stopped: ${conflicts} to resolve`,
  };
}

/** The row of a file in conflict; a click opens the merge. */
export function describeGitConflict(node: GitConflictNode): TreeItemSpec {
  const { path, from, folderId } = node;
  const what = node.isSettled ? `resolved with ${from}` : `changed on ${from} too`;
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
