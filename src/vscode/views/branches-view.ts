import * as vscode from 'vscode';
import { derived } from '#base/derived.ts';
import { observe } from '#base/store.ts';
import { branchKey } from '#features/build-watch.ts';
import type { BuildState } from '#features/build-state.ts';
import { errorLine } from '#features/error-words.ts';
import { branchTree, type BranchesNode, describeBranchesNode } from '#features/trees/branch-tree.ts';
import { deploymentOnly } from '#features/session.ts';
import type { DeploymentTarget } from '#protocol/targets.ts';
import { views } from '#protocol/views.ts';
import type { Contribution } from '../contribution.ts';
import { isProtected } from '../protection.ts';
import { onDidChangeSetting } from '../platform/settings.ts';
import type { Services } from '../services.ts';
import { registerTree } from './register-tree.ts';

/** Branches of the shown deployment, grouped; what dev mode, staging and Git act on. */
export function branchesView(services: Services): Contribution {
  return {
    id: views.branches,
    register: (store) => {
      const settings = store.add(new vscode.EventEmitter<void>());
      store.add(onDidChangeSetting(['protected.branches', 'protected.deployments'], () => settings.fire()));
      const { data, session, builds } = services;
      const nodes = store.add(
        derived<readonly BranchesNode[]>(
          [
            data.onDidChange,
            session.active.onDidChange,
            session.onDidChangeDevMode,
            builds.states.onDidChange,
            services.branchFilter.onDidChange,
            settings.event,
          ],
          () => {
            const target = session.active.value;
            return target ? nodesOf(services, target) : [];
          },
        ),
      );
      const ensure = async (): Promise<void> => {
        const target = session.active.value;
        if (target) await loadBranches(services, target);
      };
      const { view } = registerTree(views.branches, { nodes, describe: describeBranchesNode, ensure }, store);
      const show = (): void => {
        const target = session.active.value;
        const name = target ? data.nameOf(target) : '';
        if (view.description !== name) view.description = name;
        if (target && view.visible) void data.of(target).branches.start();
      };
      store.add(observe(session.active, show));
      store.add(data.onDidChange(show));
      store.add(view.onDidChangeVisibility(show));
      store.add(observe(session.active, (target) => lookAtActive(services, target)));
      store.add(session.onDidChangeDevMode((target) => lookAtActive(services, target)));
    },
  };
}

function nodesOf(services: Services, target: DeploymentTarget): readonly BranchesNode[] {
  const { data, session } = services;
  const state = data.known(target)?.branches.state.value;
  if (!state) return [];
  return branchTree({
    ...target,
    branches: state.value,
    error: errorLine(state.error),
    mine: session.myBranches(target),
    active: session.activeBranch(target),
    builds: buildsOf(services, target, state.value ?? []),
    isProtected: (branchName) => isProtected(services, { ...target, branchName }),
    filter: services.branchFilter.value,
  });
}

function buildsOf(
  { builds }: Services,
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

/** Loads the list, drops dev branches that are gone, and looks at the build of the active one. */
export async function loadBranches(services: Services, target: DeploymentTarget): Promise<void> {
  await services.data.of(target).branches.start();
  lookAtActive(services, target);
}

function lookAtActive({ session, builds }: Services, target: DeploymentTarget | undefined): void {
  const active = target && session.activeBranch(target);
  if (target && active !== undefined) void builds.look({ ...deploymentOnly(target), branchName: active });
}
