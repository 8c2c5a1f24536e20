import * as vscode from '#vscode/guarded/vscode.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { ConsoleCommands } from '#protocol/console-commands.ts';
import { layoutPreview, logView, objectScheme } from '#protocol/views.ts';
import { keptDocuments } from './documents/kept-documents.ts';
import { type Handlers, handOver } from './commands/register.ts';
import type { Services } from './services.ts';
import type { LazyConsole, OpenedConsole } from './parts.ts';

/** Loads the console once; its documents are there from the start, since VS Code restores editors. */
export function lazyConsole(services: Omit<Services, 'console'>, store: DisposableStore): LazyConsole {
  let opened: Promise<OpenedConsole> | undefined;
  const open: LazyConsole = () => {
    opened ??= import('#vscode/console/console.ts').then((module) =>
      store.add(module.openConsole({ ...services, objects })),
    );
    return opened;
  };
  const objects = keptDocuments(services, store, {
    scheme: objectScheme,
    name: 'console.documents',
    make: async (recipe, path) => (await open()).documentOf(recipe, path),
  });
  store.add(
    vscode.window.registerWebviewPanelSerializer(layoutPreview, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await open()).restorePreview(panel, state),
    }),
  );
  store.add(
    vscode.window.registerWebviewPanelSerializer(logView, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await open()).restoreLog(panel, state),
    }),
  );
  return open;
}

/** Hands each command to the console. */
export function consoleCommands(console: LazyConsole): Handlers<ConsoleCommands> {
  return handOver<ConsoleCommands>(
    {
      'modelbench.deployment.changeVersion': true,
      'modelbench.deployment.editVariables': true,
      'modelbench.deployment.showPods': true,
      'modelbench.deployment.showLogs': true,
      'modelbench.deployment.dbtSync': true,
      'modelbench.deployment.create': true,
      'modelbench.deployment.delete': true,
      'modelbench.deployment.connectGithub': true,
      'modelbench.deployment.creationStep': true,
      'modelbench.notification.show': true,
      'modelbench.notification.create': true,
      'modelbench.notification.delete': true,
      'modelbench.environment.createToken': true,
      'modelbench.branch.review': true,
      'modelbench.branch.validate': true,
      'modelbench.audit.show': true,
      'modelbench.audit.export': true,
      'modelbench.workspace.search': true,
      'modelbench.workspace.move': true,
      'modelbench.workspace.delete': true,
      'modelbench.workspace.duplicate': true,
      'modelbench.workspace.edit': true,
      'modelbench.workspace.create': true,
      'modelbench.workspace.connectSpreadsheet': true,
      'modelbench.workspace.copyId': true,
      'modelbench.dashboard.open': true,
      'modelbench.dashboard.publish': true,
      'modelbench.dashboard.openPublished': true,
      'modelbench.dashboard.preview': true,
      'modelbench.dashboard.attachThread': true,
      'modelbench.dashboard.embedAccess': true,
      'modelbench.dashboard.signedEmbedding': true,
      'modelbench.dashboard.runPython': true,
    },
    console,
  );
}
