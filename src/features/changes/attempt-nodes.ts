import { capitalized, plural } from '#base/words.ts';
import type { FileTarget, FolderTarget } from '#shell/targets.ts';
import { type GitAttempt, isResolved, openFiles, stepText } from '#features/history/index.ts';
import type { TreeItemSpec, TreeNode } from '#shell/tree-item.ts';
import { fileRowTexts } from './file-row.ts';

/** A file that the platform named in a 409: it changed on the dev branch and on the other branch. */
export interface GitConflictNode extends TreeNode, FileTarget {
  readonly kind: 'gitConflict';
  /** The other branch. */
  readonly from: string;
  readonly isResolved: boolean;
}

/** The step that stopped; a click runs the next action. */
export interface AttemptNode extends TreeNode, FolderTarget {
  readonly kind: 'attempt';
  readonly step: string;
  readonly from: string;
  /** Files that still wait for the user. */
  readonly open: number;
  /** Whether the other branch must be pulled first. */
  readonly isBehind: boolean;
}

/** Returns the rows of a stopped step; a file that also differs from the platform is listed only as that conflict. */
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
      isResolved: isResolved(file),
      children: [],
    }));
  const open = openFiles(attempt).length;
  const row = {
    kind: 'attempt',
    id: `changes/${folderId}/attempt`,
    folderId,
    step: stepText(attempt),
    from,
    open,
    isBehind: attempt.isBehind ?? false,
    children: [],
  } as const;
  return { row, files };
}

/** Returns the row of a stopped step: the number of open conflicts, or how to continue. */
export function describeAttempt({ step, from, open, isBehind }: AttemptNode): TreeItemSpec {
  if (open === 0) {
    const [why, how] = isBehind
      ? [`${from} has moved on`, `pull ${from} and continue`]
      : ['every conflict is resolved', 'continue'];
    return {
      label: `Continue the ${step}`,
      description: isBehind ? `pulls ${from} first` : `with ${from}`,
      tooltip: `${capitalized(why)}. Click to ${how} the ${step}.`,
      icon: { id: 'debug-continue' },
      contextValue: 'attempt.ready',
      collapsible: 'none',
      command: { id: 'modelbench.git.continue', title: 'Continue' },
      spoken: `Continue the ${step} with ${from}: ${why}`,
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

/** Returns the row of a file in conflict; a click opens the merge. */
export function describeGitConflict(node: GitConflictNode): TreeItemSpec {
  const { path, from, folderId } = node;
  const what = node.isResolved ? `resolved with ${from}` : `changed on ${from} too`;
  return {
    ...fileRowTexts(path, what),
    ...(node.isResolved ? { icon: { id: 'pass', color: 'testing.iconPassed' } } : { file: { folderId, path } }),
    contextValue: node.isResolved ? 'resolved' : 'change.conflicts.git',
    collapsible: 'none',
    command: { id: node.isResolved ? 'modelbench.openFile' : 'modelbench.conflict.merge', title: 'Open' },
  };
}
