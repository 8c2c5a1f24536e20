import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable.ts';
import type { Accounts } from '#features/accounts.ts';
import type { BranchFile, BranchFiles, BranchTree } from '#features/branch-files.ts';
import { shortId } from '#features/short-id.ts';
import type { BranchTarget } from '#protocol/targets.ts';
import { remoteScheme } from '#protocol/views.ts';

/** A file of a branch, read from its URI. */
interface Place {
  readonly target: BranchTarget;
  readonly path: string;
}

/**
 * The files of any branch as `modelbench://<deployment>/<branch>/<path>`, read only: writing goes through the sync of a
 * linked folder, which knows what would be overwritten.
 */
export class RemoteFileSystem implements vscode.FileSystemProvider, Disposable {
  readonly #files: BranchFiles;
  readonly #accounts: Accounts;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;

  constructor(files: BranchFiles, accounts: Accounts) {
    this.#files = files;
    this.#accounts = accounts;
    this.#registration = vscode.workspace.registerFileSystemProvider(remoteScheme, this, {
      isCaseSensitive: true,
      isReadonly: true,
    });
  }

  get onDidChangeFile(): vscode.Event<vscode.FileChangeEvent[]> {
    return this.#changed.event;
  }

  uri(target: BranchTarget, path: string): vscode.Uri {
    return vscode.Uri.from({
      scheme: remoteScheme,
      authority: `${target.deploymentId}.${shortId(target.accountId)}`,
      path: `/${encodeURIComponent(target.branchName)}/${path}`,
    });
  }

  watch(): vscode.Disposable {
    return { dispose: () => undefined };
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { file, isFolder } = await this.#find(uri);
    if (file) {
      const size = new TextEncoder().encode(file.content).length;
      return { type: vscode.FileType.File, ctime: file.mtime, mtime: file.mtime, size };
    }
    if (isFolder) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { tree, path } = await this.#find(uri);
    const prefix = path === '' ? '' : `${path}/`;
    const entries = new Map<string, vscode.FileType>();
    for (const name of tree.keys()) {
      if (!name.startsWith(prefix)) continue;
      const [first = '', ...rest] = name.slice(prefix.length).split('/');
      entries.set(first, rest.length === 0 ? vscode.FileType.File : vscode.FileType.Directory);
    }
    return [...entries];
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { file } = await this.#find(uri);
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    return new TextEncoder().encode(file.content);
  }

  /** Looks again at a branch; open documents of files that moved are read anew. */
  async refresh(target: BranchTarget): Promise<void> {
    const changed = await this.#files.refresh(target);
    this.#changed.fire(changed.map((path) => ({ type: vscode.FileChangeType.Changed, uri: this.uri(target, path) })));
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(from: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(from);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #find(
    uri: vscode.Uri,
  ): Promise<{ tree: BranchTree; path: string; file: BranchFile | undefined; isFolder: boolean }> {
    const { target, path } = this.#place(uri);
    const tree = await this.#files.tree(target);
    const file = tree.get(path);
    const isFolder = path === '' || [...tree.keys()].some((name) => name.startsWith(`${path}/`));
    return { tree, path, file, isFolder };
  }

  #place(uri: vscode.Uri): Place {
    const dot = uri.authority.lastIndexOf('.');
    const account = this.#accounts.all.value.find(({ id }) => shortId(id) === uri.authority.slice(dot + 1));
    if (!account) throw vscode.FileSystemError.Unavailable('Sign in to the tenant that this file belongs to.');
    const [branch = '', ...path] = uri.path.slice(1).split('/');
    return {
      target: {
        accountId: account.id,
        deploymentId: uri.authority.slice(0, dot),
        branchName: decodeURIComponent(branch),
      },
      path: path.join('/'),
    };
  }
}
