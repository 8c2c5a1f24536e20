import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { Disposable } from '#base/disposable.ts';
import { asError } from '#base/async.ts';
import { Emitter, type Event } from '#base/event.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { BranchFiles, BranchListing, ListedFile } from '#features/folders/branch-files.ts';
import { shortId } from '#shell/short-id.ts';
import { UserError } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { remoteScheme } from '#shell/view-ids.ts';

/** A file of a branch, read from its URI. */
interface Place {
  readonly target: BranchTarget;
  readonly path: string;
}

/** What a URI leads to. */
interface Found extends Place {
  readonly listing: BranchListing;
  readonly file: ListedFile | undefined;
  readonly isFolder: boolean;
}

/** A file that was deleted on a branch, and the id of its copy in the trash. */
export interface DeletedFile {
  readonly target: BranchTarget;
  readonly path: string;
  readonly id: string;
}

/** What decides whether files of a branch can be written. */
export interface WriteGuard {
  /** Whether the branch is an own dev branch, in a trusted window. */
  readonly mayWrite: (target: BranchTarget) => boolean;
  /** Asks before the first write where a Git repository feeds the deployment or may feed it. */
  readonly mayUpload: (target: BranchTarget) => Promise<boolean>;
}

/**
 * The files of any branch as `modelbench://<deployment>/<branch>/<path>`, without a local copy. Own dev branches can be
 * written to, version by version: what someone else changed meanwhile is never overwritten.
 */
export class RemoteFileSystem implements vscode.FileSystemProvider, Disposable {
  readonly #files: BranchFiles;
  readonly #accounts: Accounts;
  readonly #guard: WriteGuard;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #written = new Emitter<BranchTarget>();
  readonly #deleted = new Emitter<readonly DeletedFile[]>();
  /** Why the last save of a document was refused, by its URI; until it is saved or given up. */
  readonly #refused = new Store<ReadonlyMap<string, string>>(new Map());
  readonly #registration: vscode.Disposable;

  constructor(files: BranchFiles, accounts: Accounts, guard: WriteGuard) {
    this.#files = files;
    this.#accounts = accounts;
    this.#guard = guard;
    this.#registration = vscode.workspace.registerFileSystemProvider(remoteScheme, this, {
      isCaseSensitive: true,
    });
  }

  get onDidChangeFile(): vscode.Event<vscode.FileChangeEvent[]> {
    return this.#changed.event;
  }

  /** A branch was written to through a document of it. */
  get onDidWrite(): Event<BranchTarget> {
    return this.#written.event;
  }

  /** Files that were deleted in one step: one, or those of a folder. */
  get onDidDelete(): Event<readonly DeletedFile[]> {
    return this.#deleted.event;
  }

  get refused(): ReadonlyStore<ReadonlyMap<string, string>> {
    return this.#refused;
  }

  /** The document was closed or has the branch's text again: what was refused is given up. */
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

  /** The branch that a document of ours belongs to; `undefined` for others, and when its account is signed out. */
  targetOf(uri: vscode.Uri): BranchTarget | undefined {
    if (uri.scheme !== remoteScheme) return undefined;
    try {
      return this.#place(uri).target;
    } catch {
      return undefined;
    }
  }

  watch(): vscode.Disposable {
    return { dispose: () => undefined };
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { file, isFolder, target } = await this.#find(uri);
    if (file) {
      // One that cannot be opened is there all the same; opening it says why.
      const text = await this.#files.text(target, file.path).catch((error: unknown) => {
        if (error instanceof UserError) return '';
        throw error;
      });
      const size = new TextEncoder().encode(text ?? '').length;
      const times = { ctime: file.mtime, mtime: file.mtime };
      const permissions = this.#guard.mayWrite(target) ? {} : { permissions: vscode.FilePermission.Readonly };
      return { type: vscode.FileType.File, ...times, size, ...permissions };
    }
    if (isFolder) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { listing, path } = await this.#find(uri);
    const prefix = path === '' ? '' : `${path}/`;
    const entries = new Map<string, vscode.FileType>();
    for (const name of listing.keys()) {
      if (!name.startsWith(prefix)) continue;
      const [first = '', ...rest] = name.slice(prefix.length).split('/');
      entries.set(first, rest.length === 0 ? vscode.FileType.File : vscode.FileType.Directory);
    }
    return [...entries];
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { target, path } = this.#place(uri);
    const text = await this.#files.text(target, path).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return new TextEncoder().encode(text);
  }

  /** Refreshes a branch; open documents of files that changed are read again. */
  async refresh(target: BranchTarget): Promise<void> {
    const changed = await this.#files.refresh(target);
    this.#changed.fire(changed.map((path) => ({ type: vscode.FileChangeType.Changed, uri: this.uri(target, path) })));
  }

  /** Documents and views follow a file that was written past this file system. */
  announce(target: BranchTarget, path: string): void {
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: this.uri(target, path) }]);
    this.#written.fire(target);
  }

  /** The platform knows files only: a folder is there with its first file. */
  createDirectory(uri: vscode.Uri): void {
    this.#writable(uri);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const key = uri.toString();
    try {
      const { target, path } = await this.#agreed(uri);
      await this.#told(uri, () => this.#files.write(target, path, decoded(content, path)));
      this.forgetRefusal(key);
    } catch (error) {
      this.#refused.update((all) => new Map([...all, [key, asError(error).message]]));
      throw error;
    }
  }

  /** Of a folder each of its files: the platform knows nothing else. */
  async delete(uri: vscode.Uri): Promise<void> {
    const { target, path } = await this.#agreed(uri);
    const deleted: DeletedFile[] = [];
    try {
      for (const file of await this.#filesAt(target, path)) {
        await this.#told(this.uri(target, file), async () => {
          deleted.push({ target, path: file, id: await this.#files.remove(target, file) });
        });
      }
    } finally {
      // Also where a later file could not be deleted: what is gone can be brought back.
      if (deleted.length > 0) this.#deleted.fire(deleted);
    }
  }

  async rename(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    const { path: newPath } = this.#writable(to);
    const { target, path } = await this.#agreed(from);
    for (const file of await this.#filesAt(target, path)) {
      const newFile = `${newPath}${file.slice(path.length)}`;
      await this.#told(this.uri(target, file), () => this.#files.rename(target, file, newFile));
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#written.dispose();
    this.#deleted.dispose();
    this.#refused.dispose();
    this.#changed.dispose();
  }

  #writable(uri: vscode.Uri): Place {
    const place = this.#place(uri);
    if (this.#guard.mayWrite(place.target)) return place;
    throw vscode.FileSystemError.NoPermissions(
      text`“${place.target.branchName}” is read-only here: you can write only to your own dev branches.`,
    );
  }

  async #agreed(uri: vscode.Uri): Promise<Place> {
    const place = this.#writable(uri);
    if (await this.#guard.mayUpload(place.target)) return place;
    throw vscode.FileSystemError.Unavailable(
      text`Nothing was changed on “${place.target.branchName}”, because you did not agree to uploads. Try again to be asked again.`,
    );
  }

  /** A file itself, or all files of a folder. */
  async #filesAt(target: BranchTarget, path: string): Promise<readonly string[]> {
    const listing = await this.#files.list(target).catch((error: unknown) => {
      throw unavailable(error);
    });
    const inside = [...listing.keys()].filter((name) => name.startsWith(`${path}/`));
    return inside.length === 0 ? [path] : inside;
  }

  /** Carries out a change; VS Code shows the message of a failed one as it is. */
  async #told(uri: vscode.Uri, act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.#written.fire(this.#place(uri).target);
    } catch (error) {
      throw unavailable(error);
    } finally {
      this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }
  }

  async #find(uri: vscode.Uri): Promise<Found> {
    const { target, path } = this.#place(uri);
    const listing = await this.#files.list(target);
    const file = listing.get(path);
    const isFolder = path === '' || [...listing.keys()].some((name) => name.startsWith(`${path}/`));
    return { target, listing, path, file, isFolder };
  }

  #place(uri: vscode.Uri): Place {
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

/** The platform takes text only. */
function decoded(content: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new UserError(`${path} was not saved: it is not UTF-8 text. Save it with the encoding UTF-8.`);
  }
}

/** VS Code shows the message of such an error as it is. */
function unavailable(error: unknown): unknown {
  return error instanceof Error ? vscode.FileSystemError.Unavailable(textOf(error.message)) : error;
}
