import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type DisposableStore, toDisposable } from '#base/disposable.ts';
import { PagePosts } from '#shell/page-posts.ts';
import { type PageName, pages, webviewPage } from './webview-page.ts';

/** The host's side of one of the extension's pages. `ToPage` is the type of messages that the page understands. */
export interface PageChannel<ToPage> {
  /** Sends a message without waiting: while a page is hidden, VS Code's promise may never resolve. */
  readonly post: (message: ToPage) => void;
  /** Shows the page. `receive` gets the page's messages, unchecked; `failed` gets its errors. */
  readonly show: (
    receive: (message: unknown) => Promise<void>,
    failed: (error: unknown) => Promise<void> | void,
  ) => void;
}

/** Creates one of the extension's pages in a webview. */
export function pageIn<ToPage>(webview: vscode.Webview, extensionUri: vscode.Uri, name: PageName): PageChannel<ToPage> {
  const send = (message: unknown): void => void webview.postMessage(message);
  // The page of the chat numbers its messages itself, and requests what it lacks.
  const posts = name === 'chat' ? undefined : new PagePosts(send);
  return {
    post: (message) => (posts ? posts.post(message) : send(message)),
    show: (receive, failed) => {
      webview.options = { enableScripts: true, localResourceRoots: [pageFolder(extensionUri)] };
      webview.onDidReceiveMessage(async (message: unknown) => {
        if (posts?.take(message) !== true) await receive(message).catch(failed);
      });
      webview.html = htmlOf(webview, extensionUri, name);
    },
  };
}

/** Closes a panel together with `owner`, and calls `closed` when the panel closes for any reason. */
export function closeWith(owner: DisposableStore, panel: vscode.WebviewPanel, closed: () => void): void {
  const closing = owner.add(toDisposable(() => panel.dispose()));
  panel.onDidDispose(() => {
    closed();
    owner.delete(closing);
  });
}

/** Returns the only folder from which the extension's pages may load files. */
function pageFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

function htmlOf(webview: vscode.Webview, extensionUri: vscode.Uri, name: PageName): string {
  const resource = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(pageFolder(extensionUri), file)).toString();
  return webviewPage({
    ...pages[name],
    script: resource(`${name}.js`),
    style: resource(`${name}.css`),
    cspSource: webview.cspSource,
    nonce: crypto.randomUUID().replaceAll('-', ''),
  });
}
