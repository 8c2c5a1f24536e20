import { Buffer } from 'node:buffer';
import type { ReadonlyStore } from '#base/store.ts';
import type { JoinGraphResult } from '#features/language/messages.ts';
import { openLocation } from '#features/language/vscode/index.ts';
import { cubeAt, GraphSession } from '#features/lineage/graph-session.ts';
import { type GraphState, parseGraphToHost } from '#features/lineage/messages.ts';
import { shortId } from '#shell/short-id.ts';
import { remoteScheme } from '#shell/view-ids.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { pageIn } from '#shell/vscode/webview.ts';

/** What the picture of joins needs. */
export interface JoinGraphDeps {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
  readonly boundary: ErrorBoundary;
  /** The accounts that are signed in: the graph of a branch closes with the account of the branch. */
  readonly accounts: ReadonlyStore<readonly { readonly id: string }[]>;
}

/** Shows the joins of a model, around the cube at the cursor if the active editor is in the model; nothing if there is no model. */
export async function showJoinGraph(
  { context: { extensionUri }, boundary, accounts }: JoinGraphDeps,
  ask: () => Promise<JoinGraphResult | undefined>,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const graph = await ask();
  if (!graph) return;
  const panel = vscode.window.createWebviewPanel('modelbench.joinGraph', 'Join Graph', vscode.ViewColumn.Active, {
    retainContextWhenHidden: true,
  });
  const page = pageIn<GraphState>(panel.webview, extensionUri, 'graph');
  const around = editor ? cubeAt(graph, editor.document.uri.toString(), editor.selection.active.line) : '';
  const session = new GraphSession(graph, around, {
    post: page.post,
    open: openLocation,
    save: savePicture,
  });
  const listening = accounts.onDidChange((all) => {
    if (graph.nodes.some(({ uri }) => isOfOthers(vscode.Uri.parse(uri, true), all))) panel.dispose();
  });
  panel.onDidDispose(() => listening.dispose());
  page.show(
    async (raw) => {
      const message = parseGraphToHost(raw);
      if (message) await session.receive(message);
    },
    (error) => void boundary('Join Graph', error),
  );
}

/** Whether a cube is defined in a file of a branch whose account is not among these. */
function isOfOthers({ scheme, authority }: vscode.Uri, all: readonly { readonly id: string }[]): boolean {
  return scheme === remoteScheme && all.every(({ id }) => !authority.endsWith(`.${shortId(id)}`));
}

async function savePicture(format: 'svg' | 'png', data: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const to = await vscode.window.showSaveDialog({
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, `join-graph.${format}`) } : {}),
    filters: { [format.toUpperCase()]: [format] },
  });
  if (!to) return;
  await vscode.workspace.fs.writeFile(to, Buffer.from(data, format === 'png' ? 'base64' : 'utf8'));
  vscode.window.setStatusBarMessage('$(check) Saved the join graph', 5000);
}
