import type { PlanEntry } from '#sync/core/planning/plan.ts';
import type { SyncStatus } from '#sync/core/folder-sync.ts';
import type { ChangeGroup, ChangeGroupNode, ChangeNode, ChangeTreeInput, NoticeNode } from './change-nodes.ts';
import { type ActionNode, branchChangeNodes } from './commit-nodes.ts';

/** The most rows of a group; further ones are only counted, because VS Code requests every row of an open group. */
const mostRows = 1000;

/** Returns local files that differ from the dev branch, below the button that pushes them. */
export function pushGroup(input: ChangeTreeInput, status: SyncStatus): ChangeGroupNode | undefined {
  const { folderId, branch = '' } = input;
  const count = status.localChanges.length;
  const id = `changes/${folderId}/local/push`;
  const push: ActionNode = {
    kind: 'action',
    id,
    folderId,
    action: 'push',
    count,
    branch,
    isReviewed: isReviewed(status.localChanges),
    children: [],
  };
  const mayPush = isWritable(status) && status.busy !== 'pushing' && input.reviewed !== 'push';
  const files = fileNodes(input, 'local', status.localChanges);
  return groupNode(input, 'local', files.length > 0 && mayPush ? [push, ...files] : files);
}

/** Whether a push or pull of these changes opens a page: not for a single new or changed file (`planTransfer`). */
function isReviewed([first, ...others]: readonly PlanEntry[]): boolean {
  return others.length > 0 || (first?.kind !== 'upload' && first?.kind !== 'download');
}

/** Returns files in which the dev branch differs from its parent, below the button that names their destination. */
export function commitGroup(input: ChangeTreeInput): ChangeGroupNode | undefined {
  const { attempt, commit, folderId } = input;
  if (!commit || commit.toCommit.length === 0) return undefined;
  const { parent: branch, isProduction } = commit;
  const id = `changes/${folderId}/commit/commit`;
  const all = branchChangeNodes(folderId, 'commit', commit);
  const count = all.length;
  const action: ActionNode = {
    kind: 'action',
    id,
    folderId,
    action: 'commit',
    count,
    branch,
    isProduction,
    children: [],
  };
  const files = all.slice(0, mostRows);
  // A stopped step must be continued, not started again, and one that is being sent is not offered meanwhile.
  const rows = attempt || isSending(input.status) ? files : [action, ...files];
  const group = groupNode(input, 'commit', [...rows, ...restNodes(folderId, 'commit', count)], commit.asOf);
  return group && { ...group, isProduction };
}

/** Whether a commit, pull or merge of the branch is being sent. */
function isSending(status: SyncStatus | undefined): boolean {
  return status?.paused.includes('ownPull') === true;
}

/** Returns the changes of others: first those on the dev branch itself, then those on its parent. */
export function incomingGroup(input: ChangeTreeInput, status: SyncStatus): ChangeGroupNode | undefined {
  const { attempt, branch = '', commit, folderId } = input;
  const id = `changes/${folderId}/remote`;
  const ofBranch = fileNodes(input, 'remote', status.remoteChanges);
  const count = status.remoteChanges.length;
  const files: ActionNode = {
    kind: 'action',
    id: `${id}/pullFiles`,
    folderId,
    action: 'pullFiles',
    count,
    branch,
    isReviewed: isReviewed(status.remoteChanges),
    children: [],
  };
  const ofParent = commit ? branchChangeNodes(folderId, 'incoming', commit).slice(0, mostRows) : [];
  const hasMoved = commit !== undefined && (ofParent.length > 0 || commit.isMixed);
  const pull = (parent: string): ActionNode => ({
    kind: 'action',
    id: `${id}/pull`,
    folderId,
    action: 'pull',
    count: ofParent.length,
    branch: parent,
    children: [],
  });
  const rows = [
    ...(count > 0 && input.reviewed !== 'pull' ? [files] : []),
    ...ofBranch,
    ...(hasMoved && !attempt && !isSending(status) ? [pull(commit.parent)] : []),
    ...ofParent,
  ];
  return groupNode(input, 'remote', rows);
}

/** Returns the group with these rows; `undefined` if there are none. */
export function groupNode(
  { folderId }: ChangeTreeInput,
  group: ChangeGroup,
  children: ChangeGroupNode['children'],
  asOf?: string,
): ChangeGroupNode | undefined {
  if (children.length === 0) return undefined;
  const count = children.reduce((sum, child) => sum + filesIn(child), 0);
  return { kind: 'group', id: `changes/${folderId}/${group}`, folderId, group, count, asOf, children };
}

/** Returns how many waiting files a row of a group stands for. */
export function filesIn(node: ChangeGroupNode['children'][number]): number {
  if (node.kind === 'change' || node.kind === 'branchChange') return 1;
  if (node.kind === 'gitConflict') return node.isResolved ? 0 : 1;
  return node.kind === 'notice' ? (node.count ?? 0) : 0;
}

/** Returns a row for each file of a plan; further files are only counted. */
export function fileNodes(
  { folderId }: ChangeTreeInput,
  group: ChangeGroup,
  entries: readonly PlanEntry[],
): readonly (ChangeNode | NoticeNode)[] {
  const files = entries.slice(0, mostRows).map((entry): ChangeNode => ({
    kind: 'change',
    id: `changes/${folderId}/${group}/${entry.path}`,
    folderId,
    path: entry.path,
    group,
    entry,
    children: [],
  }));
  return [...files, ...restNodes(folderId, group, entries.length)];
}

/** Returns the row that counts the files without a row. */
function restNodes(folderId: string, group: ChangeGroup, count: number): readonly NoticeNode[] {
  const rest = count - mostRows;
  if (rest <= 0) return [];
  const message = group === 'commit' ? `and ${rest} more` : `and ${rest} more: “Show Plan as Text” lists all`;
  const command =
    group === 'commit'
      ? ({ id: 'modelbench.commit', title: 'Review Commit' } as const)
      : ({ id: 'modelbench.plan.dryRun', title: 'Show Plan as Text' } as const);
  return [{ ...notice(`changes/${folderId}/${group}/rest`, message, 'ellipsis'), count: rest, folderId, command }];
}

/** Returns a row that only shows a message. */
export function notice(id: string, message: string, icon: string): NoticeNode {
  return { kind: 'notice', id, message, icon, children: [] };
}

/** Whether a folder can be pushed at all. */
export function isWritable(status: SyncStatus): boolean {
  return status.readOnly === undefined;
}
