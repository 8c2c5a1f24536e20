import * as raw from 'vscode';
import type { Disposable } from '#base/disposable.ts';
import type { CommandArguments, CommandId } from '#shell/commands/commands.ts';
import type { ViewId } from '#shell/view-ids.ts';
import { beginCommand } from './follow-up.ts';

/** The commands of VS Code that the extension runs, with their parameters and results. */
interface BuiltInCommands {
  'vscode.executeReferenceProvider': (uri: raw.Uri, at: raw.Position) => raw.Location[];
  'vscode.executeDocumentSymbolProvider': (uri: raw.Uri) => raw.DocumentSymbol[] | undefined;
  'vscode.executeWorkspaceSymbolProvider': (query: string) => raw.SymbolInformation[] | undefined;
  'vscode.open': (uri: raw.Uri) => void;
  'vscode.openWith': (uri: raw.Uri, viewType: string, options: raw.TextDocumentShowOptions) => void;
  revealInExplorer: (uri: raw.Uri) => void;
  'vscode.openFolder': (folder: raw.Uri) => void;
  '_open.mergeEditor': (args: {
    readonly base: raw.Uri;
    readonly input1: MergeEditorInput;
    readonly input2: MergeEditorInput;
    readonly output: raw.Uri;
  }) => void;
  'editor.action.showReferences': (uri: raw.Uri, at: raw.Position, locations: readonly raw.Location[]) => void;
  'markdown.showPreview': (page: raw.Uri) => void;
  'markdown.showPreviewToSide': (page: raw.Uri) => void;
  'workbench.action.files.openFolder': () => void;
  'workbench.action.files.revert': () => void;
  'workbench.action.files.save': () => void;
  'workbench.action.reloadWindow': () => void;
  'workbench.action.reopenTextEditor': () => void;
  'workbench.action.openSettings': (query: string) => void;
  'workbench.action.openWalkthrough': (
    step: { readonly category: string; readonly step: string },
    toSide: boolean,
  ) => void;
  'workbench.actions.view.problems': () => void;
  'workbench.trust.manage': () => void;
}
export type BuiltInCommandId = keyof BuiltInCommands;

/** One side of VS Code's merge editor. */
export interface MergeEditorInput {
  readonly uri: raw.Uri;
  readonly title: string;
  readonly description?: string | undefined;
  readonly detail?: string | undefined;
}

/** Runs a command of the extension. */
export async function execute<Id extends CommandId>(id: Id, ...args: CommandArguments<Id>): Promise<void> {
  await raw.commands.executeCommand(id, ...(args as readonly unknown[]));
}

/** Runs a command of VS Code and returns its result. */
export async function executeBuiltIn<Id extends BuiltInCommandId>(
  id: Id,
  ...args: Parameters<BuiltInCommands[Id]>
): Promise<ReturnType<BuiltInCommands[Id]>> {
  return raw.commands.executeCommand(id, ...args);
}

/** Resolves to the ids of all commands of the window, VS Code's own included. */
export async function commandIds(): Promise<readonly string[]> {
  return raw.commands.getCommands(true);
}

/** Shows a view of the extension and moves the focus into it. */
export async function focusView(view: ViewId): Promise<void> {
  await raw.commands.executeCommand(`${view}.focus`);
}

/** Sets a key that `when` clauses of the manifest read. */
export async function setContext(key: string, value: unknown): Promise<void> {
  await raw.commands.executeCommand('setContext', key, value);
}

/** Registers a command of the extension; the arguments of callers are not checked yet. */
export function registerCommand(id: CommandId, run: (...args: readonly unknown[]) => unknown): Disposable {
  return raw.commands.registerCommand(id, (...args) => {
    beginCommand();
    return run(...args);
  });
}

/** Registers a command that only code lenses or drawings of the extension run. */
export function registerLensCommand(id: `modelbench.${string}`, run: (...args: never[]) => unknown): Disposable {
  return raw.commands.registerCommand(id, run);
}
