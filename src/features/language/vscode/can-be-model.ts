import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { looksLikeModel } from '#model/project/looks-like-model.ts';

/** The length of a document's beginning that shows whether it contains a model. */
const HEAD = 20_000;

/** Whether a document needs the language server. */
export function canBeModel(document: vscode.TextDocument): boolean {
  if (document.languageId !== 'yaml' && document.languageId !== 'modelbench-yaml-jinja') return false;
  return looksLikeModel('.yml', document.getText().slice(0, HEAD));
}
