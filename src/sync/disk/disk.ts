import { randomBytes } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Hash } from '#sync/core/hash.ts';
import { FileProblem } from '#sync/core/ports.ts';
import { type DiskCalls, nodeCalls } from './disk-calls.ts';
import { readStable } from './read-file.ts';

/** Code of a system error, empty for anything else. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const RENAME_ATTEMPTS = 12;
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EINVAL'];

/** What the engine does with a file system, made of its plain calls. */
export class Disk {
  readonly calls: DiskCalls;
  /** Folders of ours whose names are on the disk for good. */
  readonly #made = new Set<string>();
  /** Temporary files of ours that could not be removed yet. */
  readonly #abandoned = new Set<string>();

  constructor(calls: DiskCalls = nodeCalls) {
    this.calls = calls;
  }

  /** What one path is, without following links; undefined when it is not there, as under a name too long for the disk. */
  stat(file: string): BigIntStats | undefined {
    try {
      return this.calls.lstat(file);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(error))) return undefined;
      throw error;
    }
  }

  /** Writes a new file and makes its bytes durable. Fails when the name is taken. */
  async writeNew(file: string, bytes: Uint8Array, mode = 0o600): Promise<void> {
    const handle = await this.calls.open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
    try {
      await handle.appendFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Replaces a file of ours so that it is at every moment its old or its new whole content, also after a power loss. */
  async replaceDurably(file: string, bytes: Uint8Array): Promise<void> {
    const temporary = `${file}.${randomName()}.tmp`;
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

  /** Removes a temporary file of ours, which holds nothing that is not elsewhere: now, or with `discardRest`. */
  async discard(temporary: string): Promise<void> {
    try {
      await this.calls.remove(temporary);
      this.#abandoned.delete(temporary);
    } catch {
      this.#abandoned.add(temporary);
    }
  }

  /** Removes what could not be removed when it was discarded. */
  async discardRest(): Promise<void> {
    for (const temporary of [...this.#abandoned]) await this.discard(temporary);
  }

  /**
   * Makes a folder of ours with all that are missing above it, and makes their names durable: without that, a power loss
   * takes the folder with everything in it, however well each file was synced.
   */
  async makeFolder(folder: string): Promise<void> {
    if (this.#made.has(folder) && this.stat(folder) !== undefined) return;
    const parents = this.#parentsToSync(folder);
    await this.calls.makePrivateFolder(folder);
    for (const parent of parents) await this.syncFolder(parent);
    this.#made.add(folder);
  }

  /** Makes names in a folder durable; where the system has no such thing (Windows), it needs none. */
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
      // Windows syncs only files that are open for writing.
      if (!['EPERM', 'EACCES', 'EBADF', 'EINVAL'].includes(codeOf(error))) throw error;
    }
  }

  /**
   * Gives a file a second name, or copies it where the file system has no such thing. False when the name is taken:
   * whatever is there is never overwritten.
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

  /** Copies a file over whatever is at the other name, and makes the copy durable. */
  async copy(from: string, to: string): Promise<void> {
    await this.calls.copyFile(from, to, constants.COPYFILE_FICLONE);
    await this.calls.chmod(to, 0o600).catch(() => undefined);
    await this.#syncCopy(to);
  }

  /** Renames; virus scanners and indexers hold files on Windows for a moment, which is waited out. */
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

  /** Hash of a regular file's bytes; undefined when it kept changing while it was read. */
  hash(file: string): Hash | undefined {
    return readStable(this.calls, file, false)?.hash;
  }

  /** Always the folder right above: an earlier process may have ended before it synced that. */
  #parentsToSync(folder: string): readonly string[] {
    const parent = path.dirname(folder);
    if (parent === folder) return [];
    return this.stat(parent) === undefined ? [parent, ...this.#parentsToSync(parent)] : [parent];
  }

  /** A copy that the disk did not take whole goes; what someone else put there meanwhile stays. */
  async #removeHalf(from: string, to: string): Promise<void> {
    try {
      const [whole, half] = await Promise.all([this.calls.readFile(from), this.calls.readFile(to)]);
      const isOurs = half.length <= whole.length && whole.subarray(0, half.length).equals(half);
      if (isOurs) await this.calls.remove(to);
    } catch {
      // Then it stays, and the next scan shows it.
    }
  }

  async #syncCopy(file: string): Promise<void> {
    await this.#sync(file, constants.O_RDWR);
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

/** A file name that no other process makes at the same time; names sort by when they were made. */
export function randomName(): string {
  return `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
}

/** What base and journal are called in messages. */
export const NOTES = 'The record of the last sync';

const problems: readonly (readonly [kind: FileProblem['kind'], codes: readonly string[], words: string])[] = [
  ['full', ['ENOSPC', 'EDQUOT'], 'the disk is full. Free some space and try again.'],
  ['denied', ['EACCES', 'EPERM', 'EROFS'], 'no permission. Check the permissions of the file and its folder.'],
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

/** A system error in words that say what to do. `name`: the path as the user knows it. */
export function fileProblem(name: string, error: unknown): FileProblem {
  if (error instanceof FileProblem) return error;
  const code = codeOf(error);
  const known = problems.find(([, codes]) => codes.includes(code));
  if (known) return new FileProblem(known[0], `${name}: ${known[2]}`, error);
  return new FileProblem('other', `${name}: the file could not be handled (${code || String(error)}).`, error);
}

/** Does something with a file of the user; an error of the disk names that file. */
export async function namingFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileProblem(file, error);
  }
}
