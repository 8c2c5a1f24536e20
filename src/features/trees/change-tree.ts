import { unreachable } from '#base/result.ts';
import { baseName, dirName } from '#base/path.ts';
import type { FileTarget, FolderTarget } from '#protocol/targets.ts';
import { type ConflictReason, type FrozenReason, type PlanEntry } from '#sync/plan.ts';
import type { SyncStatus } from '#sync/folder-sync.ts';
import type { GitAttempt } from '../git-attempt.ts';
import {
  type AttemptNode,
  attemptNodes,
  describeAttempt,
  describeGitConflict,
  type GitConflictNode,
} from './attempt-nodes.ts';
import { describeFailure, type FailureNode, failureNode, type TreeItemSpec, type TreeNode } from './tree-item.ts';

export type ChangeGroup = 'conflicts' | 'local' | 'remote' | 'frozen';

export interface LinkNode extends TreeNode, FolderTarget {
  readonly kind: 'link';
  readonly name: string;
  readonly branch: string | undefined;
  readonly children: readonly ChangesNode[];
}

export interface ChangeGroupNode extends TreeNode, FolderTarget {
  readonly kind: 'group';
  readonly group: ChangeGroup;
  readonly count: number;
  readonly children: readonly (ChangeNode | GitConflictNode | NoticeNode)[];
}

export interface ChangeNode extends TreeNode, FileTarget {
  readonly kind: 'change';
  readonly group: ChangeGroup;
  readonly entry: PlanEntry;
}

export interface NoticeNode extends TreeNode {
  readonly kind: 'notice';
  readonly message: string;
  readonly icon: string;
  /** The folder to push, where pushing is what helps: a click does it. */
  readonly folderId?: string | undefined;
}

/** More rows than this are counted, not drawn: VS Code asks for every row of an open group. */
const mostRows = 1000;

export type ChangesNode =
  | LinkNode
  | ChangeGroupNode
  | ChangeNode
  | GitConflictNode
  | AttemptNode
  | NoticeNode
  | FailureNode;

export interface ChangeTreeInput extends FolderTarget {
  readonly name: string;
  readonly branch: string | undefined;
  readonly problem: string | undefined;
  readonly status: SyncStatus | undefined;
  /** The dev branch that the folder is about to be compared with, while its sync is being opened. */
  readonly opening?: string | undefined;
  /** The commit, pull or merge of the branch that stopped at conflicts. */
  readonly attempt?: GitAttempt | undefined;
}

/** Changes of every linked folder; a folder level only when there are several. */
export function changeTree(inputs: readonly ChangeTreeInput[]): readonly ChangesNode[] {
  const only = inputs.length === 1 ? inputs[0] : undefined;
  if (only) return folderNodes(only);
  return inputs.map((input) => ({
    kind: 'link',
    id: `changes/${input.folderId}`,
    folderId: input.folderId,
    name: input.name,
    branch: input.branch,
    children: folderNodes(input),
  }));
}

function folderNodes(input: ChangeTreeInput): readonly ChangesNode[] {
  const owner = `changes/${input.folderId}`;
  const nodes: ChangesNode[] = [];
  if (input.problem !== undefined) nodes.push(failureNode(`${owner}/link`, input.problem, `link:${input.folderId}`));
  const { status } = input;
  if (!status) {
    if (input.opening !== undefined && nodes.length === 0) nodes.push(comparing(owner, input.opening));
    return nodes;
  }
  const pause = pauseNode(owner, input.folderId, status);
  if (pause) nodes.push(pause);
  // “No changes” is only known once both sides were looked at.
  else if (status.lastChecked === undefined && !status.error) nodes.push(comparing(owner, input.branch ?? ''));
  if (status.error) nodes.push(failureNode(owner, status.error.message, `changes:${input.folderId}`));
  return [...nodes, ...changeNodes(owner, input, status)];
}

function changeNodes(owner: string, input: ChangeTreeInput, status: SyncStatus): readonly ChangesNode[] {
  const nodes: ChangesNode[] = [];
  for (const guard of status.plan?.guards ?? []) {
    const id = `${owner}/guard/${guard.kind}`;
    nodes.push({ kind: 'notice', id, message: guard.message, icon: 'warning', children: [] });
  }
  const group = (name: ChangeGroup, entries: readonly PlanEntry[], more: readonly GitConflictNode[] = []): void => {
    if (entries.length + more.length > 0) nodes.push(groupNode(input.folderId, name, entries, more));
  };
  const inConflict = new Set(status.conflicts.map(({ path }) => path));
  const stopped = input.attempt && attemptNodes(input.folderId, input.attempt, inConflict);
  if (stopped) nodes.push(stopped.row);
  group('conflicts', status.conflicts, stopped?.files);
  group('local', status.localChanges);
  group('remote', status.remoteChanges);
  group('frozen', status.frozen);
  return nodes;
}

function groupNode(
  folderId: string,
  group: ChangeGroup,
  entries: readonly PlanEntry[],
  more: readonly GitConflictNode[],
): ChangeGroupNode {
  const id = `changes/${folderId}/${group}`;
  return {
    kind: 'group',
    id,
    folderId,
    group,
    count: entries.length + more.filter(({ isSettled }) => !isSettled).length,
    children: [
      ...entries.slice(0, mostRows).map((entry): ChangeNode => ({
        kind: 'change',
        id: `${id}/${entry.path}`,
        folderId,
        path: entry.path,
        group,
        entry,
        children: [],
      })),
      ...(entries.length > mostRows ? [restNode(id, entries.length - mostRows)] : []),
      ...more,
    ],
  };
}

function restNode(owner: string, count: number): NoticeNode {
  const message = `and ${count} more: “Show Plan as Text” lists all`;
  return { kind: 'notice', id: `${owner}/rest`, message, icon: 'ellipsis', children: [] };
}

function comparing(owner: string, branch: string): NoticeNode {
  const message = `Comparing with ${branch}…`;
  return { kind: 'notice', id: `${owner}/phase`, message, icon: 'loading~spin', children: [] };
}

function pauseNode(owner: string, folderId: string, status: SyncStatus): NoticeNode | undefined {
  const message = pauseWords(status);
  if (message === undefined) return undefined;
  const node: NoticeNode = { kind: 'notice', id: `${owner}/phase`, message, icon: 'info', children: [] };
  return status.phase === 'paused' && status.paused.includes('gitProvider') ? { ...node, folderId } : node;
}

/** Why nothing moves by itself, when nothing does. */
function pauseWords({ phase, paused, waiting }: SyncStatus): string | undefined {
  switch (phase) {
    case 'offline':
      return `Offline: ${waiting === 0 ? 'what you save' : `${waiting} saved ${waiting === 1 ? 'file' : 'files'}`} will go to the platform when it can be reached again.`;
    case 'readOnly':
      return 'Another window sends this folder’s files; this one only looks.';
    case 'paused':
      if (paused.includes('gitProvider')) {
        return 'Connected to Git: saved files wait for a push.';
      }
      if (paused.includes('signedOut'))
        return 'Paused: the platform refuses the key. Saved files go once you signed in.';
      return paused.includes('gitCheckout')
        ? 'Paused while Git changes files here; push when it is done.'
        : 'Paused: saved files are not sent now.';
    default:
      return undefined;
  }
}

export function describeChangesNode(node: ChangesNode): TreeItemSpec {
  switch (node.kind) {
    case 'failure':
      return describeFailure(node);
    case 'notice':
      return {
        label: node.message,
        tooltip: node.message,
        icon: { id: node.icon, color: node.icon === 'warning' ? 'problemsWarningIcon.foreground' : undefined },
        contextValue: 'notice',
        collapsible: 'none',
        ...(node.folderId === undefined ? {} : { command: { id: 'modelbench.push', title: 'Push…' } }),
      };
    case 'link':
      return { label: node.name, description: node.branch, contextValue: 'link', collapsible: 'expanded' };
    case 'group':
      return {
        label: groupLabels[node.group],
        description: String(node.count),
        icon: groupIcons[node.group],
        contextValue: `changes.${node.group}`,
        collapsible: node.group === 'frozen' ? 'collapsed' : 'expanded',
        spoken: `${groupLabels[node.group]}, ${node.count} ${node.count === 1 ? 'file' : 'files'}`,
      };
    case 'change':
      return describeChange(node);
    case 'gitConflict':
      return describeGitConflict(node);
    case 'attempt':
      return describeAttempt(node);
    default:
      return unreachable(node);
  }
}

const groupLabels: Readonly<Record<ChangeGroup, string>> = {
  conflicts: 'Conflicts',
  local: 'Local Changes',
  remote: 'Remote Changes',
  frozen: 'Left Alone',
};

const groupIcons: Readonly<Record<ChangeGroup, TreeItemSpec['icon']>> = {
  conflicts: { id: 'warning', color: 'gitDecoration.conflictingResourceForeground' },
  local: { id: 'arrow-up' },
  remote: { id: 'arrow-down' },
  frozen: { id: 'circle-slash' },
};

function describeChange(node: ChangeNode): TreeItemSpec {
  const what = changeWords(node.entry);
  const folder = dirName(node.path);
  return {
    label: baseName(node.path),
    // What is to be known first: a narrow side bar cuts the end.
    description: folder === '' ? what : `${what} · ${folder}`,
    tooltip: `${node.path}\n${what}`,
    file: { folderId: node.folderId, path: node.path },
    contextValue: `change.${node.group}.${node.entry.kind}`,
    collapsible: 'none',
    command: { id: node.group === 'conflicts' ? 'modelbench.conflict.merge' : 'modelbench.openChange', title: 'Open' },
    spoken: `${node.path}, ${what}`,
  };
}

/** What an entry does, in one or two words; the same in the plan, the tree and the dry run. */
export function changeWords(entry: PlanEntry): string {
  switch (entry.kind) {
    case 'upload':
    case 'download':
      return { added: 'added', changed: 'modified', restored: 'modified (deleted on the other side)' }[entry.reason];
    case 'deleteRemote':
    case 'deleteLocal':
      return 'deleted';
    case 'renameRemote':
    case 'renameLocal':
      return `renamed from ${entry.from}`;
    case 'conflict':
      return entry.eolOnly ? 'conflict: line endings only' : conflictWords[entry.reason];
    case 'frozen':
      return frozenWords[entry.reason];
    case 'ignored':
      return 'ignored';
    case 'adopt':
      return 'same on both sides';
    case 'forget':
      return 'gone on both sides';
    default:
      return unreachable(entry);
  }
}

const conflictWords: Readonly<Record<ConflictReason, string>> = {
  bothChanged: 'changed on both sides',
  bothAdded: 'added on both sides',
  dirtyEditor: 'being edited here, newer on the platform',
  fileAndFolder: 'a file on one side, a folder on the other',
  tornWrite: 'empty after a crash',
  caseRename: 'renamed by letter case and changed',
};

const frozenWords: Readonly<Record<FrozenReason, string>> = {
  symlink: 'symbolic link',
  special: 'not an ordinary file',
  unreadable: 'cannot be read',
  unstable: 'keeps changing while it is read',
  tooBig: 'too big',
  invalidName: 'name not usable here',
  reservedName: 'reserved name',
  forbiddenName: 'name not allowed',
  caseCollision: 'differs from another name by letter case only',
  normalization: 'differs from another name by Unicode form only',
  notText: 'not text: the platform cannot send it whole',
  listingIncomplete: 'the platform’s list is incomplete',
};
