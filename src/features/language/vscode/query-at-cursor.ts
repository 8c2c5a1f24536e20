import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { Hint } from '#shell/user-error.ts';
import type { PlatformPort } from './dependencies.ts';
import { nameAt } from './queried-name.ts';

/** Opens the playground with the cube, view or member at the cursor. */
export async function queryAtCursor(platform: PlatformPort | undefined): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const name = editor && (await nameAt(editor.document.uri, editor.selection.active));
  if (!editor || name === undefined)
    throw new Hint('Place the cursor in a cube or view of the model, then run this command again.');
  await platform?.query({ uri: editor.document.uri.toString(), name });
}
