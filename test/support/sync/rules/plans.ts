import { PlanTicks } from '#features/folders/plan-ticks.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import { devBranch } from '#sync/core/target.ts';
import type { SyncPorts } from '#sync/core/ports.ts';
import type { FaultDesk } from '../fault-desk.ts';
import { FOLDER } from '../simulated-ports.ts';
import { type Rule, rule, verdict } from './rule.ts';
import { A, agreed, B } from './rule-desk.ts';

const TICKS = 'features/folders/plan-ticks.ts';
const upload: PlanEntry = { kind: 'upload', path: A, reason: 'changed', hash: 'x', size: 1, expectedRemote: 'y' };
const other: PlanEntry = { ...upload, path: B };
const deletion: PlanEntry = { kind: 'deleteRemote', path: B, expectedRemote: 'y', size: 1 };

function planWith(generation: number, ...entries: readonly PlanEntry[]): Plan {
  return { target: 't', generation, time: 0, entries, guards: [], unchanged: 0 };
}

/** The same file with a name in other letter case: only such renames are carried out here as renames. */
const NEW = 'model/A.yml';

/** Runs a pull of a colleague's change, during which an editor with unsaved changes appears just before the disk is touched. */
async function openedLate(path: string, theirs: (platform: Map<string, string>) => void): Promise<FaultDesk> {
  const dirty = new Set<string>();
  let isPulling = false;
  const desk = await agreed({
    ports: (ports) => {
      const { journal } = ports;
      const append: SyncPorts['journal']['append'] = async (...records) => {
        await journal.append(...records);
        if (isPulling) dirty.add(path);
      };
      return {
        ...ports,
        editors: { dirty: () => dirty },
        journal: {
          ...journal,
          load: () => journal.load(),
          close: () => journal.close(),
          reset: (all) => journal.reset(all),
          append,
        },
      };
    },
  });
  theirs(desk.platform.files);
  const plan = await desk.sync.plan();
  isPulling = true;
  await desk.sync.pull(plan, 'all', { confirmed: ['manyDeletesLocal'] });
  return desk;
}

/** The default ticks of a plan: everything. */
const usual = new Set([A, B]);

export const planRules: readonly Rule[] = [
  rule(
    'plan-target',
    'carries out a plan of another branch',
    [['sync/core/create-folder-sync.ts', 'const stale = plan.target !== this.#key ||', 'const stale =']],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      const { status } = await desk.sync.push({ ...plan, target: '["demo","1","dev-b"]' }, 'all');
      return verdict(status === 'refused', 'a plan of another branch was carried out');
    },
  ),
  rule(
    'plan-ticks',
    'forgets what was ticked when a new plan comes',
    [[TICKS, 'return `${scope}${JSON.stringify(', 'return `${scope}${performance.now()}${JSON.stringify(']],
    () => {
      const ticks = new PlanTicks();
      ticks.decide('push', planWith(1, upload, other), new Set([B]), false);
      const left = ticks.of('push', planWith(2, upload, other), usual);
      return verdict(left.has(A) && !left.has(B), 'a change that was left out is ticked again in the next plan');
    },
  ),
  rule(
    'plan-ticks-partial',
    'takes the ticks of what is left with it when a part was sent',
    [[TICKS, 'if (!paths.has(entry.path)) continue;', '']],
    () => {
      const ticks = new PlanTicks();
      ticks.decide('push', planWith(1, upload, other), new Set([B]), false);
      // The other one was pushed: the remaining one is offered as before.
      const left = ticks.of('push', planWith(2, other), usual);
      const fresh = ticks.of('push', planWith(1, upload, other), usual);
      return verdict(!left.has(B) && fresh.has(A), 'a tick of one change was set on another one');
    },
  ),
  rule(
    'plan-ticks-own',
    'keeps the tick of a change for another change of the same file',
    [[TICKS, 'Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1))', 'entry.path']],
    () => {
      const ticks = new PlanTicks();
      ticks.decide('push', planWith(1, { ...other, hash: 'old' }), new Set([B]), true);
      return verdict(!ticks.of('push', planWith(2, deletion), new Set()).has(B), 'a tick moved to a deletion');
    },
  ),
  rule(
    'plan-deletion',
    'ticks a deletion that appears during a review',
    [[TICKS, 'return this.#review.changes.get(changeOf(scope, entry)) ?? true;', 'return false;']],
    () => {
      const ticks = new PlanTicks();
      ticks.shown('push', planWith(1, upload));
      return verdict(!ticks.of('push', planWith(2, upload, deletion), usual).has(B), 'it is ticked');
    },
  ),
  rule(
    'plan-selection',
    'carries out what was not ticked',
    [['sync/core/create-folder-sync.ts', "(selection === 'all' || selection.has(entry.path)),", 'true,']],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      desk.write(B, 'mine too');
      await desk.sync.push(await desk.sync.plan(), new Set([A]));
      return verdict(desk.platform.files.get(B) === 'b', 'a change without a tick was sent');
    },
  ),
  rule(
    'plan-recheck-here',
    'sends what a file holds now, whatever the plan showed',
    [
      [
        'sync/core/transfer/upload-directly.ts',
        'if (content?.hash !== effect.facets[0]?.after) this.#run.changed.add(effect.entry.path);',
        'if (!content) this.#run.changed.add(effect.entry.path);',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      desk.write(A, 'unseen');
      const { changed } = await desk.sync.push(plan, 'all');
      return verdict(
        desk.platform.files.get(A) === 'a' && changed.includes(A),
        'a version that no plan showed was sent',
      );
    },
  ),
  rule(
    'plan-recheck-gone',
    'deletes on the platform a file that is here again',
    [
      [
        'sync/core/transfer/push.ts',
        'if (after === undefined) return isNoFile(state);',
        'if (after === undefined) return true;',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.disk.remove(`${FOLDER}/${A}`);
      const plan = await desk.sync.plan();
      desk.write(A, 'a');
      await desk.sync.push(plan, 'all');
      return verdict(desk.platform.files.has(A), 'a file that is here again was deleted on the platform');
    },
  ),
  rule(
    'plan-recheck-unreadable',
    'deletes on the platform a file that cannot be read for a moment',
    [['sync/disk/read-local.ts', "return { kind: 'frozen', reason: 'unreadable' };", "return { kind: 'absent' };"]],
    async () => {
      const desk = await agreed();
      desk.disk.remove(`${FOLDER}/${A}`);
      const plan = await desk.sync.plan();
      desk.write(A, 'a');
      desk.watch({ kind: `open ${FOLDER}/${A}`, occurrence: 1, code: 'EIO' });
      await desk.sync.push(plan, 'all');
      return verdict(desk.platform.files.has(A), 'a read error was taken for a deletion');
    },
  ),
  rule(
    'plan-recheck-there',
    'writes before it has looked, on a platform that honours no conditions',
    [
      [
        'sync/core/transfer/carry-out.ts',
        "const listsFirst = how === 'allOrNothing' || !context.writer.honoursPreconditions;",
        "const listsFirst = how === 'allOrNothing';",
      ],
    ],
    async () => {
      const desk = await agreed({ honours: false });
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      desk.platform.files.set(A, 'theirs');
      await desk.sync.push(plan, 'all');
      return verdict(desk.platform.files.get(A) === 'theirs', 'a version of a colleague was overwritten');
    },
  ),
  rule(
    'plan-recheck-editor',
    'replaces a file under an editor that was changed after the plan',
    [
      ['sync/core/transfer/pull.ts', 'if (editors.dirty().has(path)) {', 'if (false) {'],
      ['sync/core/transfer/local-effects.ts', 'if (!editors.dirty().has(staged.path)) return', 'return'],
    ],
    async () => {
      const dirty = new Set<string>();
      const desk = await agreed({ ports: (ports) => ({ ...ports, editors: { dirty: () => dirty } }) });
      desk.platform.files.set(A, 'theirs');
      const plan = await desk.sync.plan();
      dirty.add(A);
      await desk.sync.pull(plan, 'all');
      return verdict(desk.files()[A] === 'a', 'a file was replaced under an editor with unsaved changes');
    },
  ),
  rule(
    'plan-held-replace',
    'replaces a file under an editor that was opened while the journal was written',
    [['sync/core/transfer/local-effects.ts', 'if (!editors.dirty().has(staged.path)) return', 'return']],
    async () => {
      const desk = await openedLate(A, (platform) => platform.set(A, 'theirs'));
      return verdict(desk.files()[A] === 'a', 'a file was replaced under an editor');
    },
  ),
  rule(
    'plan-held-remove',
    'deletes a file under an editor that was opened while the journal was written',
    [['sync/core/transfer/local-effects.ts', "editors.dirty().has(path) ? { kind: 'held' } :", '']],
    async () => {
      const desk = await openedLate(A, (platform) => platform.delete(A));
      return verdict(desk.files()[A] === 'a', 'a file was deleted under an editor');
    },
  ),
  rule(
    'plan-held-rename',
    'gives a file the name of an editor that was opened while the journal was written',
    [['sync/core/transfer/local-effects.ts', "dirty.has(from) || dirty.has(to) ? { kind: 'held' } :", '']],
    async () => {
      const desk = await openedLate(NEW, (platform) => {
        platform.delete(A);
        platform.set(NEW, 'a');
      });
      return verdict(desk.files()[NEW] === undefined, 'a version would be overwritten unseen by the next save');
    },
  ),
  rule(
    'plan-reported',
    'says nothing of a file that it left out',
    [
      [
        'sync/core/transfer/sync-run.ts',
        'const complete = changed.length === 0 && failed.length === 0;',
        'const complete = failed.length === 0;',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.platform.files.set(A, 'theirs');
      const plan = await desk.sync.plan();
      desk.write(A, 'mine');
      const { status, changed } = await desk.sync.pull(plan, 'all');
      return verdict(status === 'partial' && changed.includes(A), `a run that left a file out is called ${status}`);
    },
  ),
  rule(
    'plan-read-only',
    'writes to a branch that is nobody’s dev branch',
    [['sync/core/target.ts', 'return /^dev-\\S+$/.test(name)', 'return name !== ""']],
    () => verdict(!devBranch('main').ok, 'a shared branch counts as a dev branch'),
  ),
];
