import { blockingGuard } from '#sync/core/planning/guards.ts';
import type { GuardKind, PlanEntry } from '#sync/core/planning/plan.ts';
import { makePlan } from '#support/sync/make-plan.ts';
import type { FaultDesk } from '../fault-desk.ts';
import { type PlanSides, planInput } from '../plan-input.ts';
import { FOLDER } from '../simulated-ports.ts';
import { type Rule, rule, type Verdict, verdict } from './rule.ts';
import { A, agreed, B } from './rule-desk.ts';

const GUARDS = 'sync/core/planning/guards.ts';

const files = (count: number, content = 'x'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`model/${at}.yml`, `${content}${at}`]));
const all = files(20);

/** Checks that a guard is raised and blocks what the page says, until the user has confirmed it where that is possible. */
function holds(kind: GuardKind, sides: PlanSides, ways: readonly ('push' | 'pull')[], isConfirmable: boolean): Verdict {
  const plan = makePlan(planInput(sides));
  const guard = plan.guards.find((each) => each.kind === kind);
  if (!guard) return `no guard ${kind}`;
  const only = [guard];
  const deletions: readonly PlanEntry[] = [
    { kind: 'deleteRemote', path: 'x', expectedRemote: 'x', size: 1 },
    { kind: 'deleteLocal', path: 'x', expectedLocal: 'x', size: 1 },
  ];
  const held = (['push', 'pull'] as const).filter((way) => blockingGuard(only, way, deletions, []));
  if (held.join() !== ways.join()) return `${kind} holds ${held.join(' and ') || 'nothing'}`;
  const confirmed = ways.every((way) => !blockingGuard(only, way, deletions, [kind]));
  return verdict(confirmed === isConfirmable, `${kind} can ${confirmed ? '' : 'not '}be confirmed`);
}

/** Checks that the guard is raised and that nothing is planned for paths missing from the list. */
function leavesAlone(kind: GuardKind, sides: PlanSides, unwanted: PlanEntry['kind']): Verdict {
  const plan = makePlan(planInput(sides));
  if (!plan.guards.some((guard) => guard.kind === kind && !guard.confirmable)) return `no guard ${kind}`;
  return verdict(!plan.entries.some((entry) => entry.kind === unwanted), `an incomplete list leads to ${unwanted}`);
}

function replaceFolder(desk: FaultDesk): void {
  desk.disk.rename(FOLDER, '/home/elsewhere');
  desk.disk.makeFolder(FOLDER);
  desk.write(A, 'another project');
}

const both = ['push', 'pull'] as const;

export const guardRules: readonly Rule[] = [
  rule(
    'guard-state-damaged',
    'goes on although its record is damaged',
    [[GUARDS, 'if (!isDoubtful) return [];', 'return [];']],
    async () => {
      const desk = await agreed();
      await desk.sync.close();
      desk.disk.write('/home/storage/base', Buffer.from('nonsense'));
      desk.write(A, 'mine');
      const next = desk.open();
      const plan = await next.plan();
      const { status } = await next.push(plan, 'all');
      return verdict(status === 'refused' && plan.guards[0]?.kind === 'stateDamaged', 'nothing asked the user first');
    },
  ),
  rule(
    'guard-root-missing',
    'takes a folder that is gone for an emptied one',
    [
      [GUARDS, 'if (input.local.root === undefined && input.base.size > 0) return rootGuards(input);', ''],
      [GUARDS, 'if (input.base.size === 0) return [];\n    return [\n      {', 'return [];\n    return [\n      {'],
    ],
    () => holds('rootMissing', { base: all, remote: all, root: undefined }, both, false),
  ),
  rule(
    'guard-root-changed',
    'takes whatever folder is there for the linked one',
    [[GUARDS, 'if (input.baseRoot === undefined ||', 'if (true ||']],
    async () => {
      const desk = await agreed();
      replaceFolder(desk);
      const plan = await desk.sync.plan();
      const { status } = await desk.sync.push(plan, new Set([A]));
      const isKnown = plan.guards.some(({ kind }) => kind === 'rootChanged');
      return verdict(isKnown && status === 'refused', 'a file of another folder was sent');
    },
  ),
  rule(
    'guard-root-stays',
    'halts once for another folder, and takes it for the linked one at the next check',
    [
      [
        'sync/core/planning/compare-sides.ts',
        'if (!isReplaced || state.entries.size === 0) await state.adoptRoot(local.root);',
        'await state.adoptRoot(local.root);',
      ],
    ],
    async () => {
      const desk = await agreed();
      replaceFolder(desk);
      await desk.sync.plan();
      const { guards } = await desk.sync.plan();
      return verdict(
        guards.some(({ kind }) => kind === 'rootChanged'),
        'the guard went away without an answer',
      );
    },
  ),
  rule(
    'guards-guard-saves',
    'sends a save on the word of an earlier comparison',
    [['sync/core/saves/save-sync.ts', 'if (!(await isAgreedFolder(context))) return undefined;', '']],
    async () => {
      const desk = await agreed();
      replaceFolder(desk);
      desk.sync.onSaved([A]);
      await desk.sync.flush();
      return verdict(desk.platform.files.get(A) === 'a', 'a file of another folder was sent after a save');
    },
  ),
  rule(
    'guards-guard-plans',
    'carries out a plan in another folder than the one it was made for',
    [['sync/core/create-folder-sync.ts', 'if (otherFolder !== undefined) return refused(otherFolder);', '']],
    async () => {
      const desk = await agreed();
      desk.platform.files.set('model/new.yml', 'new');
      const plan = await desk.sync.plan();
      replaceFolder(desk);
      await desk.sync.pull(plan, 'all');
      return verdict(desk.files()['model/new.yml'] === undefined, 'another folder got a file of the branch');
    },
  ),
  rule(
    'guard-local-emptied',
    'takes an emptied folder for deletions',
    [[GUARDS, 'if (isEmptied(input)) {', 'if (false) {']],
    () => holds('localEmptied', { base: all, remote: all }, both, true),
  ),
  rule(
    'guard-remote-emptied',
    'takes an emptied branch for deletions',
    [[GUARDS, 'if (input.remote.files.size === 0 && input.remote.complete) {', 'if (false) {']],
    () => holds('remoteEmptied', { base: all, local: all }, both, true),
  ),
  rule(
    'guard-all-changed-locally',
    'sends a folder whose every file differs',
    [[GUARDS, "kind: 'allChangedLocally',\n      blocks: 'push'", "kind: 'allChangedLocally',\n      blocks: 'pull'"]],
    () => holds('allChangedLocally', { base: all, local: files(20, 'y'), remote: all }, ['push'], true),
  ),
  rule(
    'guard-all-changed-remotely',
    'brings a branch whose every file differs',
    [[GUARDS, 'return changed >= ALL_CHANGED_MIN;', 'return changed > 20;']],
    () => holds('allChangedRemotely', { base: all, local: all, remote: files(20, 'y') }, ['pull'], true),
  ),
  rule(
    'guard-many-deletes-remote',
    'deletes a third of the branch without a question',
    [[GUARDS, 'const DELETE_SHARE = 0.25;', 'const DELETE_SHARE = 0.5;']],
    () => holds('manyDeletesRemote', { base: all, local: files(14), remote: all }, ['push'], true),
  ),
  rule(
    'guard-many-deletes-local',
    'deletes hundreds of files here without a question',
    [
      [
        GUARDS,
        'if (count < 2 || (count <= DELETE_MAX && count <= input.base.size * DELETE_SHARE)) continue;',
        'if (count < 2 || count <= input.base.size * DELETE_SHARE) continue;',
      ],
    ],
    () => holds('manyDeletesLocal', { base: files(1000), local: files(1000), remote: files(890) }, ['pull'], true),
  ),
  rule(
    'guard-local-listing',
    'deletes on the platform what a folder that cannot be read does not list',
    [
      [
        'sync/core/planning/planner.ts',
        "if (!input.local.complete && entry.kind === 'deleteRemote') {",
        'if (false) {',
      ],
    ],
    () =>
      leavesAlone(
        'localListingIncomplete',
        { base: files(3), local: files(2), remote: files(3), localComplete: false },
        'deleteRemote',
      ),
  ),
  rule(
    'guard-remote-listing',
    'deletes here what an incomplete list of the branch leaves out',
    [['sync/core/planning/planner.ts', 'if (!input.remote.complete && unseen)', 'if (false)']],
    () =>
      leavesAlone(
        'remoteListingIncomplete',
        { base: files(3), local: files(3), remote: files(2), remoteComplete: false },
        'deleteLocal',
      ),
  ),
  rule(
    'unreadable-folder',
    'takes a folder that cannot be read for an empty one',
    [
      [
        'sync/disk/scan.ts',
        'entries = this.#calls.entries(absolute);\n      this.#readIgnoreFiles',
        'try { entries = this.#calls.entries(absolute); } catch { entries = []; }\n      this.#readIgnoreFiles',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.watch({ kind: `entries ${FOLDER}/model/sub`, occurrence: 1, code: 'EACCES' });
      const plan = await desk.sync.plan();
      if (!desk.seen.has(`entries ${FOLDER}/model/sub`)) return 'the story never read the folder';
      return verdict(!plan.entries.some(({ kind }) => kind === 'deleteRemote'), 'what it holds counts as deleted');
    },
  ),
  rule(
    'cut-list',
    'takes a list of the branch that says that it goes on for the whole',
    [
      [
        'sync/core/remote/listing.ts',
        'const sorter = new ListingSorter({ folder, rules, complete: !saysMore(answer) });',
        'const sorter = new ListingSorter({ folder, rules, complete: true });',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.platform.listsOnly = 1;
      const plan = await desk.sync.plan();
      const isSafe = plan.entries.every(({ kind }) => kind === 'frozen');
      return verdict(isSafe && plan.guards.length === 1, 'what the list left out counts as deleted');
    },
  ),
  rule(
    'frozen-by-list',
    'forgets on the word of an incomplete list what nobody deleted',
    [
      [
        'sync/core/planning/planner.ts',
        'return base && input.local.complete && input.remote.complete ?',
        'return base && input.local.complete ?',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.platform.listsOnly = 1;
      desk.disk.remove(`${FOLDER}/${B}`);
      await desk.sync.plan();
      desk.platform.listsOnly = undefined;
      const [entry] = (await desk.sync.plan()).entries;
      return verdict(entry?.kind === 'deleteRemote', `a deletion made meanwhile has become a ${entry?.kind}`);
    },
  ),
];
