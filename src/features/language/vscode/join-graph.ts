import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { joinGraphPage } from '#features/language/join-graph-page.ts';
import { type JoinGraphResult, lensCommands } from '#features/language/messages.ts';

/** Shows the joins of the model that a document belongs to; without a document of one it says what to do. */
export async function showJoinGraph(ask: (uri: string) => Promise<JoinGraphResult | undefined>): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const graph = document && (await ask(document.uri.toString()));
  if (!graph) {
    void vscode.window.showInformationMessage('Open a file of the model whose joins you want to see.');
    return;
  }
  const panel = vscode.window.createWebviewPanel('modelbench.joinGraph', 'Join Graph', vscode.ViewColumn.Active, {
    enableCommandUris: [lensCommands.openPlace],
    localResourceRoots: [],
  });
  const link = (uri: string, line: number): string =>
    `command:${lensCommands.openPlace}?${encodeURIComponent(JSON.stringify([uri, line]))}`;
  panel.webview.html = joinGraphPage({ graph, link, nonce: crypto.randomUUID().replaceAll('-', '') });
}

/** Opens a file at a line; a link of the join graph. */
export async function openPlace(uri: string, line: number): Promise<void> {
  const start = new vscode.Position(line, 0);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri, true), { selection: new vscode.Range(start, start) });
}
