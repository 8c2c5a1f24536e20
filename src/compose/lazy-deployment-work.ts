import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { registerForms } from '#features/administration/vscode/lazy-forms.ts';
import { type DeploymentWorkCommands, deploymentWorkCommands } from '#shell/commands/workspace-commands.ts';
import { layoutPreview, logView, objectScheme } from '#shell/view-ids.ts';
import { restorableDocuments } from '#shell/vscode/documents/restorable-documents.ts';
import { type Handlers, handOver } from '#shell/vscode/register.ts';
import type { DeploymentWorkDeps } from './deployment-work.ts';
import type { LazyDeploymentWork, OpenedDeploymentWork } from './opened-deployment-work.ts';

/**
 * Loads the services that work on deployments at first use. Registers their documents at once because VS Code restores editors.
 */
export function lazyDeploymentWork(services: DeploymentWorkDeps, store: DisposableStore): LazyDeploymentWork {
  const { context, boundary } = services.window;
  const { accounts, owners } = services.platform;
  let opened: Promise<OpenedDeploymentWork> | undefined;
  const open: LazyDeploymentWork = () => {
    opened ??= import('#compose/deployment-work.ts').then((module) =>
      store.add(module.openDeploymentWork(services, objects)),
    );
    return opened;
  };
  const objects = restorableDocuments({ accounts, context, owners }, store, {
    scheme: objectScheme,
    name: 'console.documents',
    make: async (recipe, path) => (await open()).earlier.documentOf(recipe, path),
  });
  registerForms({ context, boundary }, objects, store);
  store.add(
    vscode.window.registerWebviewPanelSerializer(layoutPreview, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await open()).earlier.restorePreview(panel, state),
    }),
  );
  store.add(
    vscode.window.registerWebviewPanelSerializer(logView, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await open()).earlier.restoreLog(panel, state),
    }),
  );
  return open;
}

/** Forwards each command to these services. */
export function deploymentWorkHandlers(deploymentWork: LazyDeploymentWork): Handlers<DeploymentWorkCommands> {
  return handOver<DeploymentWorkCommands>(deploymentWorkCommands, deploymentWork);
}
