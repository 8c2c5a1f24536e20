import { execFile } from 'node:child_process';
import {
  type BigIntStats,
  chmod,
  closeSync,
  copyFile,
  type Dirent,
  fstatSync,
  link,
  lstatSync,
  mkdir,
  mkdirSync,
  openSync,
  readdir,
  readdirSync,
  readFile,
  readSync,
  realpathSync,
  rename,
  rmdirSync,
  stat,
  unlink,
  utimes,
} from 'node:fs';
import { codeOf } from '#base/system-error.ts';
import { called } from './called.ts';
import { openPlain, type WritableFile } from './plain-file.ts';

/**
 * All file-system calls of the engine, in Node's terms, so that tests can substitute another kind of disk. Reads of
 * metadata are synchronous, which is several times faster; effects are asynchronous, because disks are slow.
 */
export interface DiskCalls {
  /** Returns the current time, in ms since the epoch, on the same clock as the time stamps of files. */
  now(): number;
  /** Never follows a link; returns undefined when nothing is there. */
  lstat(file: string): BigIntStats | undefined;
  entries(folder: string): Dirent[];
  /** Returns the path with all links resolved. */
  realPath(file: string): string;
  openNow(file: string, flags: number): number;
  readNow(descriptor: number, into: Uint8Array, offset: number, length: number, position: number): number;
  fstat(descriptor: number): BigIntStats;
  closeNow(descriptor: number): void;
  makeFolder(folder: string, recursive: boolean): void;
  removeFolder(folder: string): void;

  open(file: string, flags: number, mode?: number): Promise<WritableFile>;
  readFile(file: string): Promise<Buffer>;
  names(folder: string): Promise<string[]>;
  stat(file: string): Promise<{ readonly size: number; readonly mtimeMs: number }>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  copyFile(from: string, to: string, mode: number): Promise<void>;
  chmod(file: string, mode: number): Promise<void>;
  utimes(file: string, time: Date): Promise<void>;
  /** Removes a file; does nothing when there is none. */
  remove(file: string): Promise<void>;
  /** Creates a folder and all missing parents, private to the user. */
  makePrivateFolder(folder: string): Promise<void>;
  /**
   * Makes everything that was written to the file system of a folder durable, in one go: for thousands of files,
   * several times faster than one by one. Resolves to false where the system does not support that, or reports an
   * error.
   */
  syncEverything(folder: string): Promise<boolean>;
}

/** The file systems of this machine. */
export const nodeCalls: DiskCalls = {
  now: () => Date.now(),
  lstat: (file) => lstatSync(file, { bigint: true, throwIfNoEntry: false }),
  entries: (folder) => readdirSync(folder, { withFileTypes: true }),
  realPath: (file) => realpathSync.native(file),
  openNow: (file, flags) => openSync(file, flags),
  readNow: (descriptor, into, offset, length, position) => readSync(descriptor, into, offset, length, position),
  fstat: (descriptor) => fstatSync(descriptor, { bigint: true }),
  closeNow: (descriptor) => closeSync(descriptor),
  makeFolder: (folder, recursive) => void mkdirSync(folder, { recursive }),
  removeFolder: (folder) => rmdirSync(folder),
  open: (file, flags, mode) => openPlain(file, flags, mode),
  readFile: (file) => called((done) => readFile(file, done)),
  names: (folder) => called((done) => readdir(folder, done)),
  stat: (file) => called((done) => stat(file, done)),
  rename: (from, to) => called((done) => rename(from, to, done)),
  link: (from, to) => called((done) => link(from, to, done)),
  copyFile: (from, to, mode) => called((done) => copyFile(from, to, mode, done)),
  chmod: (file, mode) => called((done) => chmod(file, mode, done)),
  utimes: (file, time) => called((done) => utimes(file, time, time, done)),
  remove: (file) => removeFile(file),
  makePrivateFolder: async (folder) =>
    void (await called<string | undefined>((done) => mkdir(folder, { recursive: true, mode: 0o700 }, done))),
  syncEverything: (folder) => syncFileSystem(folder),
};

/** Removes a file, if it exists. */
async function removeFile(file: string): Promise<void> {
  try {
    await called((done) => unlink(file, done));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** Long, because other programs may have much to write to the same disk. */
const SYNC_TIMEOUT_MS = 60_000;

/** @see DiskCalls.syncEverything */
export function syncFileSystem(folder: string, program = '/bin/sync'): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(false);
  return new Promise((resolve) => {
    execFile(program, ['-f', folder], { timeout: SYNC_TIMEOUT_MS }, (error) => resolve(error === null));
  });
}
