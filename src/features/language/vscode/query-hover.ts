import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { lensCommands } from '#features/language/messages.ts';
import { commandLink } from '#shell/vscode/guarded/markdown.ts';
import { nameUnder } from './queried-name.ts';

/**
 * *Query This*, in the hover of a cube, view or member where its definition names it. It is a text of its own: the hover of the
 * language server, which quotes the model, runs no commands.
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
