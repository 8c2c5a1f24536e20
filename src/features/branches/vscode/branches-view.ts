import { textOf } from '#base/user-text.ts';
import { derived } from '#base/derived.ts';
import type { Disposable } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { observe, type ReadonlyStore } from '#base/store.ts';
import { comparableUrl } from '#features/accounts/index.ts';
import { branchKey, type BuildState } from '#features/platform/index.ts';
import { type ChangeCounts, countsOn } from '#features/changes/index.ts';
import { failureOf } from '#shell/error-texts.ts';
import { branchTree, type BranchesNode, describeBranchesNode } from '#features/branches/branch-tree.ts';
import {
  type BranchListDeps,
  checkActiveBuild,
  loadBranches,
  watchBranches,
} from '#features/branches/watch-branches.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { views } from '#shell/view-ids.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { isProtected } from '#shell/vscode/protection.ts';
import { onDidChangeSetting } from '#shell/vscode/settings.ts';
import { registerTree } from '#shell/vscode/register-tree.ts';
import type { ActiveCountDeps, BranchesViewDeps } from './deps.ts';

/** Contributes the view of the shown deployment's branches, grouped by role, with commands for dev mode, staging and Git. */
export function branchesView(deps: BranchesViewDeps): Contribution {
  return {
    id: views.branches,
    register: (store) => {
      const settings = store.add(new Emitter<void>());
      store.add(onDidChangeSetting(['protected.branches', 'protected.deployments'], () => settings.fire()));
      const { data, session } = deps.list;
      // A separate store: a sync changes its state often, and thousands of branches should not be redrawn each time.
      const changes = store.add(countsOfActive(deps.counts));
      const nodes = store.add(
        derived<readonly BranchesNode[]>(() => {
          settings.track();
          const target = session.active.value;
          return target ? nodesOf(deps, target, changes.value) : [];
        }),
      );
      const ensure = async (): Promise<void> => {
        const target = session.active.value;
        if (target) await loadBranches(deps.list, target);
      };
      const { view } = registerTree(views.branches, { nodes, describe: describeBranchesNode, ensure }, store);
      const show = (): void => {
        const target = session.active.value;
        const name = target ? data.titleOf(target) : '';
        if (view.description !== name) view.description = textOf(name);
        if (!target || !view.visible) return;
        void data.of(target).branches.start();
        void data.of(target).keyBranch.start();
      };
      store.add(session.active.onDidChange(() => deps.branchPages.set(new Map())));
      store.add(observe(session.active, show));
      store.add(data.onDidChange(show));
      store.add(watchBranches(deps.list));
      store.add(view.onDidChangeVisibility(show));
      store.add(observe(session.active, (target) => checkActiveBuild(deps.list, target)));
      store.add(session.onDidChangeDevMode((target) => checkActiveBuild(deps.list, target)));
    },
  };
}

function countsOfActive(deps: ActiveCountDeps): ReadonlyStore<ChangeCounts | undefined> & Disposable {
  const { session } = deps;
  return derived<ChangeCounts | undefined>(() => {
    const active = session.activeTarget();
    return active && countsOn(deps, active);
  });
}

function nodesOf(
  deps: BranchesViewDeps,
  target: DeploymentTarget,
  changes: ChangeCounts | undefined,
): readonly BranchesNode[] {
  const { data, forks, session } = deps.list;
  const state = data.known(target)?.branches.state.value;
  if (!state) return [];
  const active = session.activeBranch(target);
  return branchTree({
    ...target,
    branches: state.value,
    error: failureOf(state.error),
    mine: session.myBranches(target),
    active,
    builds: buildsOf(deps.list, target, state.value ?? []),
    isProtected: (branchName) => isProtected({ data }, { ...target, branchName }),
    filter: deps.branchFilter.value,
    pages: deps.branchPages.value,
    forkPoints: forks.of(target),
    changes,
    windows: deps.windows.on(target),
    keyBranch: data.known(target)?.keyBranch.value,
    otherAccounts: otherAccounts({ accounts: deps.accounts, session }, target),
  });
}

/** Returns the dev branches of the same deployment that other accounts of this machine are on. */
function otherAccounts(
  { accounts, session }: Pick<BranchesViewDeps, 'accounts'> & Pick<ActiveCountDeps, 'session'>,
  target: DeploymentTarget,
): ReadonlyMap<string, string> {
  const own = accounts.get(target.accountId);
  const found = new Map<string, string>();
  for (const { id, label, tenantUrl } of accounts.all.value) {
    if (id === target.accountId || !own || comparableUrl(tenantUrl) !== comparableUrl(own.tenantUrl)) continue;
    const branch = session.activeBranch({ ...target, accountId: id });
    if (branch !== undefined) found.set(branch, label);
  }
  return found;
}

function buildsOf(
  { builds }: Pick<BranchListDeps, 'builds'>,
  target: DeploymentTarget,
  branches: readonly { readonly name: string }[],
): ReadonlyMap<string, BuildState> {
  const states = builds.states.value;
  const found = new Map<string, BuildState>();
  for (const { name } of branches) {
    const state = states.get(branchKey({ ...target, branchName: name }));
    if (state) found.set(name, state);
  }
  return found;
}
