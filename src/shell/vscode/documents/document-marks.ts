import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { DocumentProblem } from '#shell/env-vars.ts';
import { rangeOf, valueRanges } from '#shell/json-text.ts';
import { problemAt, rangeIn } from '../marks.ts';
import type { DocumentFiles } from './document-files.ts';
import { parseDocument, type PlatformDocument } from './platform-document.ts';

/** Reports the problems of open documents while the user types, for documents that can be checked. */
export function registerDocumentMarks(files: DocumentFiles): Disposable {
  const store = new DisposableStore();
  const marks = store.add(vscode.languages.createDiagnosticCollection('modelbench.documents'));
  const check = (document: vscode.TextDocument): void => {
    const { problems } = files.documentOf(document.uri) ?? {};
    if (problems) marks.set(document.uri, marksOf(document, problems));
  };
  store.add(vscode.workspace.onDidOpenTextDocument(check));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)));
  // The problems also depend on the platform's version.
  store.add(vscode.workspace.onDidSaveTextDocument(check));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => marks.delete(uri)));
  for (const document of vscode.workspace.textDocuments) check(document);
  return store;
}

function marksOf(
  document: vscode.TextDocument,
  problems: NonNullable<PlatformDocument['problems']>,
): vscode.Diagnostic[] {
  const text = document.getText();
  const ranges = valueRanges(text);
  return problemsOf(text, problems).map(({ path, message, severity }) => {
    return problemAt(rangeIn(document, rangeOf(ranges, path)), message, severity);
  });
}

/** Returns the problems of a text; VS Code itself reports text that is not JSON. */
function problemsOf(text: string, problems: NonNullable<PlatformDocument['problems']>): readonly DocumentProblem[] {
  let edited: unknown;
  try {
    edited = parseDocument(text);
  } catch {
    return [];
  }
  return problems(edited);
}
