import { derived } from '#base/derived.ts';
import { observe, type ReadonlyStore } from '#base/store.ts';
import { failureOf } from '#shell/error-texts.ts';
import {
  deploymentNodeId,
  deploymentTree,
  type DeploymentsNode,
  describeDeploymentsNode,
} from '#features/deployments/deployment-tree.ts';
import { OpenedDeployments } from '#features/deployments/opened-deployments.ts';
import { views } from '#shell/view-ids.ts';
import { isOffline } from '#features/platform/index.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { DeploymentsViewDeps } from './deps.ts';
import { registerTree } from '#shell/vscode/register-tree.ts';
import { revealer } from '#shell/vscode/reveal.ts';

/** Contributes the view of deployments with their environments, versions and build states. */
export function deploymentsView(services: DeploymentsViewDeps): Contribution {
  return {
    id: views.deployments,
    register: (store) => {
      const opened = new OpenedDeployments(services);
      const nodes = store.add(nodesOf(services, opened));
      const { view, provider } = registerTree(
        views.deployments,
        {
          nodes,
          describe: describeDeploymentsNode,
          ensure: async () => {
            // The linked deployment is expanded when it is first shown, so it must be known by then.
            await services.session.whenLinksFound;
            const started = services.accounts.all.value.map(({ id }) => services.data.deployments(id).start());
            // A request that waits for another key must not delay the row that explains it.
            await Promise.race([Promise.all(started), nextChange(services.accounts.refused)]);
          },
          expand: async (node) => {
            if (node.kind === 'deployment') await opened.open(node);
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
      store.add(services.data.onDidChange(() => opened.checkBuilds()));
      store.add(view.onDidChangeVisibility(start));
      // When another deployment becomes active, for example a new one, reveal its row.
      let before = services.session.active.value;
      const reveal = revealer({ view, nodes, elementOf: (id) => provider.elementOf(id) }, store);
      store.add(
        services.session.active.onDidChange((target) => {
          // The first one comes with the window's folders, not from the user.
          if (before && target) reveal(deploymentNodeId(target));
          before = target;
        }),
      );
      // Load the list even while the view is hidden, because other views show the name of the active deployment.
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

function nodesOf(
  services: DeploymentsViewDeps,
  opened: OpenedDeployments,
): ReadonlyStore<readonly DeploymentsNode[]> & { dispose(): void } {
  const { accounts, data, session } = services;
  return derived<readonly DeploymentsNode[]>(() =>
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
      details: (target) => opened.detailsOf(target),
      active: session.active.value,
      isLinked: (target) => session.foldersOf(target).length > 0,
    }),
  );
}
