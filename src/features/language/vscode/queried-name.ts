import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { outlineName, outlineNameAt } from '#features/language/outline-name.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** The symbol kinds of the language server for cubes and views, measures, dimensions and segments. */
const kinds = {
  entities: [vscode.SymbolKind.Class, vscode.SymbolKind.Interface],
  members: [vscode.SymbolKind.Function, vscode.SymbolKind.Field, vscode.SymbolKind.Boolean],
};

/** Resolves to the cube, view or member (`orders`, `orders.count`) whose definition contains a position of a model file. */
export async function nameAt(uri: vscode.Uri, position: vscode.Position): Promise<string | undefined> {
  return outlineName(await outlineOf(uri), kinds, ({ range }) => range.contains(position));
}

/** Does the same, but only if the position is in the name in that definition. */
export async function nameUnder(uri: vscode.Uri, position: vscode.Position): Promise<string | undefined> {
  return outlineNameAt(await outlineOf(uri), kinds, ({ selectionRange }) => selectionRange.contains(position));
}

async function outlineOf(uri: vscode.Uri): Promise<readonly vscode.DocumentSymbol[]> {
  return (await executeBuiltIn('vscode.executeDocumentSymbolProvider', uri)) ?? [];
}
