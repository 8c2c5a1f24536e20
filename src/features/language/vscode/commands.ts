import { decodedText } from '#base/decoded-text.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { delay } from '#base/async.ts';
import { text, textOf } from '#base/user-text.ts';
import { engineVersion } from '#model/engine/engine-version.ts';
import { versionNote } from '#features/language/engine-version.ts';
import type { EngineReport } from '#features/language/messages.ts';
import { omittedText } from '#features/language/status-text.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** Shows the uses of the name at a position in VS Code's own references view; a code lens runs this. */
export async function showReferences(
  uri: string,
  position: { readonly line: number; readonly character: number },
): Promise<void> {
  const target = vscode.Uri.parse(uri);
  const at = new vscode.Position(position.line, position.character);
  const found = await executeBuiltIn('vscode.executeReferenceProvider', target, at);
  // VS Code adds the definition, where the user who clicked on the count of uses already is.
  const uses = found.filter(({ uri: { path }, range }) => path !== target.path || !range.contains(at));
  await executeBuiltIn('editor.action.showReferences', target, at, uses);
}

/** Saves the JSON Schema of data models at a location that the user chooses, for editors without this extension. */
export async function exportSchema(media: vscode.Uri | undefined): Promise<void> {
  if (!media) return;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    filters: { 'JSON Schema': ['json'] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'model.schema.json') } : {}),
  });
  if (!target) return;
  const packed = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(media, 'schema', 'model.schema.json'));
  // It is packed without spaces, to keep the extension small.
  const schema = JSON.stringify(JSON.parse(decodedText(packed)), undefined, 2);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(`${schema}\n`));
}

/** Shows the documentation of the problem at the cursor: rendered if VS Code can, otherwise as Markdown. */
export async function explainProblem(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const page = editor && pageAt(editor.document.uri, editor.selection.active);
  if (!page) {
    void vscode.window.showInformationMessage(
      'Place the cursor on a problem in the model, then run this command again.',
    );
    return;
  }
  try {
    await executeBuiltIn('markdown.showPreviewToSide', page);
  } catch {
    await vscode.window.showTextDocument(page, { viewColumn: vscode.ViewColumn.Beside });
  }
}

/** Returns the page of the first problem at a position, or else on its line. */
function pageAt(uri: vscode.Uri, position: vscode.Position): vscode.Uri | undefined {
  const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'modelbench');
  const found =
    ours.find(({ range }) => range.contains(position)) ?? ours.find(({ range }) => range.start.line === position.line);
  return typeof found?.code === 'object' ? found.code.target : undefined;
}

/** How long to wait for the version of the deployment, in milliseconds. */
const VERSION_WITHIN = 1000;

/** Has the engine compile the model of a document or folder, if there is one, and shows the result. */
export async function checkModel(
  uri: string | undefined,
  check: (uri: string) => Promise<EngineReport>,
  deployedVersion: (uri: string) => Promise<string | undefined>,
): Promise<void> {
  if (uri === undefined) return;
  const options = { location: vscode.ProgressLocation.Window, title: text`Compiling the model` };
  const version = deployedVersion(uri);
  const report = await vscode.window.withProgress(options, async () => check(uri));
  // The result does not wait for a slow platform.
  const note = versionNote(await Promise.race([version, delay(VERSION_WITHIN).then(() => undefined)]));
  const after = note === undefined ? '' : ` ${note}`;
  if (report.state !== 'refused') {
    const message =
      report.state === 'accepted'
        ? `Engine ${engineVersion} accepts the model${omittedText(report)}.${after}`
        : report.reason;
    void vscode.window.showInformationMessage(textOf(message));
    return;
  }
  const message = report.errors === 1 ? 'one place' : `${report.errors} places`;
  const show = 'Show Problems';
  const chosen = await vscode.window.showWarningMessage(
    text`Engine ${engineVersion} refuses the model: ${message}${omittedText(report)}.${after}`,
    show,
  );
  if (chosen === show) await executeBuiltIn('workbench.actions.view.problems');
}
