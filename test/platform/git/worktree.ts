import { createHash } from 'node:crypto';
import { mkdirSync, renameSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mapLimited } from '#base/async.ts';

export interface FileEntry {
  /** SHA-1 hex of the raw bytes. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** The files of a tree by path, sorted. */
export type FileIndex = ReadonlyMap<string, FileEntry>;

export const sha1 = (bytes: Uint8Array | string): string => createHash('sha1').update(bytes).digest('hex');

/**
 * The uncommitted working copy of a dev branch: a folder of real files. The platform is its only writer, so the index
 * is read once and kept up to date.
 */
export class Worktree {
  /** The branch. */
  readonly name: string;
  readonly root: string;
  #index: Map<string, FileEntry> | undefined;

  constructor(name: string, root: string) {
    this.name = name;
    this.root = root;
  }

  async index(): Promise<FileIndex> {
    this.#index ??= await readIndex(this.root);
    return this.#index;
  }

  read(path: string): Promise<Buffer> {
    return readFile(join(this.root, path));
  }

  /** Moves a file that is already on this file system to its place. */
  async adopt(path: string, staged: string, entry: FileEntry): Promise<void> {
    const target = join(this.root, path);
    try {
      renameSync(staged, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      mkdirSync(dirname(target), { recursive: true });
      renameSync(staged, target);
    }
    (await this.#known()).set(path, entry);
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.root, path), { force: true });
    (await this.#known()).delete(path);
    await this.#pruneFolders(dirname(path));
  }

  /** A second name for a file's bytes, outside the working copy. */
  async linkTo(path: string, target: string): Promise<void> {
    await mkdir(dirname(target), { recursive: true });
    await link(join(this.root, path), target);
  }

  /** Forgets what is known of the folder: Git has changed it. */
  forget(): void {
    this.#index = undefined;
  }

  async #known(): Promise<Map<string, FileEntry>> {
    this.#index ??= await readIndex(this.root);
    return this.#index;
  }

  /** Git knows no empty folders, so the working copy has none either. */
  async #pruneFolders(folder: string): Promise<void> {
    for (let at = folder; at !== '.' && at !== ''; at = dirname(at)) {
      try {
        await rmdir(join(this.root, at));
      } catch {
        return;
      }
    }
  }
}

async function readIndex(root: string): Promise<Map<string, FileEntry>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => path !== '.git');
  const files = await mapLimited(paths, 16, async (path): Promise<[string, FileEntry]> => {
    const bytes = await readFile(join(root, path));
    return [path, { hash: sha1(bytes), size: bytes.byteLength }];
  });
  return new Map(files);
}
