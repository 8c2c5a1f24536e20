import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type BigIntStats, constants, lstatSync } from 'node:fs';
import { copyFile, link, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FileProblem } from '#sync/ports.ts';

/** Code of a system error, empty for anything else. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** What one path is, without following links; undefined when it is not there. */
export function statOf(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** Writes a new file and makes its bytes durable. Fails when the name is taken. */
export async function writeNew(file: string, bytes: Uint8Array, mode = 0o600): Promise<void> {
  const handle = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces a file of ours so that it is at every moment its old or its new whole content, also after a power loss. */
export async function replaceDurably(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomName()}.tmp`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeNew(temporary, bytes);
    await renameFile(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** Makes names in a folder durable; where the system has no such thing (Windows), it needs none. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOENT', 'ENOTSUP'].includes(codeOf(error))) throw error;
  }
}

/**
 * Makes everything that was written to the file system of a folder durable, in one go: for thousands of files several times
 * faster than one by one. False where the system has no such thing, or says that something went wrong: then each must be asked.
 */
export function syncFileSystem(folder: string, program = '/bin/sync'): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(false);
  return new Promise((resolve) => {
    execFile(program, ['-f', folder], { timeout: SYNC_PATIENCE_MS }, (error) => resolve(error === null));
  });
}

/** Other programs may have much to write to the same disk. */
const SYNC_PATIENCE_MS = 60_000;

/** Makes a second name for a file, or a copy where the file system has no such thing. Fails when the name is taken. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'].includes(codeOf(error))) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await syncFile(to);
  }
}

/** Makes the bytes of a file durable. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Windows syncs only files that are open for writing.
    if (!['EPERM', 'EACCES', 'EBADF', 'EINVAL'].includes(codeOf(error))) throw error;
  } finally {
    await handle.close();
  }
}

const RENAME_ATTEMPTS = 12;

/** Renames; virus scanners and indexers hold files on Windows for a moment, which is waited out. */
export async function renameFile(from: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const held = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error));
      if (!held || attempt >= RENAME_ATTEMPTS) throw error;
      await wait(10 * 2 ** Math.min(attempt, 8));
    }
  }
}

/** A file name that no other process makes at the same time; names sort by when they were made. */
export function randomName(): string {
  return `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
}

const problems: readonly (readonly [kind: FileProblem['kind'], codes: readonly string[], words: string])[] = [
  ['full', ['ENOSPC', 'EDQUOT'], 'the disk is full. Free some space and try again.'],
  ['denied', ['EACCES', 'EPERM', 'EROFS'], 'no permission. Check the permissions of the file and its folder.'],
  ['busy', ['EBUSY', 'EMFILE', 'ENFILE'], 'the file is in use by another program. Close it and try again.'],
  [
    'blocked',
    ['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP', 'ENAMETOOLONG'],
    'something else of that name is in the way. Move it and try again.',
  ],
];

/** A system error in words that say what to do. `name`: the path as the person knows it. */
export function fileProblem(name: string, error: unknown): FileProblem {
  if (error instanceof FileProblem) return error;
  const code = codeOf(error);
  const known = problems.find(([, codes]) => codes.includes(code));
  if (known) return new FileProblem(known[0], `${name}: ${known[2]}`, error);
  return new FileProblem('other', `${name}: the file could not be handled (${code || String(error)}).`, error);
}
