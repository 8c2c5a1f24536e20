import { decodedText } from '#base/decoded-text.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { apiScheme } from '#shell/view-ids.ts';
import { AddressedFiles, statOf } from '#shell/vscode/addressed-files.ts';
import { apiDocument } from './uris.ts';

/** Stores the requests that the user wrote for the next window. They may contain secrets. */
export interface StoredRequests {
  readonly get: (uri: vscode.Uri) => Promise<string | undefined>;
  /** Stores a text; `undefined` deletes it. */
  readonly set: (uri: vscode.Uri, text: string | undefined) => Promise<void>;
}

interface Entry {
  readonly text: string;
  readonly mtime: number;
}

/**
 * The documents of the API Explorer: requests, which the user writes, and their read-only schemas and responses. When VS Code
 * restores an editor, its document is the stored request, or else created by `restore`.
 */
export class ExplorerFiles extends AddressedFiles {
  readonly #restore: (uri: vscode.Uri) => Promise<string | undefined>;
  readonly #kept: StoredRequests;
  readonly #files = new Map<string, Entry>();

  constructor(restore: (uri: vscode.Uri) => Promise<string | undefined>, kept: StoredRequests, scheme = apiScheme) {
    super(scheme);
    this.#restore = restore;
    this.#kept = kept;
    this.owned.add(
      // A response may be large, so it is kept only while it is shown.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (apiDocument(uri)?.kind === 'answer') this.#files.delete(uri.path);
      }),
    );
  }

  has(uri: vscode.Uri): boolean {
    return this.#files.has(uri.path);
  }

  /** Creates or replaces a document; an open editor shows the new text unless it has unsaved changes. */
  put(uri: vscode.Uri, text: string): void {
    this.#show(uri, text);
    if (isRequest(uri)) void this.#kept.set(uri, undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, mtime } = await this.#of(uri);
    return statOf(text, mtime, !isRequest(uri));
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.#of(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    if (!isRequest(uri)) throw vscode.FileSystemError.NoPermissions(uri);
    const text = decodedText(content);
    this.#show(uri, text);
    await this.#kept.set(uri, text);
  }

  override dispose(): void {
    super.dispose();
    this.#files.clear();
  }

  #show(uri: vscode.Uri, text: string): void {
    this.#files.set(uri.path, { text, mtime: this.now() });
    this.fireChanged(uri);
  }

  async #of(uri: vscode.Uri): Promise<Entry> {
    if (!this.#files.has(uri.path)) {
      const text = (await this.#kept.get(uri)) ?? (await this.#restore(uri));
      if (text !== undefined && !this.#files.has(uri.path)) this.#files.set(uri.path, { text, mtime: this.now() });
    }
    const entry = this.#files.get(uri.path);
    if (!entry) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }
}

const isRequest = (uri: vscode.Uri): boolean => apiDocument(uri)?.kind === 'request';
