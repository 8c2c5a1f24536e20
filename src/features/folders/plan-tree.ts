import { unreachable } from '#base/result.ts';
import { baseName, dirName } from '#base/path.ts';
import { formatBytes, plural } from '#base/words.ts';
import type { FileTarget } from '#shell/targets.ts';
import { direction, type Plan, type PlanEntry, sizeOf } from '#sync/core/plan.ts';
import { changeWords } from './change-words.ts';
import type { TreeItemSpec, TreeNode } from '#shell/tree-item.ts';

export type PlanDirection = 'push' | 'pull';
/** What a plan is for: a deploy is a push to the branch that production is built from. */
export type PlanPurpose = PlanDirection | 'deploy';
export type PlanGroup = 'upload' | 'rename' | 'delete' | 'conflict' | 'leftAlone';

export interface PlanGroupNode extends TreeNode {
  readonly kind: 'group';
  readonly group: PlanGroup;
  readonly direction: PlanDirection;
  readonly bytes: number;
  /** All ticked, none ticked, or nothing that can be ticked (`undefined`). */
  readonly checked: boolean | undefined;
  readonly count: number;
  readonly children: readonly (PlanFileNode | GuardNode)[];
}

export interface PlanFileNode extends TreeNode, FileTarget {
  readonly kind: 'file';
  readonly entry: PlanEntry;
  readonly direction: PlanDirection;
  readonly checked: boolean | undefined;
  /** What a user should know before it is ticked. */
  readonly note: string | undefined;
}

export interface GuardNode extends TreeNode {
  readonly kind: 'guard';
  readonly message: string;
  readonly confirmable: boolean;
  /** Both sides are still being compared. */
  readonly busy?: boolean | undefined;
}

export type PlanNode = PlanGroupNode | PlanFileNode | GuardNode;

export interface PlanTreeInput {
  readonly folderId: string;
  readonly direction: PlanDirection;
  readonly plan: Plan;
  readonly ticked: ReadonlySet<string>;
  /** What is said of a file beside what happens to it, by path. */
  readonly notes?: ReadonlyMap<string, string> | undefined;
}

/** More rows than this are counted, not drawn; deletions are always drawn, because nothing is deleted unseen. */
const mostRows = 2000;

const order: readonly PlanGroup[] = ['conflict', 'delete', 'upload', 'rename', 'leftAlone'];

/** The plan for a user to tick: what could hurt comes first, so that nothing is deleted that was not seen. */
export function planTree(input: PlanTreeInput): readonly PlanNode[] {
  const guards = input.plan.guards
    .filter((guard) => guard.blocks === 'both' || guard.blocks === input.direction)
    .map((guard): GuardNode => ({
      kind: 'guard',
      id: `plan/guard/${guard.kind}`,
      message: guard.message,
      confirmable: guard.confirmable,
      children: [],
    }));
  const byGroup = Map.groupBy(input.plan.entries, (entry) => groupOf(entry, input.direction));
  const nodes = order.flatMap((group) => {
    const entries = byGroup.get(group);
    return entries ? [groupNode(input, group, entries)] : [];
  });
  return [...guards, ...nodes];
}

/** Drawn while the plan is being made. */
export function comparingTree(branchName: string): readonly PlanNode[] {
  const message = `Comparing with ${branchName}…`;
  return [{ kind: 'guard', id: 'plan/comparing', message, confirmable: true, busy: true, children: [] }];
}

/** The entries a direction would carry out: what is ticked at first. */
export function planSelection(plan: Plan, wanted: PlanDirection): ReadonlySet<string> {
  return new Set(plan.entries.filter((entry) => direction(entry) === wanted).map((entry) => entry.path));
}

/** One line about what is ticked: `3 files, 1 deletion, 4.2 KB`. */
export function planSummary(plan: Plan, wanted: PlanDirection, ticked: ReadonlySet<string>): string {
  const chosen = plan.entries.filter((entry) => direction(entry) === wanted && ticked.has(entry.path));
  const deletions = chosen.filter((entry) => groupOf(entry, wanted) === 'delete').length;
  const files = chosen.length - deletions;
  const bytes = chosen.reduce((sum, entry) => sum + (groupOf(entry, wanted) === 'upload' ? sizeOf(entry) : 0), 0);
  const parts = [
    plural(files, 'file'),
    ...(deletions > 0 ? [plural(deletions, 'deletion')] : []),
    ...(bytes > 0 || wanted === 'push' ? [formatBytes(bytes)] : []),
  ];
  return parts.join(', ');
}

function groupOf(entry: PlanEntry, wanted: PlanDirection): PlanGroup | 'none' {
  const group = groups[entry.kind];
  const way = direction(entry);
  return way === 'none' || way === wanted ? group : 'none';
}

const groups: Readonly<Record<PlanEntry['kind'], PlanGroup | 'none'>> = {
  upload: 'upload',
  download: 'upload',
  renameRemote: 'rename',
  renameLocal: 'rename',
  deleteRemote: 'delete',
  deleteLocal: 'delete',
  conflict: 'conflict',
  frozen: 'leftAlone',
  ignored: 'leftAlone',
  adopt: 'none',
  forget: 'none',
};

/** Listings that hold no sizes say nothing of them. */
function bytesWords(entry: PlanEntry): string {
  return 'size' in entry && entry.size !== undefined ? formatBytes(entry.size) : '';
}

function groupNode(input: PlanTreeInput, group: PlanGroup, entries: readonly PlanEntry[]): PlanGroupNode {
  const tickable = group === 'upload' || group === 'rename' || group === 'delete';
  return {
    kind: 'group',
    id: `plan/${group}`,
    group,
    direction: input.direction,
    bytes: entries.reduce((sum, entry) => sum + sizeOf(entry), 0),
    checked: tickable ? entries.every((entry) => input.ticked.has(entry.path)) : undefined,
    count: entries.length,
    children: [
      ...entries.slice(0, group === 'delete' ? undefined : mostRows).map((entry): PlanFileNode => ({
        kind: 'file',
        id: `plan/${group}/${entry.path}`,
        folderId: input.folderId,
        path: entry.path,
        entry,
        direction: input.direction,
        checked: tickable ? input.ticked.has(entry.path) : undefined,
        note: input.notes?.get(entry.path),
        children: [],
      })),
      ...(group !== 'delete' && entries.length > mostRows ? [restNode(entries.length - mostRows)] : []),
    ],
  };
}

function restNode(count: number): GuardNode {
  const message = `and ${count} more: “Show Plan as Text” lists all; the group’s checkbox applies to them too`;
  return { kind: 'guard', id: 'plan/rest', message, confirmable: true, children: [] };
}

/** The paths that a group’s tick stands for, drawn or not. */
export function pathsOfGroup(plan: Plan, wanted: PlanDirection, group: PlanGroup): readonly string[] {
  return plan.entries.filter((entry) => groupOf(entry, wanted) === group).map((entry) => entry.path);
}

/** How a node looks. */
export function describePlanNode(node: PlanNode): TreeItemSpec {
  switch (node.kind) {
    case 'guard':
      return {
        label: node.message,
        tooltip: node.confirmable && !node.busy ? `${node.message}\n\nApplying asks first.` : node.message,
        icon: node.busy ? { id: 'loading~spin' } : { id: 'warning', color: 'problemsWarningIcon.foreground' },
        contextValue: 'plan.guard',
        collapsible: 'none',
      };
    case 'group':
      return describeGroup(node);
    case 'file':
      return describeFile(node);
    default:
      return unreachable(node);
  }
}

function describeGroup(node: PlanGroupNode): TreeItemSpec {
  const label = groupLabel(node);
  const description = [
    String(node.count),
    ...(node.group === 'upload' && node.bytes > 0 ? [formatBytes(node.bytes)] : []),
  ];
  return {
    label,
    description: description.join(' · '),
    icon: node.group === 'upload' && node.direction === 'pull' ? { id: 'cloud-download' } : groupIcons[node.group],
    contextValue: `plan.group.${node.group}`,
    collapsible: node.group === 'leftAlone' ? 'collapsed' : 'expanded',
    checked: node.checked,
    spoken: `${label}, ${plural(node.count, 'file')}`,
  };
}

function groupLabel(node: PlanGroupNode): string {
  const there = node.direction === 'push' ? 'on the Platform' : 'Here';
  switch (node.group) {
    case 'upload':
      return node.direction === 'push' ? 'Upload' : 'Download';
    case 'rename':
      return `Rename ${there}`;
    case 'delete':
      return `Delete ${there}`;
    case 'conflict':
      return 'Conflicts (resolve first)';
    case 'leftAlone':
      return 'Not Synced';
    default:
      return unreachable(node.group);
  }
}

const groupIcons: Readonly<Record<PlanGroup, TreeItemSpec['icon']>> = {
  upload: { id: 'cloud-upload' },
  rename: { id: 'arrow-swap' },
  delete: { id: 'trash', color: 'charts.red' },
  conflict: { id: 'warning', color: 'gitDecoration.conflictingResourceForeground' },
  leftAlone: { id: 'circle-slash' },
};

function describeFile(node: PlanFileNode): TreeItemSpec {
  const what = changeWords(node.entry);
  const size = node.entry.kind === 'upload' || node.entry.kind === 'download' ? bytesWords(node.entry) : '';
  const facts = [what, size, node.note ?? ''].filter((fact) => fact !== '');
  const folder = dirName(node.path);
  return {
    label: baseName(node.path),
    // The folder last: a narrow side bar cuts the end.
    description: [...facts, ...(folder === '' ? [] : [folder])].join(' · '),
    tooltip: [node.path, what, node.note].filter((line) => line !== undefined).join('\n'),
    file: { folderId: node.folderId, path: node.path },
    contextValue: `plan.file.${node.entry.kind}`,
    collapsible: 'none',
    checked: node.checked,
    command: {
      id: node.entry.kind === 'conflict' ? 'modelbench.conflict.merge' : 'modelbench.openChange',
      title: 'Open',
    },
    spoken: `${node.path}, ${facts.join(', ')}`,
  };
}
