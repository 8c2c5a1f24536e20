import { unreachable } from '#base/result.ts';
import { plural } from '#base/words.ts';
import type { PlanEntry, PlanGuard } from '#sync/core/planning/plan.ts';
import type { SyncStatus } from '#sync/core/folder-sync.ts';
import type { Busy } from '#sync/core/status/sync-facts.ts';
import { type SyncState, syncStates } from '#sync/core/status/sync-state.ts';
import { failureOf } from '#shell/error-texts.ts';
import { attemptNodes } from './attempt-nodes.ts';
import { syncText, waitingLines } from '#features/folders/index.ts';
import { type FailureNode, failureNode } from '#shell/tree-item.ts';
import { commitGroup, fileNodes, groupNode, incomingGroup, isWritable, notice, pushGroup } from './change-groups.ts';
import type { ChangesNode, ChangeTreeInput, NoticeNode, PushModeNode } from './change-nodes.ts';

/** Returns the changes of every linked folder; several folders have a level of their own. */
export function changeTree(inputs: readonly ChangeTreeInput[]): readonly ChangesNode[] {
  const only = inputs.length === 1 ? inputs[0] : undefined;
  if (only) return folderNodes(only);
  return inputs.map((input) => ({
    kind: 'link',
    id: `changes/${input.folderId}`,
    folderId: input.folderId,
    name: input.name,
    deployment: input.deployment,
    branch: input.branch,
    children: filled(input, folderNodes({ ...input, isOneOfSeveral: true })),
  }));
}

/** Adds a row if a folder among several shows no changes: its obstacle, or that it is being read. */
function filled(input: ChangeTreeInput, nodes: readonly ChangesNode[]): readonly ChangesNode[] {
  const { folderId, obstacle } = input;
  const owner = `changes/${folderId}`;
  if (obstacle) {
    const deployment = obstacle.kind === 'noDevMode' ? obstacle : undefined;
    const target = deployment && { accountId: deployment.accountId, deploymentId: deployment.deploymentId };
    return [...nodes, { kind: 'obstacle', id: `${owner}/obstacle`, folderId, ...target, obstacle, children: [] }];
  }
  return nodes.length > 0 ? nodes : [notice(`${owner}/phase`, 'Reading the folder…', 'loading~spin')];
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
  const states = syncStates(status);
  for (const state of states) {
    const isAlone = states.length === 1;
    const node = state.kind === 'busy' ? underWay(owner, input, state.what, isAlone) : stateNode(owner, input, state);
    if (node) nodes.push(node);
  }
  if (input.unreturned && input.unreturned.length > 0) nodes.push(unreturnedNode(owner, input, input.unreturned));
  return [...nodes, ...changeNodes(owner, input, status)];
}

/** Returns the row of the push mode. It is always shown, so that the user need not guess whether a save reaches the platform. */
function pushModeNode(owner: string, input: ChangeTreeInput): readonly PushModeNode[] {
  const { folderId, branch = '', pushMode, isOneOfSeveral = false } = input;
  if (pushMode === undefined) return [];
  const push = pushMode === 'automatic' ? 'manual' : 'automatic';
  return [
    { kind: 'pushMode', id: `${owner}/pushMode`, folderId, mode: pushMode, branch, push, isOneOfSeveral, children: [] },
  ];
}

/** Returns a row that stays until the files are back, even after its notification is closed. */
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

/** Returns the row of a state; `undefined` if the rows below show it: guards, changes, files that are not synced. */
function stateNode(
  owner: string,
  input: ChangeTreeInput,
  state: Exclude<SyncState, { kind: 'busy' }>,
): NoticeNode | FailureNode | undefined {
  switch (state.kind) {
    case 'halted':
    case 'changes':
    case 'frozen':
    case 'inSync':
      return undefined;
    case 'failed':
      return failedNode(owner, input, state.error);
    case 'unknown':
      return firstComparison(owner, input);
    case 'paused':
      // The row of the push mode shows this reason.
      return state.by === 'gitProvider' ? undefined : reasonNode(owner, input, state);
    case 'readOnly':
    case 'waiting':
      return reasonNode(owner, input, state);
    default:
      return unreachable(state);
  }
}

/** Returns the row of the first comparison: “No changes” is known only after it. */
function firstComparison(owner: string, { status, branch = '' }: ChangeTreeInput): NoticeNode | undefined {
  return status?.lastChecked === undefined && !status?.error ? comparing(owner, branch) : undefined;
}

/** Returns the row of a running push or pull. A save that waits for something has a row with the reason. */
function underWay(owner: string, input: ChangeTreeInput, what: Busy, isAlone: boolean): NoticeNode | undefined {
  const { branch = '', status } = input;
  if (what === 'checking') return firstComparison(owner, input);
  if (status?.busy !== what && !isAlone) return undefined;
  const message = what === 'pushing' ? `Pushing to ${branch}…` : `Pulling from ${branch}…`;
  return notice(`${owner}/phase`, message, 'sync~spin');
}

function failedNode(owner: string, { folderId }: ChangeTreeInput, error: Error): FailureNode | undefined {
  const failure = failureOf(error);
  return failure && failureNode(owner, failure, `changes:${folderId}`);
}

/** Returns the row with the reason why nothing is transferred automatically, and the files that wait. */
function reasonNode(owner: string, { folderId, status }: ChangeTreeInput, state: SyncState): NoticeNode {
  const { sentence, icon, command = compareAgain } = syncText(state);
  const files = state.kind === 'waiting' ? waitingLines(status?.outbox ?? []) : [];
  const tooltip = [sentence, ...files].join('\n');
  const id = `${owner}/${state.kind}`;
  return { kind: 'notice', id, message: sentence, icon, tooltip, folderId, command, children: [] };
}

/** Returns guards, the stopped step, and the groups; “No changes” if all of them are empty and nothing is running. */
function changeNodes(owner: string, input: ChangeTreeInput, status: SyncStatus): readonly ChangesNode[] {
  const guards = (status.plan?.guards ?? []).map((guard) => guardNode(owner, input.folderId, guard));
  const stopped = input.attempt && attemptNodes(input.folderId, input.attempt, pathsOf(status.conflicts));
  const conflicts = [...fileNodes(input, 'conflicts', status.conflicts), ...(stopped?.files ?? [])];
  const above = [...guards, ...(stopped ? [stopped.row] : []), ...present(groupNode(input, 'conflicts', conflicts))];
  const groups = [
    pushGroup(input, status),
    commitGroup(input),
    incomingGroup(input, status),
    groupNode(input, 'frozen', fileNodes(input, 'frozen', status.frozen)),
  ].filter((group) => group !== undefined);
  const isQuiet = above.length + groups.length === 0;
  const mode = isWritable(status) ? pushModeNode(owner, input) : [];
  return [...above, ...mode, ...groups, ...quietNodes(owner, input, status, isQuiet)];
}

function present<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

function pathsOf(entries: readonly PlanEntry[]): ReadonlySet<string> {
  return new Set(entries.map(({ path }) => path));
}

/** Returns the row for a comparison with the parent, or for “No changes”. */
function quietNodes(
  owner: string,
  input: ChangeTreeInput,
  status: SyncStatus,
  isQuiet: boolean,
): readonly NoticeNode[] {
  if (status.lastChecked === undefined) return [];
  const unknown = input.comparing && unknownNode(owner, input.folderId, input.comparing);
  if (unknown) return [unknown];
  return isQuiet && isSettled(status.state) ? [noChanges(owner, input)] : [];
}

/** Whether nothing is running that could still find or make a change. */
function isSettled(state: SyncState): boolean {
  if (state.kind === 'busy') return state.what === 'checking';
  return ['inSync', 'frozen', 'readOnly', 'paused'].includes(state.kind);
}

function unknownNode(
  owner: string,
  folderId: string,
  { parent, error }: NonNullable<ChangeTreeInput['comparing']>,
): NoticeNode {
  if (error === undefined) return comparing(`${owner}/parent`, parent);
  const message = `What can be committed to ${parent} is not known`;
  return {
    ...notice(`${owner}/parent/failed`, message, 'warning'),
    tooltip: `${message}\n${error}`,
    folderId,
    command: { ...compareAgain, title: 'Try Again' },
  };
}

/** What a click does on a row that reports how the folder and the branch differ, where nothing else helps. */
const compareAgain = { id: 'modelbench.changes.refresh', title: 'Compare Again' } as const;

/** Returns the row of a probable accident; a click opens the review of what it holds back, or compares again. */
function guardNode(owner: string, folderId: string, guard: PlanGuard): NoticeNode {
  const { kind, message } = guard;
  return { ...notice(`${owner}/guard/${kind}`, message, 'warning'), folderId, command: guardCommand(guard) };
}

function guardCommand({ confirmable, blocks }: PlanGuard): NoticeNode['command'] {
  if (!confirmable) return compareAgain;
  return blocks === 'pull'
    ? { id: 'modelbench.pullFiles', title: 'Review Pull' }
    : { id: 'modelbench.push', title: 'Review Push' };
}

function noChanges(owner: string, { branch = '', commit }: ChangeTreeInput): NoticeNode {
  const others = commit ? `, ${branch} and ${commit.parent}` : ` and ${branch}`;
  const since = commit?.asOf === undefined ? '' : ` (as of ${commit.asOf})`;
  const message = `No changes${since}`;
  return {
    ...notice(`${owner}/none`, message, 'check'),
    tooltip: `${message}\nThis folder${others} have the same files.`,
    command: compareAgain,
  };
}

function comparing(owner: string, branch: string): NoticeNode {
  return notice(`${owner}/phase`, `Comparing with ${branch}…`, 'loading~spin');
}
