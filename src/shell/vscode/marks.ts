import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage } from '#base/user-text.ts';

/** Converts offsets of a document to a range. */
export function rangeIn(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Creates a problem that Modelbench found; `message` may contain text from outside. */
export function problemAt(
  range: vscode.Range,
  message: string,
  severity: 'error' | 'warning' = 'error',
  source = 'Modelbench',
): vscode.Diagnostic {
  const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const problem = new vscode.Diagnostic(range, passage(message), level);
  problem.source = source;
  return problem;
}
