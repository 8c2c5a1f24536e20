import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DocumentTarget } from '#shell/targets.ts';

/** The named document, or else the one of the active editor. */
export function documentUri(given: DocumentTarget | undefined): vscode.Uri | undefined {
  return given ? vscode.Uri.parse(given.uri, true) : vscode.window.activeTextEditor?.document.uri;
}
