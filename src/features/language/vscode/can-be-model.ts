import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { looksLikeModel } from '#model/looks-like-model.ts';

/** The first part of a document is enough to see whether it holds a model. */
const HEAD = 20_000;

/** Whether the language server is wanted for a document. */
export function canBeModel(document: vscode.TextDocument): boolean {
  if (document.languageId !== 'yaml' && document.languageId !== 'modelbench-yaml-jinja') return false;
  return looksLikeModel('.yml', document.getText().slice(0, HEAD));
}
