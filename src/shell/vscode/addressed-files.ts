import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';

/**
 * A file system of documents that are opened by their address: it has no folders, and nothing can be created or deleted in it.
 */
export abstract class AddressedFiles implements vscode.FileSystemProvider, Disposable {
  protected readonly owned = new DisposableStore();
  readonly #changed = this.owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  #time = Date.now();

  constructor(scheme: string) {
    this.owned.add(vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }));
  }

  get onDidChangeFile(): vscode.Event<vscode.FileChangeEvent[]> {
    return this.#changed.event;
  }

  abstract stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  abstract readFile(uri: vscode.Uri): Promise<Uint8Array>;
  abstract writeFile(uri: vscode.Uri, content: Uint8Array): void | Promise<void>;

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
    this.owned.dispose();
  }

  /** Returns a time later than all previous ones: VS Code compares times to detect that a file changed. */
  protected now(): number {
    this.#time = Math.max(Date.now(), this.#time + 1);
    return this.#time;
  }

  /** Makes open editors read the file again; those with unsaved changes keep them. */
  protected fireChanged(uri: vscode.Uri): void {
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }
}

/** Returns the file metadata of a text. */
export function statOf(text: string, mtime: number, isReadonly: boolean): vscode.FileStat {
  const stat = { type: vscode.FileType.File, ctime: mtime, mtime, size: new TextEncoder().encode(text).length };
  return isReadonly ? { ...stat, permissions: vscode.FilePermission.Readonly } : stat;
}
