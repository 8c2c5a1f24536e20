import { unreachable } from '#base/result.ts';
import { plural } from '#base/words.ts';
import type { FileDifference } from '#features/folders/index.ts';
import type { TreeItemSpec, TreeNode } from '#shell/tree-item.ts';
import type { FileTarget, FolderTarget } from '#shell/targets.ts';
import type { BranchDelta } from './branch-delta.ts';
import { fileRowTexts } from './file-row.ts';

/** The differences between the dev branch of a folder and its parent. */
export interface CommitPlan extends BranchDelta {
  readonly parent: string;
  /** Whether the parent is the deploy branch, so that a commit reaches production. */
  readonly isProduction: boolean;
  /** Whether the parent's changes may be among those to commit. */
  readonly isMixed: boolean;
  /** The formatted time of the comparison; set if it could not be refreshed. */
  readonly asOf?: string | undefined;
}

/** A file in which the dev branch and its parent differ. */
export interface BranchChangeNode extends TreeNode, FileTarget {
  readonly kind: 'branchChange';
  /** The direction of the change: with a commit, or with a pull. */
  readonly side: 'commit' | 'incoming';
  readonly change: FileDifference['change'];
  /** The former path of a file that is only renamed. */
  readonly from?: string | undefined;
  readonly parent: string;
  /** Whether both branches have changed the file. */
  readonly isBoth: boolean;
}

/** The row that serves as the button of its group: it names the changes and their destination. */
export interface ActionNode extends TreeNode, FolderTarget {
  readonly kind: 'action';
  readonly action: 'push' | 'commit' | 'pullFiles' | 'pull';
  readonly count: number;
  /** The destination of a commit, or the source of a pull. */
  readonly branch: string;
  readonly isProduction?: boolean | undefined;
  /** Whether a click opens a page to review first; a single file is transferred at once. */
  readonly isReviewed?: boolean | undefined;
}

/** Returns a row for each file of one side; a renamed one has one row. */
export function branchChangeNodes(
  folderId: string,
  side: BranchChangeNode['side'],
  { parent, toCommit, incoming }: CommitPlan,
): readonly BranchChangeNode[] {
  const [own, others] = side === 'commit' ? [toCommit, incoming] : [incoming, toCommit];
  const both = new Set(others.map(({ path }) => path));
  const renamed = new Set(own.map(({ from }) => from));
  const shown = own.filter(({ path }) => !renamed.has(path));
  return shown.map(({ path, change, from }) => ({
    kind: 'branchChange',
    id: `changes/${folderId}/${side}/${path}`,
    folderId,
    path,
    side,
    change,
    ...(from === undefined ? {} : { from }),
    parent,
    isBoth: both.has(path) || (from !== undefined && both.has(from)),
    children: [],
  }));
}

/** Returns `Commit to main (production)`: the label that every button and input uses for a commit. */
export function commitLabel({ parent, isProduction }: Pick<CommitPlan, 'parent' | 'isProduction'>): string {
  return `Commit to ${parent}${isProduction ? ' (production)' : ''}`;
}

/** Returns the placeholder of the input for a commit's message; `key` is the shortcut that commits. */
export function commitPlaceholder(plan: CommitPlan | undefined, key: string): string {
  if (plan === undefined) return `Message (${key} to commit)`;
  // The destination is first: a narrow input cuts the end.
  return plan.toCommit.length === 0 ? `Nothing to commit to ${plan.parent}` : `${commitLabel(plan)}: message (${key})`;
}

const labels = { added: 'added', changed: 'modified', removed: 'deleted' } as const;

const changeIcons: Readonly<Record<FileDifference['change'], TreeItemSpec['icon']>> = {
  added: { id: 'diff-added', color: 'gitDecoration.addedResourceForeground' },
  changed: { id: 'diff-modified', color: 'gitDecoration.modifiedResourceForeground' },
  removed: { id: 'diff-removed', color: 'gitDecoration.deletedResourceForeground' },
};

const renamedIcon = { id: 'diff-renamed', color: 'gitDecoration.renamedResourceForeground' };

/** Describes the change of a file. */
export function branchChangeText({ side, change, from, parent, isBoth }: BranchChangeNode): string {
  const what = from === undefined ? labels[change] : `renamed from ${from}`;
  if (side === 'incoming') return `${what} on ${parent}`;
  return isBoth ? `${what}, changed on ${parent} too` : what;
}

/** Returns the row of a file; a click compares both branches. */
export function describeBranchChange(node: BranchChangeNode): TreeItemSpec {
  const { path, side, change, from } = node;
  return {
    ...fileRowTexts(path, branchChangeText(node)),
    // The file's own icon would be misleading: its marks show how the folder differs from the dev branch.
    icon: from === undefined ? changeIcons[change] : renamedIcon,
    contextValue: `change.${side}.${change}`,
    collapsible: 'none',
    command: { id: 'modelbench.openChange', title: 'Open' },
  };
}

/** Returns the row of a group's button. */
export function describeAction(node: ActionNode): TreeItemSpec {
  const { label, rest, full = label, tooltip, icon, command } = actionText(node);
  return {
    label,
    description: rest,
    tooltip: full === label ? tooltip : `${full}\n${tooltip}`,
    icon: { id: icon, color: 'textLink.foreground' },
    contextValue: `action.${node.action}`,
    collapsible: 'none',
    command: { id: command, title: full },
    spoken: `${full}. ${tooltip}`,
  };
}

interface ActionText {
  readonly label: string;
  /** What the label does not name: the number of files, or the branch. A narrow side bar cuts it. */
  readonly rest?: string | undefined;
  /** The full label, if it is too long for a narrow side bar. */
  readonly full?: string | undefined;
  readonly tooltip: string;
  readonly icon: string;
  readonly command: string;
}

function actionText({ action, branch, count, isProduction = false, isReviewed = true }: ActionNode): ActionText {
  const files = plural(count, 'File');
  switch (action) {
    case 'push': {
      const tooltip = isReviewed
        ? `Opens a page to review ${plural(count, 'file')}; nothing is pushed to ${branch} before you confirm there.`
        : `Pushes the file to ${branch} at once.`;
      return {
        label: `Push ${files}`,
        rest: `to ${branch}`,
        tooltip,
        icon: 'cloud-upload',
        command: 'modelbench.push',
      };
    }
    case 'pullFiles': {
      const tooltip = isReviewed
        ? `Opens a page to review ${plural(count, 'file')} that changed on ${branch}; nothing is pulled before you confirm there.`
        : `Pulls the file that changed on ${branch} at once.`;
      return {
        label: `Pull ${files}`,
        rest: `from ${branch}`,
        tooltip,
        icon: 'cloud-download',
        command: 'modelbench.pullFiles',
      };
    }
    case 'commit': {
      const goal = isProduction ? `${branch}, from which production is built` : branch;
      const tooltip = `Commit ${plural(count, 'file')} to ${goal}.`;
      return {
        label: commitLabel({ parent: branch, isProduction: false }),
        // A side bar of 200 px shows the whole label; the heading above also shows “production”.
        full: commitLabel({ parent: branch, isProduction }),
        rest: plural(count, 'file'),
        tooltip,
        icon: 'git-commit',
        command: 'modelbench.commit',
      };
    }
    case 'pull': {
      const what =
        count === 0 ? 'what changed there: until then, its changes are listed as yours' : plural(count, 'file');
      const tooltip = `${branch} has moved. Pull ${what}.`;
      const rest = count === 0 ? undefined : plural(count, 'file');
      return { label: `Pull from ${branch}`, rest, tooltip, icon: 'repo-pull', command: 'modelbench.pull' };
    }
    default:
      return unreachable(action);
  }
}
