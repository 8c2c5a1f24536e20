import { unreachable } from '#base/result.ts';
import { baseName, dirName } from '#base/path.ts';
import { plural } from '#base/words.ts';
import type { DeploymentTarget, FileTarget, FolderTarget } from '#shell/targets.ts';
import type { PlanEntry } from '#sync/core/plan.ts';
import type { SyncStatus } from '#sync/core/folder-sync.ts';
import { type SyncState, syncStates } from '#sync/core/sync-state.ts';
import { type Failure, failureOf } from '#shell/error-words.ts';
import type { GitAttempt } from '#features/history/index.ts';
import {
  type AttemptNode,
  attemptNodes,
  describeAttempt,
  describeGitConflict,
  type GitConflictNode,
} from './attempt-nodes.ts';
import { syncWords, waitingLines } from '#features/folders/sync-words.ts';
import { changeWords } from '#features/folders/change-words.ts';
import { describeFailure, type FailureNode, failureNode, type TreeItemSpec, type TreeNode } from '#shell/tree-item.ts';

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
  readonly tooltip?: string | undefined;
  /** The folder it is about, and what a click does with it. */
  readonly folderId?: string | undefined;
  readonly command?: TreeItemSpec['command'];
}

/** The views show another deployment than the one that a folder is linked to: a click selects that. */
export interface ElsewhereNode extends TreeNode, DeploymentTarget {
  readonly kind: 'elsewhere';
  readonly linked: string;
  readonly shown: string;
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
  | ElsewhereNode
  | FailureNode;

export interface ChangeTreeInput extends FolderTarget {
  readonly name: string;
  readonly branch: string | undefined;
  readonly problem: Failure | undefined;
  readonly status: SyncStatus | undefined;
  /** The dev branch that the folder is about to be compared with, while its sync is being opened. */
  readonly opening?: string | undefined;
  /** Its deployment, where the views show one that no folder here is linked to, and the names of both. */
  readonly elsewhere?: (DeploymentTarget & Pick<ElsewhereNode, 'linked' | 'shown'>) | undefined;
  /** Whether nobody has chosen yet how saved files are pushed. */
  readonly isPushOpen?: boolean | undefined;
  /** Resolved files that the branch does not have again since a pull was interrupted. */
  readonly unreturned?: readonly string[] | undefined;
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
  if (input.elsewhere) nodes.push({ kind: 'elsewhere', id: `${owner}/elsewhere`, ...input.elsewhere, children: [] });
  if (input.problem !== undefined) nodes.push(failureNode(`${owner}/link`, input.problem, `link:${input.folderId}`));
  const { status } = input;
  if (!status) {
    if (input.opening !== undefined && input.problem === undefined) nodes.push(comparing(owner, input.opening));
    return nodes;
  }
  for (const state of syncStates(status)) {
    const node = stateNode(owner, input, state);
    if (node) nodes.push(node);
  }
  if (input.isPushOpen && isWritable(status) && status.localChanges.length > 0) nodes.push(choiceNode(owner, input));
  if (input.unreturned && input.unreturned.length > 0) nodes.push(unreturnedNode(owner, input, input.unreturned));
  return [...nodes, ...changeNodes(owner, input, status)];
}

/** A click asks: the question after a save may have been closed or hidden. */
function choiceNode(owner: string, { folderId }: ChangeTreeInput): NoticeNode {
  const message = 'Choose whether saved files are pushed automatically.';
  const command = { id: 'modelbench.sync.choosePush', title: 'Set How Saved Files Are Pushed…' } as const;
  return { kind: 'notice', id: `${owner}/choosePush`, message, icon: 'question', folderId, command, children: [] };
}

function isWritable(status: SyncStatus): boolean {
  return status.readOnly === undefined && !status.paused.includes('gitProvider');
}

/** Stays until the files are back, whatever messages came and went. */
function unreturnedNode(
  owner: string,
  { folderId, branch = '' }: ChangeTreeInput,
  paths: readonly string[],
): NoticeNode {
  const are = paths.length === 1 ? 'is' : 'are';
  const message = `${plural(paths.length, 'resolved file')} ${are} not on “${branch}” yet: a pull was interrupted.`;
  const tooltip = [message, ...paths].join('\n');
  const command = { id: 'modelbench.sync.putBack', title: 'Put Back' } as const;
  return {
    kind: 'notice',
    id: `${owner}/unreturned`,
    message,
    icon: 'warning',
    tooltip,
    folderId,
    command,
    children: [],
  };
}

/** The row of a state; none where the rows below show it: guards, changes, files that are left alone. */
function stateNode(owner: string, input: ChangeTreeInput, state: SyncState): NoticeNode | FailureNode | undefined {
  switch (state.kind) {
    case 'halted':
    case 'changes':
    case 'frozen':
    case 'inSync':
      return undefined;
    case 'failed':
      return failedNode(owner, input, state.error);
    case 'busy':
    case 'unknown':
      return firstComparison(owner, input);
    case 'readOnly':
    case 'paused':
    case 'waiting':
      return reasonNode(owner, input, state);
    default:
      return unreachable(state);
  }
}

/** “No changes” is only known once both sides were compared. */
function firstComparison(owner: string, { status, branch = '' }: ChangeTreeInput): NoticeNode | undefined {
  return status?.lastChecked === undefined && !status?.error ? comparing(owner, branch) : undefined;
}

function failedNode(owner: string, { folderId }: ChangeTreeInput, error: Error): FailureNode | undefined {
  const failure = failureOf(error);
  return failure && failureNode(owner, failure, `changes:${folderId}`);
}

/** Why nothing moves automatically, and the files that wait for it. */
function reasonNode(owner: string, { folderId, status }: ChangeTreeInput, state: SyncState): NoticeNode {
  const { sentence, icon, command } = syncWords(state);
  const files = state.kind === 'waiting' ? waitingLines(status?.outbox ?? []) : [];
  const tooltip = [sentence, ...files].join('\n');
  const id = `${owner}/${state.kind}`;
  return { kind: 'notice', id, message: sentence, icon, tooltip, folderId, command, children: [] };
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

/** How a node looks; its context value says what its menu offers. */
export function describeChangesNode(node: ChangesNode): TreeItemSpec {
  switch (node.kind) {
    case 'failure':
      return describeFailure(node);
    case 'notice':
      return {
        label: node.message,
        tooltip: node.tooltip ?? node.message,
        icon: { id: node.icon, color: node.icon === 'warning' ? 'problemsWarningIcon.foreground' : undefined },
        contextValue: node.command ? `notice.${node.command.id}` : 'notice',
        collapsible: 'none',
        command: node.command,
      };
    case 'elsewhere':
      return describeElsewhere(node);
    case 'link':
      return { label: node.name, description: node.branch, contextValue: 'link', collapsible: 'expanded' };
    case 'group':
      return {
        label: groupLabels[node.group],
        description: String(node.count),
        icon: groupIcons[node.group],
        contextValue: `changes.${node.group}`,
        collapsible: node.group === 'frozen' ? 'collapsed' : 'expanded',
        spoken: `${groupLabels[node.group]}, ${plural(node.count, 'file')}`,
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

function describeElsewhere({ linked, shown }: ElsewhereNode): TreeItemSpec {
  return {
    label: `Linked to ${linked}`,
    description: `shown: ${shown}`,
    tooltip: `This folder is linked to “${linked}”.\nBranches, Workspace and the status bar show “${shown}”, and dev mode and commits apply to it.\nClick to select “${linked}”.`,
    icon: { id: 'info' },
    contextValue: 'notice',
    collapsible: 'none',
    command: { id: 'modelbench.selectDeployment', title: 'Select Deployment' },
    spoken: `This folder is linked to ${linked}, and the views show ${shown}. Press Enter to select ${linked}.`,
  };
}

const groupLabels: Readonly<Record<ChangeGroup, string>> = {
  conflicts: 'Conflicts',
  local: 'Local Changes',
  remote: 'Remote Changes',
  frozen: 'Not Synced',
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
