import * as raw from 'vscode';
import type { UserText } from '#base/user-text.ts';

/** Shows two documents side by side. */
export async function openDiff(
  left: raw.Uri,
  right: raw.Uri,
  title: UserText,
  options?: raw.TextDocumentShowOptions,
): Promise<void> {
  await raw.commands.executeCommand('vscode.diff', left, right, title, options);
}

/** Shows several diffs in one editor: a label, the old and the new document of each. */
export async function openChanges(
  title: UserText,
  changes: readonly (readonly [raw.Uri, raw.Uri | undefined, raw.Uri | undefined])[],
): Promise<void> {
  await raw.commands.executeCommand('vscode.changes', title, changes);
}
