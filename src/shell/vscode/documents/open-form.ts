import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { formType } from '#shell/view-ids.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** Opens a platform document as a form. */
export async function openForm(
  uri: vscode.Uri,
  options: vscode.TextDocumentShowOptions = { preview: false },
): Promise<void> {
  await executeBuiltIn('vscode.openWith', uri, formType(uri.scheme), options);
}
