import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { type ConsoleCommands, consoleCommands } from '#shell/commands/workspace-commands.ts';
import { layoutPreview, logView, objectScheme } from '#shell/view-ids.ts';
import { keptDocuments } from '#shell/vscode/documents/kept-documents.ts';
import { type Handlers, handOver } from '#shell/vscode/register.ts';
import type { Services } from './services.ts';
import type { LazyConsole, OpenedConsole } from './parts.ts';

/** Loads the console once; its documents are there from the start, since VS Code restores editors. */
export function lazyConsole(services: Omit<Services, 'console'>, store: DisposableStore): LazyConsole {
  let opened: Promise<OpenedConsole> | undefined;
  const open: LazyConsole = () => {
    opened ??= import('#compose/console.ts').then((module) => store.add(module.openConsole({ ...services, objects })));
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
export function consoleHandlers(console: LazyConsole): Handlers<ConsoleCommands> {
  return handOver<ConsoleCommands>(consoleCommands, console);
}
