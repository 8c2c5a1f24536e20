import * as vscode from 'vscode';

/** What is marked in all documents now, a line each. */
export const problems = (): string =>
  vscode.languages
    .getDiagnostics()
    .flatMap(([, all]) => all.map(({ message }) => message))
    .join('\n');

/** A document's problems, once they are the ones waited for. */
export async function problemsThat(
  uri: vscode.Uri,
  areThere: (problems: readonly vscode.Diagnostic[]) => boolean,
): Promise<readonly vscode.Diagnostic[]> {
  const now = (): readonly vscode.Diagnostic[] => vscode.languages.getDiagnostics(uri);
  if (areThere(now())) return now();
  return new Promise((resolve) => {
    const listening = vscode.languages.onDidChangeDiagnostics(() => {
      if (!areThere(now())) return;
      listening.dispose();
      resolve(now());
    });
  });
}

/** The messages of a document's problems, once they are the ones waited for. */
export async function problemsOf(
  uri: vscode.Uri,
  areThere: (messages: readonly string[]) => boolean,
): Promise<readonly string[]> {
  const messagesOf = (all: readonly vscode.Diagnostic[]): readonly string[] => all.map(({ message }) => message);
  return messagesOf(await problemsThat(uri, (all) => areThere(messagesOf(all))));
}

/** The codes of a document's problems as they are now. */
export const codesOf = (uri: vscode.Uri): readonly string[] =>
  vscode.languages.getDiagnostics(uri).map(({ code }) => String(typeof code === 'object' ? code.value : (code ?? '')));

/** The codes of a document's problems, once they are the ones waited for. */
export async function problemCodes(
  uri: vscode.Uri,
  areThere: (codes: readonly string[]) => boolean,
): Promise<readonly string[]> {
  await problemsThat(uri, () => areThere(codesOf(uri)));
  return codesOf(uri);
}
