import * as vscode from 'vscode';
import type { EngineReport } from '#protocol/lsp.ts';

/** The uses of the name at a place, in VS Code's own view of references; asked for by a code lens. */
export async function showReferences(
  uri: string,
  position: { readonly line: number; readonly character: number },
): Promise<void> {
  const target = vscode.Uri.parse(uri);
  const at = new vscode.Position(position.line, position.character);
  const found = await vscode.commands.executeCommand<vscode.Location[]>('vscode.executeReferenceProvider', target, at);
  await vscode.commands.executeCommand('editor.action.showReferences', target, at, found);
}

/** Saves the JSON Schema of data models where the person says, for editors without this extension. */
export async function exportSchema(media: vscode.Uri | undefined): Promise<void> {
  if (!media) return;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    filters: { 'JSON Schema': ['json'] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'model.schema.json') } : {}),
  });
  if (target)
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(media, 'schema', 'model.schema.json'), target, {
      overwrite: true,
    });
}

/** Has the engine compile the model of the active editor and says what came of it. */
export async function checkModel(check: (uri: string) => Promise<EngineReport>): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) {
    void vscode.window.showInformationMessage('Open a file of the model that is to be checked.');
    return;
  }
  const place = { location: vscode.ProgressLocation.Window, title: 'Compiling the model' };
  const report = await vscode.window.withProgress(place, async () => check(document.uri.toString()));
  if (report.state !== 'refused') {
    const words = report.state === 'accepted' ? 'The engine accepts the model.' : report.reason;
    void vscode.window.showInformationMessage(words);
    return;
  }
  const words = report.errors === 1 ? 'one place' : `${report.errors} places`;
  const show = 'Show Problems';
  const chosen = await vscode.window.showWarningMessage(`The engine refuses the model in ${words}.`, show);
  if (chosen === show) await vscode.commands.executeCommand('workbench.actions.view.problems');
}
