import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { mapLimited } from '#base/async.ts';
import { foldName } from '#base/file-names.ts';
import { isInside, joinPath } from '#base/path.ts';
import type { IgnoreFile, IgnoreFileName } from '#sync/core/selection/ignore.ts';
import type { FollowedLink } from '#sync/core/selection/followed-link.ts';
import type { Hash } from '#sync/core/hash.ts';
import {
  type FileStore,
  type LocalListing,
  type LocalState,
  type ReplaceResult,
  type ScanRequest,
  type StagedFile,
  type TrashCause,
} from '#sync/core/ports.ts';
import { codeOf } from '#base/system-error.ts';
import { type Disk, namingFile } from './disk.ts';
import { foldersDownTo, ignoreFilesIn } from './ignore-files.ts';
import type { ModelFolder } from './model-folder.ts';
import type { StableRead } from './read-file.ts';
import { readLocal } from './read-local.ts';
import { rootOf } from './root.ts';
import type { FolderScanner } from './scanner.ts';
import { type Aside, SetAside } from './set-aside.ts';
import { requireKept, syncFiles } from './sync-files.ts';
import type { TrashStore } from './trash-store.ts';

/** The system has long written back bytes of this age; younger ones are flushed one by one. */
const SETTLED_MS = 10 * 60 * 1000;
/** The number of files that are flushed concurrently. */
const SYNCS = 16;
/** From this number of files on, the whole file system is flushed rather than each file. */
const MANY = 500;
/** The number of files that are checked before other work gets its turn. */
const LOOKS = 1000;

export interface FileStoreDeps {
  readonly disk: Disk;
  readonly folder: ModelFolder;
  /** The folder with `modelbench.json`, whose ignore files also apply. */
  readonly linkFolder: string | undefined;
  readonly scanner: FolderScanner;
  readonly trash: TrashStore;
}

/** The linked folder on a real disk. Every effect checks its file first, and is undone if the file changed meanwhile. */
export class DiskFileStore implements FileStore {
  readonly #folder: ModelFolder;
  readonly #scanner: FolderScanner;
  readonly #disk: Disk;
  readonly #aside: SetAside;
  readonly #trash: TrashStore;
  readonly #linkFolder: string | undefined;
  /** The links that the last scan followed: only what lies behind these is read through a link. */
  #links: ReadonlyMap<string, FollowedLink> = new Map();

  constructor({ disk, folder, scanner, trash, linkFolder }: FileStoreDeps) {
    this.#disk = disk;
    this.#aside = new SetAside(disk, folder, trash);
    this.#folder = folder;
    this.#scanner = scanner;
    this.#trash = trash;
    this.#linkFolder = linkFolder;
  }

  identity(): Promise<string | undefined> {
    return Promise.resolve(rootOf(this.#disk.calls, this.#folder.root));
  }

  async scan(request: ScanRequest): Promise<LocalListing> {
    this.#folder.requireInside();
    // The remembered names may predate a rename that this scan sees.
    this.#folder.renamed();
    await this.#aside.removeRetired();
    await this.#disk.discardRest();
    const listing = await this.#scanner.scan(request);
    this.#folder.aliases = listing.aliases;
    this.#links = listing.links;
    return { ...listing, leftovers: this.#aside.abandoned(listing.leftovers).length };
  }

  stateOf(file: string): Promise<LocalState> {
    const read = this.#read(file, false);
    const state: LocalState = 'kind' in read ? read : { kind: 'file', hash: read.hash, size: Number(read.stat.size) };
    return Promise.resolve(state);
  }

  read(file: string): Promise<{ readonly bytes: Uint8Array; readonly hash: Hash } | undefined> {
    const read = this.#read(file, true);
    return Promise.resolve('kind' in read || !read.bytes ? undefined : { bytes: read.bytes, hash: read.hash });
  }

  ignoreFiles(names: readonly IgnoreFileName[], paths: Iterable<string> = []): Promise<readonly IgnoreFile[]> {
    const { prefix } = this.#folder;
    const below = [...paths].flatMap(foldersDownTo).filter((folder) => isInside(folder, prefix));
    const found = [...new Set(below)].flatMap((folder) => {
      const inside = joinPath(folder, 'x');
      if (this.#folder.reach(inside) !== 'inside') return [];
      return ignoreFilesIn(this.#disk.calls, path.dirname(this.#folder.resolve(inside)), folder, names);
    });
    return Promise.resolve([...this.#ignoreFilesAbove(names), ...found]);
  }

  #ignoreFilesAbove(names: readonly IgnoreFileName[]): readonly IgnoreFile[] {
    const { prefix } = this.#folder;
    const link = this.#linkFolder;
    if (link === undefined || prefix === '') return [];
    return foldersDownTo(prefix).flatMap((folder) =>
      ignoreFilesIn(this.#disk.calls, path.join(link, folder), folder, names),
    );
  }

  async stage(file: string, bytes: Uint8Array, hash: Hash): Promise<StagedFile> {
    return namingFile(file, async () => {
      const parent = this.#folder.parentOf(file, true) ?? this.#folder.root;
      const temporary = this.#aside.nameIn(parent);
      const present = this.#disk.stat(this.#folder.resolve(file));
      const mode = present?.isFile() === true ? Number(present.mode) & 0o777 : 0o644;
      try {
        await this.#disk.writeNew(temporary, bytes, mode);
        this.#folder.requireStillInside(file);
      } catch (error) {
        await this.#aside.discard(temporary).catch(() => undefined);
        throw error;
      }
      this.#scanner.wrote();
      return { path: file, hash, temporary };
    });
  }

  async discard(staged: StagedFile): Promise<void> {
    // The next scan removes a file that cannot be removed now.
    await this.#aside.discard(staged.temporary).catch(() => undefined);
  }

  async replace(staged: StagedFile, expected: Hash | undefined, cause: TrashCause): Promise<ReplaceResult> {
    try {
      return await namingFile(staged.path, () =>
        expected === undefined ? this.#create(staged) : this.#overwrite(staged, expected, cause),
      );
    } finally {
      await this.discard(staged);
    }
  }

  async remove(file: string, expected: Hash, cause: TrashCause): Promise<ReplaceResult> {
    return namingFile(file, async () => {
      const id = await this.#keep(file, expected, { cause, deleted: true });
      const aside = id === undefined ? undefined : await this.#take(file, expected, id);
      if (!aside) return this.#changed(file);
      this.#aside.retire(aside);
      return { kind: 'done', backup: id };
    });
  }

  async keepCopy(file: string, cause: TrashCause, unsaved?: Uint8Array): Promise<string | undefined> {
    return namingFile(file, async () => {
      if (unsaved) return this.#trash.put(file, unsaved, { cause, deleted: false });
      this.#folder.parentOf(file, false);
      if ((await this.stateOf(file)).kind !== 'file') return undefined;
      const id = await this.#trash.announce(file, { cause, deleted: false });
      try {
        await this.#trash.keep(id, this.#folder.resolve(file));
      } catch (error) {
        await this.#trash.forget(id);
        throw error;
      }
      return id;
    });
  }

  async rename(from: string, to: string, expected: Hash): Promise<ReplaceResult> {
    return namingFile(to, async () => {
      if (!(await this.#isReady(from, to, expected))) return this.#changed(from);
      // If its folder was already renamed for another file, this file has its new name.
      if (this.#isGone(from)) {
        return (await this.#is(to, expected)) ? { kind: 'done', backup: undefined } : this.#changed(from);
      }
      this.#folder.parentOf(to, true);
      const target = this.#folder.resolve(to);
      const id = await this.#trash.announce(from, { cause: 'pull', deleted: false });
      const aside = await this.#take(from, expected, id);
      if (!aside) return this.#changed(from);
      if (!(await this.#placed(aside, aside.at, target))) {
        await this.#aside.putBack(aside);
        return this.#changed(to);
      }
      await this.#trash.forget(id);
      this.#aside.retire(aside);
      return { kind: 'done', backup: undefined };
    });
  }

  async sync(files: readonly string[], only?: 'names'): Promise<void> {
    await this.#aside.removeRetired();
    const { young, folders } =
      only === 'names' ? { young: [], folders: this.#foldersOf(files) } : await this.#unsettled(files);
    if (young.length >= MANY && (await this.#disk.calls.syncEverything(this.#folder.root))) return;
    await this.#folder.syncMade();
    const resolve = (file: string): string => this.#folder.resolve(file);
    const unkept = await syncFiles(this.#disk, young, { resolve, limit: SYNCS });
    await mapLimited([...folders], SYNCS, (folder) => this.#disk.syncFolder(folder));
    requireKept(unkept);
  }

  /**
   * Resolves to the files and folders that the system may not have written back yet. It yields between slices, because a whole
   * branch may be checked.
   */
  async #unsettled(files: readonly string[]): Promise<{ readonly young: string[]; readonly folders: Set<string> }> {
    const settled = this.#settledNs();
    const folders = new Set<string>();
    const young: string[] = [];
    for (const [at, file] of files.entries()) {
      const target = this.#folder.resolve(file);
      const known = this.#disk.stat(target);
      if (!known || known.ctimeNs > settled) this.#addUnsettled(folders, path.dirname(target), settled);
      if (known && known.ctimeNs > settled) young.push(file);
      if (at % LOOKS === LOOKS - 1) await turn();
    }
    return { young, folders };
  }

  /** Returns the folders that these files were just moved into. */
  #foldersOf(files: readonly string[]): Set<string> {
    const settled = this.#settledNs();
    const folders = new Set<string>();
    for (const file of files) this.#addUnsettled(folders, path.dirname(this.#folder.resolve(file)), settled);
    return folders;
  }

  /** Returns the time before which changes have long been written back. */
  #settledNs(): bigint {
    return BigInt(this.#disk.calls.now() - SETTLED_MS) * 1_000_000n;
  }

  /**
   * Adds a folder and, where that is new or removed, its parents, whose entries may not be durable yet, whatever
   * program made the change.
   */
  #addUnsettled(folders: Set<string>, folder: string, settled: bigint): void {
    if (folders.has(folder)) return;
    folders.add(folder);
    const known = this.#disk.stat(folder);
    const isUnsettled = !known || known.ctimeNs > settled;
    if (isUnsettled && folder !== this.#folder.root) this.#addUnsettled(folders, path.dirname(folder), settled);
  }

  async recover(): Promise<void> {
    this.#folder.requireInside();
    await this.#aside.removeRetired();
    await this.#aside.recover(this.#aside.find(this.#folder.root));
  }

  async #create(staged: StagedFile): Promise<ReplaceResult> {
    const target = this.#folder.resolve(staged.path);
    this.#folder.parentOf(staged.path, true);
    // The platform does not track folders, so an empty one may go.
    this.#folder.clearEmptyFolder(target);
    const now = await this.stateOf(staged.path);
    if (now.kind !== 'absent') return { kind: 'changed', now };
    const isPlaced = await this.#disk.place(staged.temporary, target);
    this.#folder.renamed();
    return isPlaced ? { kind: 'done', backup: undefined } : this.#changed(staged.path);
  }

  /** Copies the old version to the trash, moves it away in one step, and moves the new one to the path only if that is free. */
  async #overwrite(staged: StagedFile, expected: Hash, cause: TrashCause): Promise<ReplaceResult> {
    const { path: file } = staged;
    const id = await this.#keep(file, expected, { cause, deleted: false });
    const aside = id === undefined ? undefined : await this.#take(file, expected, id);
    if (!aside) return this.#changed(file);
    const isPlaced = await this.#placed(aside, staged.temporary, this.#folder.resolve(file));
    this.#aside.retire(aside);
    // If the path was not free, someone has just saved. Their version stays, and the previous one is in the trash.
    return isPlaced ? { kind: 'done', backup: id } : this.#changed(file);
  }

  /** Copies the current version to the trash if it is the expected one; resolves to undefined when it is not. */
  async #keep(
    file: string,
    expected: Hash,
    why: { readonly cause: TrashCause; readonly deleted: boolean },
  ): Promise<string | undefined> {
    const now = await this.stateOf(file);
    if (now.kind !== 'file' || now.hash !== expected) return undefined;
    this.#folder.parentOf(file, false);
    const id = await this.#trash.announce(file, why);
    try {
      if ((await this.#trash.keep(id, this.#folder.resolve(file))) === expected) return id;
    } catch (error) {
      // If the version cannot be stored, the file stays where it is.
      await this.#trash.forget(id).catch(() => undefined);
      if (codeOf(error) !== 'ENOENT') throw error;
      return undefined;
    }
    await this.#trash.forget(id);
    return undefined;
  }

  /** Moves a file away if it still is the expected version; anything else is moved back. */
  async #take(file: string, expected: Hash, id: string): Promise<Aside | undefined> {
    const aside = await this.#aside.take(file, id);
    if (aside?.hash === expected) return aside;
    if (aside) await this.#aside.putBack(aside);
    else await this.#trash.forget(id);
    return undefined;
  }

  /**
   * Moves a file to the path that `aside` was taken from, unless that is occupied; resolves to whether it did. An error puts the
   * old version back.
   */
  async #placed(aside: Aside, from: string, target: string): Promise<boolean> {
    try {
      return await this.#disk.place(from, target);
    } catch (error) {
      await this.#aside.putBack(aside);
      throw error;
    } finally {
      this.#folder.renamed();
    }
  }

  async #changed(file: string): Promise<ReplaceResult> {
    return { kind: 'changed', now: await this.stateOf(file) };
  }

  /** Checks whether a file to be renamed is the expected one, and gives its folders the letter case of the new name. */
  async #isReady(from: string, to: string, expected: Hash): Promise<boolean> {
    if (!(await this.#is(from, expected))) return foldName(from) === foldName(to) && this.#is(to, expected);
    this.#folder.parentOf(from, false);
    await this.#folder.alignCase(from, to);
    return true;
  }

  async #is(file: string, expected: Hash): Promise<boolean> {
    const now = await this.stateOf(file);
    return now.kind === 'file' && now.hash === expected;
  }

  #isGone(from: string): boolean {
    const read = this.#read(from, false);
    return 'kind' in read && read.kind === 'absent';
  }

  #read(file: string, keep: boolean): StableRead | LocalState {
    return readLocal(this.#disk, this.#folder, { file, keep, links: this.#links });
  }
}
