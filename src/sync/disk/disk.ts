import { type BigIntStats, constants } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '#base/system-error.ts';
import type { Hash } from '#sync/core/hash.ts';
import { FileProblem } from '#sync/core/ports.ts';
import { type DiskCalls, nodeCalls } from './disk-calls.ts';
import { readStable } from './read-file.ts';
import { temporaryName } from './temporary-name.ts';

const RENAME_ATTEMPTS = 12;
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EINVAL'];

/** The engine's file-system operations, composed of plain calls. */
export class Disk {
  readonly calls: DiskCalls;
  /** Our folders whose names are durable. */
  readonly #made = new Set<string>();
  /** Our temporary files that could not be removed yet. */
  readonly #abandoned = new Set<string>();

  constructor(calls: DiskCalls = nodeCalls) {
    this.calls = calls;
  }

  /**
   * Returns the stats of a path without following links; undefined when nothing is there, or its name is too long for
   * the disk.
   */
  stat(file: string): BigIntStats | undefined {
    try {
      return this.calls.lstat(file);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(error))) return undefined;
      throw error;
    }
  }

  /**
   * Resolves to the bytes of one of our files; undefined if it does not exist. Rejects with `FileProblem` if it cannot be read now,
   * which does not make it absent or damaged.
   */
  async readNote(file: string): Promise<Buffer | undefined> {
    try {
      return await this.calls.readFile(file);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw fileProblem(namedPlace(NOTES, error), error);
    }
  }

  /** Writes a new file and makes its bytes durable, unless they mean nothing after a power loss. Fails when the name exists. */
  async writeNew(file: string, bytes: Uint8Array, mode = 0o600, isDurable = true): Promise<void> {
    const handle = await this.calls.open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
    try {
      await handle.appendFile(bytes);
      if (isDurable) await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Replaces one of our files so that it always has its complete old or new content, even after a power loss. */
  async replaceDurably(file: string, bytes: Uint8Array): Promise<void> {
    const temporary = temporaryName(file);
    await this.makeFolder(path.dirname(file));
    try {
      await this.writeNew(temporary, bytes);
      await this.rename(temporary, file);
    } catch (error) {
      await this.discard(temporary);
      throw error;
    }
    await this.syncFolder(path.dirname(file));
  }

  /** Removes one of our temporary files, whose content also exists elsewhere: now or, if that fails, with `discardRest`. */
  async discard(temporary: string): Promise<void> {
    try {
      await this.calls.remove(temporary);
      this.#abandoned.delete(temporary);
    } catch {
      this.#abandoned.add(temporary);
    }
  }

  /** Removes the discarded files that could not be removed before. */
  async discardRest(): Promise<void> {
    for (const temporary of [...this.#abandoned]) await this.discard(temporary);
  }

  /**
   * Creates one of our folders and all missing parents, and makes their names durable. Otherwise a power loss could
   * take the folder with everything in it, however well each file was flushed.
   */
  async makeFolder(folder: string): Promise<void> {
    if (this.#made.has(folder) && this.stat(folder) !== undefined) return;
    const parents = this.#parentsToSync(folder);
    await this.calls.makePrivateFolder(folder);
    for (const parent of parents) await this.syncFolder(parent);
    this.#made.add(folder);
  }

  /** Makes the names in a folder durable; does nothing where the system does not support that and does not need it (Windows). */
  async syncFolder(folder: string): Promise<void> {
    try {
      await this.#sync(folder, constants.O_RDONLY);
    } catch (error) {
      if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOENT', 'ENOTDIR', 'ENOTSUP'].includes(codeOf(error))) throw error;
    }
  }

  /** Makes the bytes of a file durable. */
  async syncFile(file: string): Promise<void> {
    try {
      await this.#sync(file, constants.O_RDONLY);
    } catch (error) {
      // Windows flushes only files that are open for writing.
      if (!['EPERM', 'EACCES', 'EBADF', 'EINVAL'].includes(codeOf(error))) throw error;
    }
  }

  /**
   * Creates a hard link to a file, or a copy where the file system does not support links. Resolves to false when the
   * name exists: nothing is ever overwritten.
   */
  async place(from: string, to: string): Promise<boolean> {
    try {
      await this.calls.link(from, to);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      if (!NO_LINKS.includes(codeOf(error))) throw error;
    }
    try {
      await this.calls.copyFile(from, to, constants.COPYFILE_EXCL);
      await this.#syncCopy(to);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      await this.#removeHalf(from, to);
      throw error;
    }
  }

  /** Copies a file to another name, overwriting what is there, and makes the copy durable. */
  async copy(from: string, to: string): Promise<void> {
    await this.calls.copyFile(from, to, constants.COPYFILE_FICLONE);
    await this.calls.chmod(to, 0o600).catch(() => undefined);
    await this.#syncCopy(to);
  }

  /** Renames a file, and retries on Windows, where virus scanners and indexers lock files for a moment. */
  async rename(from: string, to: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.calls.rename(from, to);
        return;
      } catch (error) {
        const isHeld = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error));
        if (!isHeld || attempt >= RENAME_ATTEMPTS) throw error;
        await wait(10 * 2 ** Math.min(attempt, 8));
      }
    }
  }

  /** Returns the hash of a regular file's bytes; undefined when it kept changing during the read. */
  hash(file: string): Hash | undefined {
    return readStable(this.calls, file, false)?.hash;
  }

  /** Returns the parents to flush, always with the direct one: an earlier process may have ended before it flushed that. */
  #parentsToSync(folder: string): readonly string[] {
    const parent = path.dirname(folder);
    if (parent === folder) return [];
    return this.stat(parent) === undefined ? [parent, ...this.#parentsToSync(parent)] : [parent];
  }

  /** Removes a copy that is incomplete, unless someone else has put a different file there meanwhile. */
  async #removeHalf(from: string, to: string): Promise<void> {
    try {
      const [whole, half] = await Promise.all([this.calls.readFile(from), this.calls.readFile(to)]);
      const isOurs = half.length <= whole.length && whole.subarray(0, half.length).equals(half);
      if (isOurs) await this.calls.remove(to);
    } catch {
      // The file stays, and the next scan shows it.
    }
  }

  async #syncCopy(file: string): Promise<void> {
    try {
      await this.#sync(file, constants.O_RDWR);
    } catch (error) {
      // The copy of a read-only file is read-only, too.
      if (!['EPERM', 'EACCES'].includes(codeOf(error))) throw error;
      await this.syncFile(file);
    }
  }

  async #sync(file: string, flags: number): Promise<void> {
    const handle = await this.calls.open(file, flags);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** The name of base and journal in messages. */
export const NOTES = 'The record of the last sync';

const problems: readonly (readonly [kind: FileProblem['kind'], codes: readonly string[], words: string])[] = [
  ['full', ['ENOSPC', 'EDQUOT'], 'the disk is full. Free some space and try again.'],
  ['denied', ['EACCES', 'EPERM'], 'no permission. Check the permissions of the file and its folder.'],
  ['denied', ['EROFS'], 'the disk is read-only. Choose another folder.'],
  ['busy', ['EBUSY', 'EMFILE', 'ENFILE'], 'the file is in use by another program. Close it and try again.'],
  [
    'blocked',
    ['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP'],
    'something else of that name is in the way. Move it and try again.',
  ],
  [
    'blocked',
    ['ENAMETOOLONG'],
    'the name or its path is too long for this disk. Shorten the name, or link a folder with a shorter path.',
  ],
];

/** Turns a system error into one whose message says what to do. `name`: the path as the user knows it. */
export function fileProblem(name: string, error: unknown): FileProblem {
  if (error instanceof FileProblem) return error;
  const code = codeOf(error);
  const known = problems.find(([, codes]) => codes.includes(code));
  if (known) return new FileProblem(known[0], `${name}: ${known[2]}`, error);
  return new FileProblem('other', `${name}: the file could not be handled (${code || String(error)}).`, error);
}

/** Returns the name of one of the engine's own files with the folder where its error occurred, if the system names it. */
export function namedPlace(name: string, error: unknown): string {
  const at = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  return at === undefined ? name : `${name} (in “${path.dirname(at)}”)`;
}

/** Runs work on one of the user's files; a disk error then names that file. */
export async function namingFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileProblem(file, error);
  }
}
