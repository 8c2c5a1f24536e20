import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { asError } from '#base/async.ts';
import type { Event } from '#base/event.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { BranchDocuments, type DeletedFile, type WriteGuard } from '#features/folders/branch-documents.ts';
import type { BranchFiles } from '#features/folders/branch-files.ts';
import { shortId } from '#shell/short-id.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { remoteScheme } from '#shell/view-ids.ts';

/** The branch and path that a URI names. */
interface BranchPath {
  readonly target: BranchTarget;
  readonly path: string;
}

/** The files of any branch, as `modelbench://<deployment>/<branch>/<path>`. */
export class RemoteFileSystem implements vscode.FileSystemProvider, Disposable {
  readonly #documents: BranchDocuments;
  readonly #accounts: Accounts;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  /** The reason why the last save of a document was refused, by its URI; dropped when it is saved or discarded. */
  readonly #refused = this.#owned.add(new Store<ReadonlyMap<string, string>>(new Map()));

  constructor(files: BranchFiles, accounts: Accounts, guard: WriteGuard) {
    this.#documents = this.#owned.add(new BranchDocuments(files, guard));
    this.#accounts = accounts;
    this.#owned.add(
      this.#documents.onDidChange(({ target, paths }) =>
        this.#changed.fire(paths.map((path) => ({ type: vscode.FileChangeType.Changed, uri: this.uri(target, path) }))),
      ),
    );
    this.#owned.add(vscode.workspace.registerFileSystemProvider(remoteScheme, this, { isCaseSensitive: true }));
  }

  get onDidChangeFile(): vscode.Event<vscode.FileChangeEvent[]> {
    return this.#changed.event;
  }

  /** Fires when a branch was written to through one of its documents. */
  get onDidWrite(): Event<BranchTarget> {
    return this.#documents.onDidWrite;
  }

  /** Fires with the files that were deleted in one step: one, or those of a folder. */
  get onDidDelete(): Event<readonly DeletedFile[]> {
    return this.#documents.onDidDelete;
  }

  get refused(): ReadonlyStore<ReadonlyMap<string, string>> {
    return this.#refused;
  }

  /** Drops a refused save: the document was closed or matches the branch again. */
  forgetRefusal(uri: string): void {
    if (!this.#refused.value.has(uri)) return;
    this.#refused.update((all) => new Map([...all].filter(([other]) => other !== uri)));
  }

  uri(target: BranchTarget, path: string): vscode.Uri {
    return vscode.Uri.from({
      scheme: remoteScheme,
      authority: `${target.deploymentId}.${shortId(target.accountId)}`,
      path: `/${encodeURIComponent(target.branchName)}/${path}`,
    });
  }

  /** Returns the branch of one of our documents; `undefined` for others, and if its account is signed out. */
  targetOf(uri: vscode.Uri): BranchTarget | undefined {
    if (uri.scheme !== remoteScheme) return undefined;
    try {
      return this.#branchPath(uri).target;
    } catch {
      return undefined;
    }
  }

  watch(): vscode.Disposable {
    return { dispose: () => undefined };
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { target, path } = this.#branchPath(uri);
    const entry = await this.#documents.entry(target, path);
    if (!entry) throw vscode.FileSystemError.FileNotFound(uri);
    if (entry.kind === 'folder') return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const { size, mtime, isReadonly } = entry;
    const permissions = isReadonly ? { permissions: vscode.FilePermission.Readonly } : {};
    return { type: vscode.FileType.File, ctime: mtime, mtime, size, ...permissions };
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { target, path } = this.#branchPath(uri);
    const names = await this.#documents.names(target, path);
    const { File, Directory } = vscode.FileType;
    return [...names].map(([name, kind]) => [name, kind === 'file' ? File : Directory]);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { target, path } = this.#branchPath(uri);
    const bytes = await explained(async () => this.#documents.read(target, path));
    if (!bytes) throw vscode.FileSystemError.FileNotFound(uri);
    return bytes;
  }

  /** Refreshes a branch and reloads open documents of files that changed. */
  async refresh(...branch: Parameters<BranchDocuments['refresh']>): Promise<void> {
    await this.#documents.refresh(...branch);
  }

  /** Refreshes documents and views after a file was written without this file system. */
  announce(target: BranchTarget, path: string): void {
    this.#documents.announce(target, path);
  }

  /** Does nothing: the platform knows only files, so a folder exists once it has a file. */
  createDirectory(uri: vscode.Uri): void {
    this.#writable(uri);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const key = uri.toString();
    try {
      const { target, path } = this.#writable(uri);
      await explained(async () => this.#documents.write(target, path, content));
      this.forgetRefusal(key);
    } catch (error) {
      this.#refused.update((all) => new Map([...all, [key, asError(error).message]]));
      throw error;
    }
  }

  async delete(uri: vscode.Uri): Promise<void> {
    const { target, path } = this.#writable(uri);
    await explained(async () => this.#documents.remove(target, path));
  }

  async rename(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    const { path: newPath } = this.#writable(to);
    const { target, path } = this.#writable(from);
    await explained(async () => this.#documents.rename(target, path, newPath));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #writable(uri: vscode.Uri): BranchPath {
    const branchPath = this.#branchPath(uri);
    const reason = this.#documents.readonlyReason(branchPath.target);
    if (reason === undefined) return branchPath;
    throw vscode.FileSystemError.NoPermissions(textOf(reason));
  }

  #branchPath(uri: vscode.Uri): BranchPath {
    const dot = uri.authority.lastIndexOf('.');
    const account = this.#accounts.all.value.find(({ id }) => shortId(id) === uri.authority.slice(dot + 1));
    if (!account) throw vscode.FileSystemError.Unavailable(text`Sign in to the tenant that this file belongs to.`);
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

/** Runs `work`; converts its errors so that VS Code shows their own message. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error ? vscode.FileSystemError.Unavailable(textOf(error.message)) : error;
  }
}
