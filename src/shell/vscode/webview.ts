import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type PageName, pages, webviewPage } from './webview-page.ts';

/** The only folder that a page of the extension may load from. */
export function pageFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/** Puts one of the extension's pages into a webview. */
export function showPage(webview: vscode.Webview, extensionUri: vscode.Uri, name: PageName): void {
  const resource = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(pageFolder(extensionUri), file)).toString();
  webview.html = webviewPage({
    ...pages[name],
    script: resource(`${name}.js`),
    style: resource(`${name}.css`),
    cspSource: webview.cspSource,
    nonce: crypto.randomUUID().replaceAll('-', ''),
  });
}
