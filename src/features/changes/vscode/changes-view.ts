import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { derived } from '#base/derived.ts';
import type { ChangeCounts } from '#features/changes/change-counts.ts';
import { failureOf } from '#shell/error-words.ts';
import type { LinkedFolder } from '#features/platform/link.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import {
  changeTree,
  type ChangesNode,
  type ChangeTreeInput,
  describeChangesNode,
} from '#features/changes/change-tree.ts';
import { describePlanNode, type PlanPurpose, planSummary } from '#features/folders/plan-tree.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { views } from '#shell/view-ids.ts';
import { observe } from '#base/store.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { attemptOf, gitConflictsOf } from '#features/history/vscode/index.ts';
import { pushSetting } from '#features/folders/vscode/sync-settings.ts';
import { fileUri } from '#features/folders/vscode/folder-uris.ts';
import { registerTree } from '#shell/vscode/register-tree.ts';
import type { ChangeCountDeps, ChangesViewDeps, PlanViewDeps } from './deps.ts';

/** Local and remote changes of the linked folders, with their number on the activity bar. */
export function changesView(deps: ChangesViewDeps): Contribution {
  const { attempts, data, session, syncs } = deps;
  return {
    id: views.changes,
    register: (store) => {
      const nodes = store.add(
        derived<readonly ChangesNode[]>(
          [
            syncs.onDidChange,
            session.links.onDidChange,
            session.active.onDidChange,
            session.onDidChangeDevMode,
            attempts.onDidChange,
            deps.settledPulls.onDidChange,
            deps.saveChoices.onDidChange,
            data.onDidChange,
          ],
          () => nodesOf(deps),
        ),
      );
      const model = { nodes, describe: describeChangesNode, fileUri };
      const { view } = registerTree(views.changes, model, store, { canSelectMany: true });
      const counts = store.add(derived([syncs.onDidChange, attempts.onDidChange], () => countsOf(deps)));
      store.add(
        observe(counts, ({ local, remote, conflicts }) => {
          const total = local + remote + conflicts;
          view.badge =
            total === 0
              ? undefined
              : { value: total, tooltip: text`${local} local, ${remote} remote, ${conflicts} conflicting changes` };
        }),
      );
    },
  };
}

const planTitles: Readonly<Record<PlanPurpose, string>> = {
  push: 'Push Plan',
  pull: 'Pull Plan',
  deploy: 'Deploy Plan',
};

/** The push, pull or deploy plan, with a tick box for each file. */
export function planView({ plan, syncs }: PlanViewDeps): Contribution {
  return {
    id: views.plan,
    register: (store) => {
      const model = { nodes: plan.nodes, describe: describePlanNode, fileUri };
      const { view, provider } = registerTree(views.plan, model, store, { manageCheckboxStateManually: true });
      // The first row of a plan takes the focus as soon as the view shows it, once: the plan changes while it is reviewed.
      let shown: symbol | undefined;
      const focus = (): void => {
        const open = plan.open.value;
        const [first] = plan.nodes.value;
        const element = first && provider.elementOf(first.id);
        const review = open?.plan && open.review;
        if (!view.visible || review === shown) return;
        shown = review;
        if (!review || !element) return;
        // A tree that is just being drawn anew may refuse: the next event asks again.
        view.reveal(element, { focus: true, select: false }).then(undefined, () => {
          if (shown === review) shown = undefined;
        });
      };
      store.add(view.onDidChangeVisibility(focus));
      store.add(plan.nodes.onDidChange(focus));
      // A plan belongs to one folder and branch: with any other it means nothing.
      store.add(syncs.all.onDidChange((all) => plan.keepOnly(all)));
      store.add(
        view.onDidChangeCheckboxState(({ items }) =>
          plan.tick(
            items.map(([element, state]) => [element.node, state === vscode.TreeItemCheckboxState.Checked] as const),
          ),
        ),
      );
      store.add(
        observe(plan.open, (open) => {
          view.title = textOf(open ? planTitles[open.purpose] : planTitles.push);
          const summary = open?.plan && planSummary(open.plan, open.direction, open.ticked);
          view.description = textOf(
            [open?.session.target.branchName, summary].filter((fact) => fact !== undefined).join(' · '),
          );
        }),
      );
    },
  };
}

function nodesOf(deps: ChangesViewDeps): readonly ChangesNode[] {
  const { session, syncs, isTrusted } = deps;
  return changeTree(
    session.links.value.map((folder) => {
      const open = syncs.ofFolder(folder.folderId);
      return {
        folderId: folder.folderId,
        name: folder.name,
        branch: open?.target.branchName,
        unreturned: open && deps.settledPulls.waiting({ ...open.target, folderId: folder.folderId }),
        problem:
          folder.problem === undefined
            ? failureOf(syncs.problem(folder.folderId))
            : { title: 'Link cannot be used', message: folder.problem },
        isPushOpen: deps.saveChoices.of(folder.folderId, pushSetting(folder.folderId)) === undefined,
        status: open?.sync.status.value,
        attempt: open && attemptOf(deps, open),
        elsewhere: shownElsewhere(deps, folder),
        opening: open || !isTrusted.value ? undefined : openingBranch(session, folder),
      };
    }),
  );
}

/** A folder's deployment, while the views show one that no folder of the window is linked to. */
function shownElsewhere(
  { data, session }: Pick<ChangesViewDeps, 'data' | 'session'>,
  folder: LinkedFolder,
): ChangeTreeInput['elsewhere'] {
  const shown = session.active.value;
  const target = session.targetOf(folder);
  if (!shown || !target || session.foldersOf(shown).length > 0) return undefined;
  return { ...target, linked: data.titleOf(target), shown: data.titleOf(shown) };
}

/** The branch that a folder's sync is being opened for. */
function openingBranch(session: ChangesViewDeps['session'], folder: LinkedFolder): string | undefined {
  const target = session.targetOf(folder);
  return target && session.activeBranch(target);
}

/** Numbers of all linked folders together. */
export function countsOf(deps: ChangeCountDeps): ChangeCounts {
  return countsIn(deps, deps.syncs.all.value);
}

/** Numbers of the folders that a branch has here; `undefined` before the first comparison. */
export function countsOn(deps: ChangeCountDeps, target: BranchTarget): ChangeCounts | undefined {
  const looked = deps.syncs.ofBranch(target).filter(({ sync }) => sync.status.value.lastChecked !== undefined);
  return looked.length === 0 ? undefined : countsIn(deps, looked);
}

function countsIn(deps: ChangeCountDeps, sessions: readonly SyncSession[]): ChangeCounts {
  let [local, remote, conflicts] = [0, 0, 0];
  for (const session of sessions) {
    const status = session.sync.status.value;
    local += status.localChanges.length;
    remote += status.remoteChanges.length;
    conflicts += status.conflicts.length + gitConflictsOf(deps, session).length;
  }
  return { local, remote, conflicts };
}
