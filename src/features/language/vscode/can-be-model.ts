import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { looksLikeModel } from '#model/project/looks-like-model.ts';

/** Languages whose documents can be models; the server itself decides which of them are. */
export const LANGUAGES = ['yaml', 'modelbench-yaml-jinja', 'javascript'] as const;

/** The length of a document's beginning that shows whether it contains a model. */
const HEAD = 20_000;

/** Whether a document needs the language server. */
export function canBeModel(document: vscode.TextDocument): boolean {
  const { languageId } = document;
  if (!LANGUAGES.some((each) => each === languageId)) return false;
  return looksLikeModel('', document.getText().slice(0, HEAD), languageId === 'javascript' ? 'script' : 'yaml');
}
