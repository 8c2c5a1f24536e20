import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { mapLimited } from '#base/async.ts';
import { isInside, joinPath } from '#base/path.ts';
import type { IgnoreFile, IgnoreFileName } from '#sync/ignore.ts';
import type { Hash } from '#sync/hash.ts';
import type {
  FileStore,
  LocalListing,
  LocalState,
  ReplaceResult,
  ScanRequest,
  StagedFile,
  TrashCause,
} from '#sync/ports.ts';
import {
  codeOf,
  fileProblem,
  linkOrCopy,
  randomName,
  renameFile,
  statOf,
  syncFile,
  syncFileSystem,
  syncFolder,
  writeNew,
} from './disk.ts';
import { foldersDownTo, ignoreFilesIn } from './ignore-files.ts';
import type { ModelFolder } from './model-folder.ts';
import { readStable, type StableRead } from './read-file.ts';
import { OWN_FILE, rootOf } from './scan.ts';
import type { Scanner } from './scanner.ts';
import type { TrashStore } from './trash-store.ts';

/** Bytes this old have long been written back by the system; younger ones are synced one by one. */
const SETTLED_MS = 10 * 60 * 1000;
/** Files that the disk is asked to keep at once. */
const SYNCS = 16;
/** From here on the whole file system is synced rather than each file. */
const MANY = 500;
/** Files looked at before others get their turn. */
const LOOKS = 1000;

export interface FileStoreParts {
  readonly folder: ModelFolder;
  /** The folder with `modelbench.json`, whose ignore files count too. */
  readonly linkFolder: string | undefined;
  readonly scanner: Scanner;
  readonly trash: TrashStore;
}

/** The linked folder on a real disk. Every effect is preceded by a look at the very file, and undoes itself when late. */
export class DiskFileStore implements FileStore {
  readonly #folder: ModelFolder;
  readonly #scanner: Scanner;
  readonly #trash: TrashStore;
  readonly #linkFolder: string | undefined;

  constructor({ folder, scanner, trash, linkFolder }: FileStoreParts) {
    this.#folder = folder;
    this.#scanner = scanner;
    this.#trash = trash;
    this.#linkFolder = linkFolder;
  }

  identity(): Promise<string | undefined> {
    return Promise.resolve(rootOf(this.#folder.root));
  }

  async scan(request: ScanRequest): Promise<LocalListing> {
    this.#folder.requireInside();
    const listing = await this.#scanner.scan(request);
    this.#folder.aliases = listing.aliases;
    return listing;
  }

  look(file: string): Promise<LocalState> {
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
      if (!this.#folder.isReachable(inside)) return [];
      return ignoreFilesIn(path.dirname(this.#folder.resolve(inside)), folder, names);
    });
    return Promise.resolve([...this.#ignoreFilesAbove(names), ...found]);
  }

  #ignoreFilesAbove(names: readonly IgnoreFileName[]): readonly IgnoreFile[] {
    const { prefix } = this.#folder;
    const link = this.#linkFolder;
    if (link === undefined || prefix === '') return [];
    return foldersDownTo(prefix).flatMap((folder) => ignoreFilesIn(path.join(link, folder), folder, names));
  }

  async stage(file: string, bytes: Uint8Array, hash: Hash): Promise<StagedFile> {
    return this.#doing(file, async () => {
      const parent = this.#folder.parentOf(file, true) ?? this.#folder.root;
      const temporary = path.join(parent, `.modelbench-${randomName()}.tmp`);
      const present = statOf(this.#folder.resolve(file));
      try {
        await writeNew(temporary, bytes, present ? Number(present.mode) & 0o777 : 0o644);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      return { path: file, hash, temporary };
    });
  }

  async discard(staged: StagedFile): Promise<void> {
    await rm(staged.temporary, { force: true });
  }

  async replace(staged: StagedFile, expected: Hash | undefined, cause: TrashCause): Promise<ReplaceResult> {
    try {
      return await this.#doing(staged.path, () =>
        expected === undefined ? this.#create(staged) : this.#overwrite(staged, expected, cause),
      );
    } finally {
      await this.discard(staged);
    }
  }

  async remove(file: string, expected: Hash, cause: TrashCause): Promise<ReplaceResult> {
    return this.#doing(file, async () => {
      const target = this.#folder.resolve(file);
      const now = await this.look(file);
      if (now.kind !== 'file' || now.hash !== expected) return { kind: 'changed', now };
      this.#folder.parentOf(file, false);
      const id = await this.#trash.announce(file, { cause, deleted: true });
      const aside = path.join(path.dirname(target), `.modelbench-${id}.old`);
      await renameFile(target, aside);
      if (hashOfFile(aside) !== expected) {
        // Somebody wrote it at this very moment: it goes back, unless they already put a new one there.
        await this.#putBack(aside, target, id);
        return { kind: 'changed', now: await this.look(file) };
      }
      try {
        await this.#trash.keep(id, aside);
      } catch (error) {
        // Without a place for the version nothing is deleted.
        await this.#putBack(aside, target, id);
        throw error;
      }
      await rm(aside, { force: true });
      this.#folder.prune(file);
      return { kind: 'done', backup: id };
    });
  }

  async rename(from: string, to: string, expected: Hash): Promise<ReplaceResult> {
    return this.#doing(to, async () => {
      const now = await this.look(from);
      if (now.kind !== 'file' || now.hash !== expected) return { kind: 'changed', now };
      this.#folder.parentOf(from, false);
      const source = this.#folder.resolve(from);
      const target = path.join(path.dirname(this.#folder.resolve(to)), path.basename(to));
      this.#folder.parentOf(to, true);
      const [there, here] = [statOf(target), statOf(source)];
      // Where case is ignored the new name already leads to the old file; anything else there is not ours.
      if (there && there.ino !== here?.ino) return { kind: 'changed', now: await this.look(to) };
      await renameFile(source, target);
      return { kind: 'done', backup: undefined };
    });
  }

  async sync(files: readonly string[]): Promise<void> {
    const { young, folders } = await this.#unsettled(files);
    if (young.length >= MANY && (await syncFileSystem(this.#folder.root))) return;
    await mapLimited(young, SYNCS, async (file) => {
      await syncFile(this.#folder.resolve(file)).catch((error: unknown) => {
        // Deleted since: then there is nothing to keep.
        if (codeOf(error) !== 'ENOENT') throw fileProblem(file, error);
      });
    });
    await mapLimited([...folders], SYNCS, syncFolder);
  }

  /** What the system may not have written back yet; looked up in slices, because it may be asked about a whole branch. */
  async #unsettled(files: readonly string[]): Promise<{ readonly young: string[]; readonly folders: Set<string> }> {
    const settled = BigInt(Date.now() - SETTLED_MS) * 1_000_000n;
    const folders = new Set<string>();
    const young: string[] = [];
    for (const [at, file] of files.entries()) {
      const target = this.#folder.resolve(file);
      const known = statOf(target);
      if (!known || known.ctimeNs > settled) folders.add(path.dirname(target));
      if (known && known.ctimeNs > settled) young.push(file);
      if (at % LOOKS === LOOKS - 1) await turn();
    }
    return { young, folders };
  }

  async recover(): Promise<void> {
    this.#folder.requireInside();
    await this.#recoverFolder(this.#folder.root);
  }

  async #create(staged: StagedFile): Promise<ReplaceResult> {
    const target = this.#folder.resolve(staged.path);
    this.#folder.parentOf(staged.path, false);
    const now = await this.look(staged.path);
    if (now.kind !== 'absent') return { kind: 'changed', now };
    try {
      await linkOrCopy(staged.temporary, target);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      return { kind: 'changed', now: await this.look(staged.path) };
    }
    return { kind: 'done', backup: undefined };
  }

  async #overwrite(staged: StagedFile, expected: Hash, cause: TrashCause): Promise<ReplaceResult> {
    const target = this.#folder.resolve(staged.path);
    this.#folder.parentOf(staged.path, false);
    const id = await this.#trash.announce(staged.path, { cause, deleted: false });
    const aside = path.join(path.dirname(target), `.modelbench-${id}.old`);
    const now = await this.look(staged.path);
    if (now.kind !== 'file' || now.hash !== expected) {
      await this.#trash.forget(id);
      return { kind: 'changed', now };
    }
    // A second name for the old version, then the new one over the first: at no moment is there no file.
    await linkOrCopy(target, aside);
    await renameFile(staged.temporary, target);
    const replaced = hashOfFile(aside);
    try {
      await this.#trash.keep(id, aside);
    } catch (error) {
      // Without a place for the old version nothing is replaced; what somebody wrote since stays beside it until the next start.
      if (hashOfFile(target) === staged.hash) {
        await renameFile(aside, target);
        await this.#trash.forget(id);
      }
      throw error;
    }
    if (replaced === expected) {
      await rm(aside, { force: true });
      return { kind: 'done', backup: id };
    }
    // Written between the look and the rename: that version goes back in its place, unless a newer one is there already.
    if (hashOfFile(target) === staged.hash) await renameFile(aside, target);
    else await rm(aside, { force: true });
    return { kind: 'changed', now: await this.look(staged.path) };
  }

  /** Gives a set-aside version its name back; if the name is taken meanwhile, the version goes to the trash. */
  async #putBack(aside: string, target: string, id: string): Promise<void> {
    try {
      await linkOrCopy(aside, target);
      await this.#trash.forget(id);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      await this.#trash.keep(id, aside);
    }
    await rm(aside, { force: true });
  }

  async #recoverFolder(folder: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const at = path.join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        await this.#recoverFolder(at);
      else if (entry.isFile() && OWN_FILE.test(entry.name)) await this.#recoverFile(at, entry.name);
    }
  }

  async #recoverFile(own: string, name: string): Promise<void> {
    if (name.endsWith('.tmp')) {
      await rm(own, { force: true });
      return;
    }
    const id = name.slice('.modelbench-'.length, -'.old'.length);
    const file = await this.#trash.announced(id);
    if (file === undefined) return;
    // Without a file in its place the version simply goes back; otherwise it is what was replaced.
    await this.#putBack(own, this.#folder.resolve(file), id);
    await syncFolder(path.dirname(own));
  }

  #read(file: string, keep: boolean): StableRead | LocalState {
    const target = this.#folder.resolve(file);
    if (!this.#folder.isReachable(file)) return { kind: 'frozen', reason: 'special' };
    const known = statOf(target);
    if (!known) return { kind: 'absent' };
    if (known.isSymbolicLink()) return { kind: 'frozen', reason: 'symlink' };
    if (!known.isFile()) return { kind: 'frozen', reason: 'special' };
    try {
      return readStable(target, keep) ?? { kind: 'frozen', reason: 'unstable' };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { kind: 'absent' };
      return { kind: 'frozen', reason: 'unreadable' };
    }
  }

  async #doing<T>(file: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw fileProblem(file, error);
    }
  }
}

function hashOfFile(file: string): Hash | undefined {
  return readStable(file, false)?.hash;
}
