import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { outlineName } from '#features/language/outline-name.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { Hint } from '#shell/user-error.ts';
import type { PlatformPort } from './dependencies.ts';

/** The kinds that the language server gives cubes and views, measures, dimensions and segments. */
const kinds = {
  entities: [vscode.SymbolKind.Class, vscode.SymbolKind.Interface],
  members: [vscode.SymbolKind.Function, vscode.SymbolKind.Field, vscode.SymbolKind.Boolean],
};

/** Opens the playground with the cube, view or member at the cursor. */
export async function queryAtCursor(platform: PlatformPort | undefined): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const name = editor && (await nameAt(editor.document.uri, editor.selection.active));
  if (!editor || name === undefined)
    throw new Hint('Place the cursor in a cube or view of the model, then run this command again.');
  await platform?.query({ uri: editor.document.uri.toString(), name });
}

async function nameAt(uri: vscode.Uri, position: vscode.Position): Promise<string | undefined> {
  const outline = (await executeBuiltIn('vscode.executeDocumentSymbolProvider', uri)) ?? [];
  return outlineName(outline, kinds, ({ range }) => range.contains(position));
}
