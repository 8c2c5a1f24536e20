import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { isQueryPath } from '#model/query-files/query-path.ts';
import type { Database } from '#features/language/databases.ts';
import { databaseOfType, databaseTypeIn } from '#features/language/databases.ts';
import { LiveSql, type LiveSqlPorts } from '#features/language/live-sql.ts';
import { Hint } from '#shell/user-error.ts';
import { canBeModel } from './can-be-model.ts';
import { readFileText } from './client-files.ts';

const scheme = 'modelbench-live-sql';
const uri = vscode.Uri.from({ scheme, path: '/SQL at Cursor.sql' });

/** The data that the pane needs: the engine's answer, and the type of a deployment's database. */
export interface LiveSqlDeps {
  readonly ask: LiveSqlPorts['ask'];
  readonly databaseType: (uri: string) => Promise<string | undefined>;
}

/** A read-only document beside the model that shows the SQL of what is at the cursor, while it is open. */
export class LiveSqlPane implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #deps: LiveSqlDeps;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #owned: readonly vscode.Disposable[];
  #live: LiveSql | undefined;
  #watcher: vscode.Disposable | undefined;
  #text = '';

  constructor(deps: LiveSqlDeps) {
    this.#deps = deps;
    this.#owned = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument((closed) => {
        if (closed.uri.scheme === scheme) this.#stop();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#follow(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.#follow(editor)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const editor = vscode.window.activeTextEditor;
        if (editor?.document === document) this.#follow(editor);
        else if (this.#live && isFollowed(document)) this.#live.again();
      }),
    ];
  }

  readonly onDidChange: vscode.Event<vscode.Uri> = (listener, self, disposables) =>
    this.#changed.event(listener, self, disposables);

  provideTextDocumentContent(): string {
    return this.#text;
  }

  /** Opens the pane beside the active editor and follows its cursor. */
  async open(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !isFollowed(editor.document))
      throw new Hint('Open a file of a data model or a query file, then run this command again.');
    this.#live ??= new LiveSql({
      clock: systemClock,
      ask: this.#deps.ask,
      database: (of) => this.#database(of),
      show: (text) => this.#show(text),
    });
    this.#watcher ??= watchModels(() => this.#live?.again());
    if (this.#text === '') this.#show('-- Compiling…\n');
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, 'sql');
    const viewColumn = vscode.ViewColumn.Beside;
    await vscode.window.showTextDocument(document, { preview: false, preserveFocus: true, viewColumn });
    this.#follow(editor);
  }

  dispose(): void {
    this.#stop();
    for (const item of this.#owned) item.dispose();
  }

  #stop(): void {
    this.#live?.dispose();
    this.#live = undefined;
    this.#watcher?.dispose();
    this.#watcher = undefined;
    this.#text = '';
  }

  #follow(editor: vscode.TextEditor | undefined): void {
    if (!editor || !this.#live || !isFollowed(editor.document)) return;
    const { line, character } = editor.selection.active;
    this.#live.follow({ uri: editor.document.uri.toString(), position: { line, character } });
  }

  #show(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#changed.fire(uri);
  }

  /** Resolves to the database of the deployment that the model is linked to, or else that in the `.env` of its folder. */
  async #database(of: string): Promise<Database | undefined> {
    const type = (await this.#deps.databaseType(of)) ?? (await localType(vscode.Uri.parse(of, true)));
    return type === undefined ? undefined : databaseOfType(type);
  }
}

/** Reports files that a pull, a checkout or another program changed: no document of the window changes with them. */
function watchModels(changed: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*.{yml,yaml,js,jinja,py}');
  watcher.onDidCreate(changed);
  watcher.onDidChange(changed);
  watcher.onDidDelete(changed);
  return watcher;
}

function isFollowed(document: vscode.TextDocument): boolean {
  return canBeModel(document) || document.languageId === 'javascript' || isQueryPath(document.uri.path);
}

async function localType(document: vscode.Uri): Promise<string | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(document);
  const text = folder && (await readFileText(vscode.Uri.joinPath(folder.uri, '.env').toString()));
  return text == null ? undefined : databaseTypeIn(text);
}
