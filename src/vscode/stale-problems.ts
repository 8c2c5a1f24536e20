import * as vscode from 'vscode';

/** Behind the message of a problem whose text has changed since. */
const stale = 'This was said of an earlier text.';

/**
 * Greys the problems of a document when it is edited: a build's errors are about the text that was built, and until the
 * next build nobody knows whether they still hold.
 */
export function greyWhenEdited(problems: vscode.DiagnosticCollection): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    const shown = problems.get(document.uri) ?? [];
    if (contentChanges.length === 0 || shown.every(isStale)) return;
    problems.set(document.uri, shown.map(greyed));
  });
}

function isStale({ tags }: vscode.Diagnostic): boolean {
  return tags?.includes(vscode.DiagnosticTag.Unnecessary) ?? false;
}

function greyed(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  if (isStale(diagnostic)) return diagnostic;
  const { range, message, source, code, relatedInformation } = diagnostic;
  const copy = new vscode.Diagnostic(range, `${message}\n${stale}`, vscode.DiagnosticSeverity.Information);
  copy.tags = [vscode.DiagnosticTag.Unnecessary];
  if (source !== undefined) copy.source = source;
  if (code !== undefined) copy.code = code;
  if (relatedInformation) copy.relatedInformation = relatedInformation;
  return copy;
}
