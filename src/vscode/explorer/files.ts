import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { apiScheme } from '#protocol/views.ts';
import { apiDocument } from './uris.ts';

interface Entry {
  text: string;
  mtime: number;
}

/**
 * The API Explorer's documents, in memory: requests (written by the person), their schemas and answers (read-only). One
 * that is not there yet, because VS Code restored its editor, is made by `restore`.
 */
export class ExplorerFiles implements vscode.FileSystemProvider, Disposable {
  readonly #restore: (uri: vscode.Uri) => Promise<string | undefined>;
  readonly #files = new Map<string, Entry>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #owned = new DisposableStore();
  #time = Date.now();

  constructor(restore: (uri: vscode.Uri) => Promise<string | undefined>) {
    this.#restore = restore;
    this.#owned.add(this.#changed);
    this.#owned.add(vscode.workspace.registerFileSystemProvider(apiScheme, this, { isCaseSensitive: true }));
    this.#owned.add(
      // An answer may be large: it is kept as long as it is looked at.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (apiDocument(uri)?.kind === 'answer') this.#files.delete(uri.path);
      }),
    );
  }

  get onDidChangeFile(): vscode.Event<vscode.FileChangeEvent[]> {
    return this.#changed.event;
  }

  has(uri: vscode.Uri): boolean {
    return this.#files.has(uri.path);
  }

  /** Makes or replaces a document; an open editor shows the new text unless it has unsaved changes. */
  put(uri: vscode.Uri, text: string): void {
    // Strictly later than before: VS Code compares times to see that a file changed.
    this.#time = Math.max(Date.now(), this.#time + 1);
    this.#files.set(uri.path, { text, mtime: this.#time });
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, mtime } = await this.#of(uri);
    const stat = { type: vscode.FileType.File, ctime: mtime, mtime, size: new TextEncoder().encode(text).length };
    return apiDocument(uri)?.kind === 'request' ? stat : { ...stat, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.#of(uri)).text);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    if (apiDocument(uri)?.kind !== 'request') throw vscode.FileSystemError.NoPermissions(uri);
    this.put(uri, new TextDecoder().decode(content));
  }

  watch(): vscode.Disposable {
    return { dispose: () => undefined };
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#files.clear();
  }

  async #of(uri: vscode.Uri): Promise<Entry> {
    if (!this.#files.has(uri.path)) {
      const text = await this.#restore(uri);
      if (text !== undefined && !this.#files.has(uri.path)) this.#files.set(uri.path, { text, mtime: this.#time });
    }
    const entry = this.#files.get(uri.path);
    if (!entry) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }
}
