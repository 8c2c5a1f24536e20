import * as vscode from 'vscode';

/** The messages of a document's problems, once they are the ones waited for. */
export async function problemsOf(
  uri: vscode.Uri,
  isThere: (messages: readonly string[]) => boolean,
): Promise<readonly string[]> {
  const messages = (): readonly string[] => vscode.languages.getDiagnostics(uri).map(({ message }) => message);
  if (isThere(messages())) return messages();
  return new Promise((resolve) => {
    const listening = vscode.languages.onDidChangeDiagnostics(() => {
      if (!isThere(messages())) return;
      listening.dispose();
      resolve(messages());
    });
  });
}
