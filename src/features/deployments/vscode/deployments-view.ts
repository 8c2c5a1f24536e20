import { derived } from '#base/derived.ts';
import { observe, type ReadonlyStore } from '#base/store.ts';
import { branchKey } from '#features/platform/build-watch.ts';
import { deployBranchOf } from '#features/platform/branches.ts';
import { failureOf } from '#shell/error-words.ts';
import {
  type DeploymentDetails,
  deploymentNodeId,
  deploymentTree,
  type DeploymentsNode,
  describeDeploymentsNode,
} from '#features/deployments/deployment-tree.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { views } from '#shell/view-ids.ts';
import { isOffline } from '#features/platform/offline.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { DeploymentsViewDeps } from './deps.ts';
import { registerTree } from '#shell/vscode/register-tree.ts';
import { revealer } from '#shell/vscode/reveal.ts';

/** Deployments → environments, version, build state. */
export function deploymentsView(services: DeploymentsViewDeps): Contribution {
  return {
    id: views.deployments,
    register: (store) => {
      const nodes = store.add(nodesOf(services));
      const { view, provider } = registerTree(
        views.deployments,
        {
          nodes,
          describe: describeDeploymentsNode,
          ensure: async () => {
            // The linked deployment is opened when it is first drawn, so it must be known by then.
            await services.session.whenLinksFound;
            const started = services.accounts.all.value.map(({ id }) => services.data.deployments(id).start());
            // A request that waits for another key does not keep the view from saying so.
            await Promise.race([Promise.all(started), nextChange(services.accounts.refused)]);
          },
          expand: async (node) => {
            if (node.kind === 'deployment') await loadDetails(services, node);
          },
        },
        store,
      );
      const start = (): void => {
        if (!view.visible) return;
        for (const { id } of services.accounts.all.value) void services.data.deployments(id).start();
      };
      store.add(services.accounts.all.onDidChange(start));
      store.add(services.data.onDidChange(start));
      store.add(view.onDidChangeVisibility(start));
      // Another deployment is worked on now, for example one that was just made: its row is brought into sight.
      let before = services.session.active.value;
      const reveal = revealer({ view, nodes, elementOf: (id) => provider.elementOf(id) }, store);
      store.add(
        services.session.active.onDidChange((target) => {
          // The first one comes with the window's folders: nobody asked for it now.
          if (before && target) reveal(deploymentNodeId(target));
          before = target;
        }),
      );
      // The deployment that is worked on is opened for the user, so its details are asked for as well.
      store.add(
        observe(services.session.active, (target) => {
          if (target) void services.data.deployments(target.accountId).start();
        }),
      );
    },
  };
}

function nextChange(store: ReadonlyStore<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const listening = store.onDidChange(() => {
      listening.dispose();
      resolve();
    });
  });
}

function nodesOf(services: DeploymentsViewDeps): ReadonlyStore<readonly DeploymentsNode[]> & { dispose(): void } {
  const { accounts, data, session, builds } = services;
  return derived<readonly DeploymentsNode[]>(
    [
      data.onDidChange,
      accounts.all.onDidChange,
      accounts.refused.onDidChange,
      session.active.onDidChange,
      session.links.onDidChange,
      session.onDidBind,
      builds.states.onDidChange,
    ],
    () =>
      deploymentTree({
        offline: isOffline(services),
        accounts: accounts.all.value.map((account) => {
          const state = data.deployments(account.id).state.value;
          return {
            account,
            refused: accounts.refused.value.has(account.id),
            deployments: state.value,
            error: failureOf(state.error),
          };
        }),
        details: (target) => detailsOf(services, target),
        active: session.active.value,
        isLinked: (target) => session.foldersOf(target).length > 0,
      }),
  );
}

/** What is loaded of a deployment; `undefined` until it was opened once, so that opening it loads. */
function detailsOf({ data, builds }: DeploymentsViewDeps, target: DeploymentTarget): DeploymentDetails | undefined {
  const known = data.known(target);
  if (!known) return undefined;
  const environments = known.environments.state.value;
  const versions = known.versions.state.value;
  if (environments.value === undefined && environments.error === undefined) return undefined;
  const deploy = known.branches.value && deployBranchOf(known.branches.value);
  const build = deploy && builds.states.value.get(branchKey({ ...target, branchName: deploy.name }));
  return {
    environments: environments.value,
    versions: versions.value,
    deployBuild: deploy && build ? { branchName: deploy.name, build } : undefined,
    error: failureOf(environments.error ?? versions.error),
  };
}

async function loadDetails({ data, builds }: DeploymentsViewDeps, target: DeploymentTarget): Promise<void> {
  const known = data.of(target);
  await Promise.all([known.environments.ensure(), known.versions.ensure(), known.branches.ensure()]);
  const deploy = known.branches.value && deployBranchOf(known.branches.value);
  const { accountId, deploymentId } = target;
  if (deploy) void builds.look({ accountId, deploymentId, branchName: deploy.name });
}
