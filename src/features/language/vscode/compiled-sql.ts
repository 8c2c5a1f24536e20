import * as vscode from '#shell/vscode/guarded/vscode.ts';

const scheme = 'modelbench-sql';

/** Shows compiled SQL as read-only documents, so that there is nothing to save, and no question when they are closed. */
export class CompiledSqlDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #owned: readonly vscode.Disposable[];

  constructor() {
    this.#owned = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#texts.delete(uri.toString());
      }),
    ];
  }

  readonly onDidChange: vscode.Event<vscode.Uri> = (listener, self, disposables) =>
    this.#changed.event(listener, self, disposables);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${name}.sql` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, 'sql');
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }

  dispose(): void {
    for (const item of this.#owned) item.dispose();
  }
}
