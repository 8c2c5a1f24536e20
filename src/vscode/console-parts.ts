import * as vscode from 'vscode';
import type { DisposableStore } from '#base/disposable.ts';
import type { ConsoleCommands } from '#protocol/console-commands.ts';
import type { OpenedConsole } from '#vscode/console/console.ts';
import { layoutPreview, objectScheme } from '#protocol/views.ts';
import { DocumentFiles } from './console/document-files.ts';
import { DocumentMemory } from './console/document-memory.ts';
import { stateStore } from './platform/stores.ts';
import type { Handlers } from './commands/register.ts';
import type { Services } from './services.ts';

/** The console, opened when it is first needed: its code is a bundle of its own. */
export type LazyConsole = () => Promise<OpenedConsole>;

/** Loads the console once; its documents are there from the start, since VS Code restores editors. */
export function lazyConsole(services: Omit<Services, 'console'>, store: DisposableStore): LazyConsole {
  let opened: Promise<OpenedConsole> | undefined;
  const open: LazyConsole = () => {
    opened ??= import('#vscode/console/console.ts').then((module) =>
      store.add(module.openConsole({ ...services, objects })),
    );
    return opened;
  };
  const { context, accounts } = services;
  const memory = new DocumentMemory(stateStore(context.workspaceState), context.secrets, 'console.documents');
  store.add(accounts.all.onDidChange((all) => void memory.keepOnly(new Set(all.map(({ id }) => id)))));
  const objects = store.add(
    new DocumentFiles(objectScheme, {
      memory,
      make: async (recipe, path) => (await open()).documentOf(recipe, path),
    }),
  );
  store.add(
    vscode.window.registerWebviewPanelSerializer(layoutPreview, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await open()).restorePreview(panel, state),
    }),
  );
  return open;
}

/** Hands each command to the console. */
export function consoleCommands(console: LazyConsole): Handlers<ConsoleCommands> {
  const hand =
    (id: keyof ConsoleCommands) =>
    async (argument?: unknown, selection?: unknown): Promise<unknown> =>
      (await console()).commands[id](argument, selection);
  return {
    'modelbench.deployment.changeVersion': hand('modelbench.deployment.changeVersion'),
    'modelbench.deployment.editVariables': hand('modelbench.deployment.editVariables'),
    'modelbench.deployment.showPods': hand('modelbench.deployment.showPods'),
    'modelbench.deployment.showLogs': hand('modelbench.deployment.showLogs'),
    'modelbench.deployment.dbtSync': hand('modelbench.deployment.dbtSync'),
    'modelbench.deployment.create': hand('modelbench.deployment.create'),
    'modelbench.deployment.delete': hand('modelbench.deployment.delete'),
    'modelbench.deployment.connectGithub': hand('modelbench.deployment.connectGithub'),
    'modelbench.deployment.creationStep': hand('modelbench.deployment.creationStep'),
    'modelbench.notification.show': hand('modelbench.notification.show'),
    'modelbench.notification.create': hand('modelbench.notification.create'),
    'modelbench.notification.delete': hand('modelbench.notification.delete'),
    'modelbench.environment.createToken': hand('modelbench.environment.createToken'),
    'modelbench.branch.review': hand('modelbench.branch.review'),
    'modelbench.audit.show': hand('modelbench.audit.show'),
    'modelbench.audit.export': hand('modelbench.audit.export'),
    'modelbench.workspace.search': hand('modelbench.workspace.search'),
    'modelbench.workspace.move': hand('modelbench.workspace.move'),
    'modelbench.workspace.delete': hand('modelbench.workspace.delete'),
    'modelbench.workspace.duplicate': hand('modelbench.workspace.duplicate'),
    'modelbench.workspace.edit': hand('modelbench.workspace.edit'),
    'modelbench.workspace.create': hand('modelbench.workspace.create'),
    'modelbench.workspace.connectSpreadsheet': hand('modelbench.workspace.connectSpreadsheet'),
    'modelbench.workspace.copyId': hand('modelbench.workspace.copyId'),
    'modelbench.dashboard.open': hand('modelbench.dashboard.open'),
    'modelbench.dashboard.publish': hand('modelbench.dashboard.publish'),
    'modelbench.dashboard.openPublished': hand('modelbench.dashboard.openPublished'),
    'modelbench.dashboard.preview': hand('modelbench.dashboard.preview'),
    'modelbench.dashboard.attachThread': hand('modelbench.dashboard.attachThread'),
    'modelbench.dashboard.embedAccess': hand('modelbench.dashboard.embedAccess'),
    'modelbench.dashboard.signedEmbedding': hand('modelbench.dashboard.signedEmbedding'),
    'modelbench.dashboard.runPython': hand('modelbench.dashboard.runPython'),
  };
}
