import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { lensCommands } from '#features/language/messages.ts';
import { commandLink } from '#shell/vscode/guarded/markdown.ts';
import { nameUnder } from './queried-name.ts';

/**
 * Resolves to *Query This*, for the hover of the name in the definition of a cube, view or member. It is a separate hover,
 * because the language server's own, which quotes the model, may not run commands.
 */
export async function queryHover(
  { uri }: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.MarkdownString | undefined> {
  const name = await nameUnder(uri, position);
  return name === undefined
    ? undefined
    : commandLink(text`Query This`, lensCommands.queryMember, { uri: uri.toString(), name });
}
