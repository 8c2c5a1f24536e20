import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { HandleDiagnosticsSignature } from 'vscode-languageclient/node';

interface Given {
  readonly uri: vscode.Uri;
  readonly ours: vscode.Diagnostic[];
  readonly shown: number;
  readonly show: HandleDiagnosticsSignature;
}

/**
 * Hides our YAML syntax errors on lines where another YAML extension shows one; when that one disappears, or the extension is
 * disabled, ours appear.
 */
export class SyntaxDoubles implements vscode.Disposable {
  /** The server's last diagnostics of documents with syntax errors. */
  readonly #given = new Map<string, Given>();
  readonly #listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris) this.#lookAgain(uri);
  });

  /** Shows the server's diagnostics; middleware of the language client. */
  readonly handle = (uri: vscode.Uri, ours: vscode.Diagnostic[], show: HandleDiagnosticsSignature): void => {
    const apart = withoutDoubles(uri, ours);
    if (ours.some(isSyntax)) this.#given.set(uri.toString(), { uri, ours, shown: apart.length, show });
    else this.#given.delete(uri.toString());
    show(uri, apart);
  };

  dispose(): void {
    this.#listening.dispose();
    this.#given.clear();
  }

  #lookAgain(uri: vscode.Uri): void {
    const given = this.#given.get(uri.toString());
    if (given && withoutDoubles(uri, given.ours).length !== given.shown) this.handle(uri, given.ours, given.show);
  }
}

function withoutDoubles(uri: vscode.Uri, ours: vscode.Diagnostic[]): vscode.Diagnostic[] {
  if (!ours.some(isSyntax)) return ours;
  // The YAML extension and its forks name this source.
  const theirs = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'YAML');
  const lines = new Set(theirs.map(({ range }) => range.start.line));
  return ours.filter((each) => !isSyntax(each) || !lines.has(each.range.start.line));
}

function isSyntax({ code }: vscode.Diagnostic): boolean {
  return (typeof code === 'object' ? code.value : code) === 'yaml-syntax';
}
