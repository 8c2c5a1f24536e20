import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DocumentTarget } from '#shell/targets.ts';

/** Returns the URI of the given document, or else of the active editor's document. */
export function documentUri(given: DocumentTarget | undefined): vscode.Uri | undefined {
  return given ? vscode.Uri.parse(given.uri, true) : vscode.window.activeTextEditor?.document.uri;
}
