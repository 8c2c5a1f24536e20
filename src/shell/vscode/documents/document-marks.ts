import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage } from '#base/user-text.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { DocumentProblem } from '#shell/env-vars.ts';
import { rangeOf, valueRanges } from '#shell/json-text.ts';
import type { DocumentFiles } from './document-files.ts';
import { parseDocument, type PlatformDocument } from './platform-document.ts';

/** Marks what is wrong in open documents while a user types, where a document can tell. */
export function registerDocumentMarks(files: DocumentFiles): Disposable {
  const store = new DisposableStore();
  const marks = store.add(vscode.languages.createDiagnosticCollection('modelbench.documents'));
  const look = (document: vscode.TextDocument): void => {
    const { problems } = files.documentOf(document.uri) ?? {};
    if (problems) marks.set(document.uri, marksOf(document, problems));
  };
  store.add(vscode.workspace.onDidOpenTextDocument(look));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)));
  // What is wrong depends on what the platform has, too.
  store.add(vscode.workspace.onDidSaveTextDocument(look));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => marks.delete(uri)));
  for (const document of vscode.workspace.textDocuments) look(document);
  return store;
}

function marksOf(
  document: vscode.TextDocument,
  problems: NonNullable<PlatformDocument['problems']>,
): vscode.Diagnostic[] {
  const text = document.getText();
  const ranges = valueRanges(text);
  return problemsOf(text, problems).map(({ path, message, severity }) => {
    const { start, end } = rangeOf(ranges, path);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
    const mark = new vscode.Diagnostic(range, passage(message), level);
    mark.source = 'Modelbench';
    return mark;
  });
}

/** A text that is no JSON is marked by VS Code itself. */
function problemsOf(text: string, problems: NonNullable<PlatformDocument['problems']>): readonly DocumentProblem[] {
  let edited: unknown;
  try {
    edited = parseDocument(text);
  } catch {
    return [];
  }
  return problems(edited);
}
