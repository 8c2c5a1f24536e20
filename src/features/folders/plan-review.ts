import { unreachable } from '#base/result.ts';
import { plural } from '#base/words.ts';
import { foreignFiles } from '#sync/core/planning/foreign-files.ts';
import { direction, type Plan, type PlanEntry, type PlanGuard } from '#sync/core/planning/plan.ts';
import type { ReviewDocument, ReviewGroup, ReviewRow, ReviewSection, RowKind } from '#features/review/messages.ts';
import type { TreeItemSpec, TreeNode } from '#shell/tree-item.ts';
import { changeText } from './change-text.ts';
import { type PlanDirection, planSummary, tickedSelection } from './plan-selection.ts';
import type { OpenPlan, PlanForm } from './plan-view.ts';

/** The link of the page that opens the plan as text. */
export const planTextLink = 'text';

/** Returns the open plan as a review (docs/sync.md#plan-selection): risky changes come first, and nothing is left out. */
export function planDocument(open: OpenPlan, sections: readonly ReviewSection[]): ReviewDocument {
  const { plan, purpose, session, ticked, work } = open;
  const form: PlanForm = (plan && work?.form.value) ?? { warnings: [] };
  const branch = session.target.branchName;
  const folder = session.folder.name;
  const [from, to] = purpose === 'pull' ? [branch, folder] : [folder, branch];
  return {
    title: titles[purpose](branch),
    from,
    to,
    isProduction: purpose === 'deploy',
    ...form,
    warnings: [
      ...form.warnings,
      ...(plan ? guardsOf(open, plan).map(warningOf) : []),
      ...(plan && purpose === 'deploy' ? linkWarnings(plan, ticked) : []),
    ],
    sections: plan ? sections : [],
    options: [],
    action: planAction(open),
    links: plan ? [{ id: planTextLink, label: 'Show as Text' }] : [],
    empty: 'Nothing is left in this plan.',
    busy: plan ? '' : `Comparing with ${branch}…`,
    groups: plan ? planGroups(open, plan) : noGroups,
    ticked: plan ? ticked : new Set(),
  };
}

const noGroups: readonly ReviewGroup[] = [];

const titles: Readonly<Record<OpenPlan['purpose'], (branch: string) => string>> = {
  push: (branch) => `Push to ${branch}`,
  pull: (branch) => `Pull from ${branch}`,
  deploy: (branch) => `Deploy to ${branch}`,
};

/** Returns the button that carries out the plan; it names the number of files and their destination. */
function planAction(open: OpenPlan): ReviewDocument['action'] {
  const { plan, purpose, direction: wanted, session, ticked } = open;
  const count = plan ? tickedSelection(plan, wanted, ticked).size : 0;
  const files = plural(count, 'File');
  const label = buttons[purpose](files, session.target.branchName, session.folder.name);
  if (!plan) return { label, whyNot: 'Both sides are still being compared.' };
  const blocking = guardsOf(open, plan).find(({ confirmable }) => !confirmable);
  if (blocking) return { label, whyNot: blocking.message };
  return { label, whyNot: count === 0 ? 'Tick at least one file.' : '' };
}

const buttons: Readonly<Record<OpenPlan['purpose'], (files: string, branch: string, folder: string) => string>> = {
  push: (files, branch) => `Push ${files} to ${branch}`,
  pull: (files, _, folder) => `Pull ${files} into ${folder}`,
  deploy: (files, branch) => `Deploy ${files} to ${branch} (production)`,
};

function guardsOf({ direction: wanted }: OpenPlan, { guards }: Plan): readonly PlanGuard[] {
  return guards.filter(({ blocks }) => blocks === 'both' || blocks === wanted);
}

function warningOf({ kind, message, confirmable }: PlanGuard): ReviewDocument['warnings'][number] {
  return { id: kind, severity: confirmable ? 'warning' : 'error', text: message };
}

/** Returns the warning about files that links bring into a project; its rows have the real paths. */
function linkWarnings(plan: Plan, ticked: OpenPlan['ticked']): ReviewDocument['warnings'] {
  const foreign = [...foreignFiles(plan)];
  const [first] = foreign;
  if (!first) return [];
  const chosen = foreign.filter(([path]) => ticked.has(path)).length;
  const files = plural(foreign.length, 'file comes', 'files come');
  const decided = chosen === 0 ? 'None of them is ticked' : `${plural(chosen, 'of them is', 'of them are')} ticked`;
  const text = `${files} through links from outside of the project, or from what is never deployed under its own name, such as “${first[0]}” from ${first[1].target}. ${decided}: tick only what everyone with access to the deployment may read.`;
  return [{ id: 'foreignLinks', severity: 'warning', text }];
}

type Group = 'conflict' | 'delete' | 'upload' | 'rename' | 'leftAlone';
const order: readonly Group[] = ['conflict', 'delete', 'upload', 'rename', 'leftAlone'];

/** Returns the files of a plan; the same array for the same plan, so that a tick leaves the rows unchanged. */
function planGroups({ direction: wanted, notes, session }: OpenPlan, plan: Plan): readonly ReviewGroup[] {
  const known = made.get(plan);
  if (known?.wanted === wanted && known.notes === notes) return known.groups;
  const branch = session.target.branchName;
  const byGroup = Map.groupBy(plan.entries, (entry) => groupOf(entry, wanted));
  const groups = order.flatMap((id): readonly ReviewGroup[] => {
    const entries = byGroup.get(id);
    if (!entries) return [];
    const rows = entries.map((entry) => rowOf(entry, notes?.get(entry.path)));
    const label = labelOf(id, wanted, branch);
    return [{ id, label, rows, ...(id === 'leftAlone' ? { startsClosed: true } : {}) }];
  });
  made.set(plan, { wanted, notes, groups });
  return groups;
}

interface Made {
  readonly wanted: PlanDirection;
  readonly notes: OpenPlan['notes'];
  readonly groups: readonly ReviewGroup[];
}
const made = new WeakMap<Plan, Made>();

function labelOf(group: Group, wanted: PlanDirection, branch: string): string {
  const there = wanted === 'push' ? `on ${branch}` : 'Here';
  switch (group) {
    case 'upload':
      return wanted === 'push' ? 'Upload' : 'Download';
    case 'rename':
      return `Rename ${there}`;
    case 'delete':
      return `Delete ${there}`;
    case 'conflict':
      return 'Conflicts (Resolve First)';
    case 'leftAlone':
      return 'Not Synced';
    default:
      return unreachable(group);
  }
}

function rowOf(entry: PlanEntry, note: string | undefined): ReviewRow {
  const [kind, detail] = kindOf(entry);
  const { path } = entry;
  const facts = [detail ?? '', note ?? ''].filter((fact) => fact !== '').join(' · ');
  const size = 'size' in entry ? entry.size : undefined;
  return {
    id: path,
    path,
    kind,
    canTick: direction(entry) !== 'none',
    ...('from' in entry ? { from: entry.from } : {}),
    // Some listings have no sizes.
    ...(size === undefined || size === 0 ? {} : { size }),
    ...(facts === '' ? {} : { note: facts }),
  };
}

/** Returns what happens to a file, and a note if one is needed. */
function kindOf(entry: PlanEntry): readonly [RowKind, string?] {
  switch (entry.kind) {
    case 'upload':
    case 'download':
      if (entry.reason === 'added') return ['add'];
      return entry.reason === 'changed' ? ['change'] : ['change', 'deleted on the other side'];
    case 'deleteRemote':
    case 'deleteLocal':
      return ['delete'];
    case 'renameRemote':
    case 'renameLocal':
      return entry.edited ? ['rename', 'and modified'] : ['rename'];
    case 'conflict':
      return ['conflict', changeText(entry)];
    default:
      return ['none', changeText(entry)];
  }
}

function groupOf(entry: PlanEntry, wanted: PlanDirection): Group | 'none' {
  const way = direction(entry);
  return way === 'none' || way === wanted ? groups[entry.kind] : 'none';
}

const groups: Readonly<Record<PlanEntry['kind'], Group | 'none'>> = {
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

/** The row of the open plan in Changes, with the button of its page. */
export interface PlanNode extends TreeNode {
  readonly kind: 'plan';
  readonly label: string;
  readonly summary: string;
  readonly isComparing: boolean;
}

/** Returns the row of the open plan; no rows if none is open. */
export function planRows(open: OpenPlan | undefined): readonly PlanNode[] {
  if (!open) return [];
  const { plan, direction: wanted, ticked, session } = open;
  const label = plan ? planAction(open).label : `Comparing with ${session.target.branchName}…`;
  const summary = plan ? planSummary(plan, wanted, ticked) : '';
  return [{ kind: 'plan', id: 'plan', label, summary, isComparing: !plan, children: [] }];
}

/** Returns the appearance of the row; a click shows the page. */
export function describePlanNode({ label, summary, isComparing }: PlanNode): TreeItemSpec {
  return {
    label,
    description: isComparing ? undefined : ['under review', summary].filter((fact) => fact !== '').join(' · '),
    tooltip: 'Show the files of this plan',
    icon: { id: isComparing ? 'loading~spin' : 'checklist' },
    contextValue: isComparing ? 'plan.comparing' : 'plan',
    collapsible: 'none',
    command: { id: 'modelbench.plan.show', title: 'Show Plan' },
    spoken: [label, ...(isComparing ? [] : ['under review']), summary].filter((fact) => fact !== '').join(', '),
  };
}
