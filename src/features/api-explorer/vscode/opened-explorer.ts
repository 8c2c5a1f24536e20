import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Disposable } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { ExplorerNode } from '#features/api-explorer/explorer-tree.ts';
import type { ExplorerCommands } from '#shell/commands/api-explorer-commands.ts';
import type { Handlers } from '#shell/vscode/register.ts';

/** The API Explorer's rows, documents and commands. */
export interface OpenedExplorer extends Disposable {
  readonly commands: Handlers<ExplorerCommands>;
  readonly tree: ReadonlyStore<readonly ExplorerNode[]>;
  /** Resolves to the text of a document that VS Code restores from an earlier window. */
  restore(uri: vscode.Uri): Promise<string | undefined>;
}

/** Loads the API Explorer when it is first used. */
export type LazyExplorer = () => Promise<OpenedExplorer>;
