import * as vscode from 'vscode';
import { apiScheme } from '#protocol/views.ts';
import { AddressedFiles, statOf } from '../platform/addressed-files.ts';
import { apiDocument } from './uris.ts';

interface Entry {
  readonly text: string;
  readonly mtime: number;
}

/**
 * The API Explorer's documents: requests (written by the person), their schemas and answers (read-only). One
 * that is not there yet, because VS Code restored its editor, is made by `restore`.
 */
export class ExplorerFiles extends AddressedFiles {
  readonly #restore: (uri: vscode.Uri) => Promise<string | undefined>;
  readonly #files = new Map<string, Entry>();

  constructor(restore: (uri: vscode.Uri) => Promise<string | undefined>) {
    super(apiScheme);
    this.#restore = restore;
    this.owned.add(
      // An answer may be large: it is kept as long as it is looked at.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (apiDocument(uri)?.kind === 'answer') this.#files.delete(uri.path);
      }),
    );
  }

  has(uri: vscode.Uri): boolean {
    return this.#files.has(uri.path);
  }

  /** Makes or replaces a document; an open editor shows the new text unless it has unsaved changes. */
  put(uri: vscode.Uri, text: string): void {
    this.#files.set(uri.path, { text, mtime: this.now() });
    this.tell(uri);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, mtime } = await this.#of(uri);
    return statOf(text, mtime, apiDocument(uri)?.kind !== 'request');
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.#of(uri)).text);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    if (apiDocument(uri)?.kind !== 'request') throw vscode.FileSystemError.NoPermissions(uri);
    this.put(uri, new TextDecoder().decode(content));
  }

  override dispose(): void {
    super.dispose();
    this.#files.clear();
  }

  async #of(uri: vscode.Uri): Promise<Entry> {
    if (!this.#files.has(uri.path)) {
      const text = await this.#restore(uri);
      if (text !== undefined && !this.#files.has(uri.path)) this.#files.set(uri.path, { text, mtime: this.now() });
    }
    const entry = this.#files.get(uri.path);
    if (!entry) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }
}
