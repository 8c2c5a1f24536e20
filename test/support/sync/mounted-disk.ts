import fs, { constants, type Dirent } from 'node:fs';
import path from 'node:path';
import { type DiskCalls, nodeCalls } from '#sync/disk/disk-calls.ts';
import type { WritableFile } from '#sync/disk/plain-file.ts';
import { foldName } from '#base/file-names.ts';
import type { WorldDisk } from './disk-world.ts';
import type { OnCall } from './simulated-disk.ts';

/** A folder of a real disk in place of a simulated disk, with this folder as `/`. */
export class MountedDisk implements WorldDisk {
  readonly #root: string;
  /** Open files: a life that ends early closes none, which only the end of its process would do. */
  readonly #open = new Set<number>();

  constructor(root: string) {
    this.#root = root;
    fs.mkdirSync(root, { recursive: true });
  }

  /** Closes all open files and removes the folder. */
  dispose(): void {
    for (const descriptor of this.#open) fs.closeSync(descriptor);
    fs.rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }

  files(folder = '/'): Map<string, Buffer> {
    const found = new Map<string, Buffer>();
    this.#walk(folder === '/' ? '' : folder, found);
    return found;
  }

  has(file: string): boolean {
    return fs.existsSync(this.#at(file));
  }

  trueName(file: string): string {
    let at = '';
    for (const step of file.split('/').filter(Boolean)) at = `${at}/${this.#nameIn(at, step)}`;
    return at;
  }

  write(file: string, bytes: Uint8Array): void {
    const at = this.#at(file);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    if (fs.statSync(at, { throwIfNoEntry: false })?.isDirectory() === true) fs.rmSync(at, { recursive: true });
    fs.writeFileSync(at, bytes);
  }

  makeFolder(folder: string): void {
    fs.mkdirSync(this.#at(folder), { recursive: true });
  }

  remove(file: string): void {
    fs.unlinkSync(this.#at(file));
  }

  rename(from: string, to: string): void {
    fs.renameSync(this.#at(from), this.#at(to));
  }

  writeBack(): void {
    // The system decides when to write back.
  }

  losePower(): void {
    // A real disk loses nothing.
  }

  calls(on: OnCall): DiskCalls {
    const look = <T>(call: string, effect: () => T): T => on(call, false, effect);
    const later = <T>(call: string, isWrite: boolean, effect: () => T): Promise<T> =>
      new Promise((resolve) => resolve(on(call, isWrite, effect)));
    const at = (file: string): string => this.#at(file);
    return {
      now: () => nodeCalls.now(),
      lstat: (file) => look(`lstat ${file}`, () => nodeCalls.lstat(at(file))),
      entries: (folder) => look(`entries ${folder}`, () => nodeCalls.entries(at(folder))),
      realPath: (file) => nodeCalls.realPath(at(file)).slice(fs.realpathSync(this.#root).length) || '/',
      openNow: (file, flags) => look(`open ${file}`, () => nodeCalls.openNow(at(file), flags)),
      readNow: (...args) => look('read', () => nodeCalls.readNow(...args)),
      fstat: (descriptor) => look('fstat', () => nodeCalls.fstat(descriptor)),
      closeNow: (descriptor) => nodeCalls.closeNow(descriptor),
      makeFolder: (folder, all) => on(`mkdir ${folder}`, true, () => nodeCalls.makeFolder(at(folder), all)),
      removeFolder: (folder) => on(`rmdir ${folder}`, true, () => nodeCalls.removeFolder(at(folder))),
      open: (file, flags, mode) =>
        later(`open ${file}`, (flags & constants.O_CREAT) !== 0, () =>
          this.#opened(file, fs.openSync(at(file), flags, mode), later),
        ),
      readFile: (file) => later(`readFile ${file}`, false, () => fs.readFileSync(at(file))),
      names: (folder) => later(`names ${folder}`, false, () => fs.readdirSync(at(folder))),
      stat: (file) => later(`stat ${file}`, false, () => fs.statSync(at(file))),
      rename: (from, to) => later(`rename ${from} ${to}`, true, () => fs.renameSync(at(from), at(to))),
      link: (from, to) => later(`link ${from} ${to}`, true, () => fs.linkSync(at(from), at(to))),
      copyFile: (from, to, mode) => later(`copy ${from} ${to}`, true, () => fs.copyFileSync(at(from), at(to), mode)),
      chmod: async (file, mode) => fs.chmodSync(at(file), mode),
      utimes: async (file, time) => fs.utimesSync(at(file), time, time),
      remove: (file) => later(`rm ${file}`, true, () => fs.rmSync(at(file), { force: true })),
      makePrivateFolder: (folder) =>
        later(`mkdir -p ${folder}`, true, () => void fs.mkdirSync(at(folder), { recursive: true, mode: 0o700 })),
      syncEverything: async () => false,
    };
  }

  #at(file: string): string {
    return path.join(this.#root, file);
  }

  #nameIn(folder: string, name: string): string {
    if (!this.has(`${folder}/${name}`)) return name;
    const names = fs.readdirSync(this.#at(folder));
    if (names.includes(name)) return name;
    return names.find((each) => foldName(each) === foldName(name)) ?? name;
  }

  #walk(folder: string, found: Map<string, Buffer>): void {
    const entries: Dirent[] = fs.readdirSync(this.#at(folder), { withFileTypes: true });
    for (const entry of entries) {
      const file = `${folder}/${entry.name}`;
      if (entry.isDirectory()) this.#walk(file, found);
      else found.set(file, fs.readFileSync(this.#at(file)));
    }
  }

  #opened(
    file: string,
    descriptor: number,
    later: <T>(call: string, isWrite: boolean, effect: () => T) => Promise<T>,
  ): WritableFile {
    this.#open.add(descriptor);
    return {
      appendFile: (data) => later(`write ${file}`, true, () => void fs.writeSync(descriptor, Buffer.from(data))),
      sync: () => later(`fsync ${file}`, false, () => fs.fsyncSync(descriptor)),
      datasync: () => later(`fdatasync ${file}`, false, () => fs.fdatasyncSync(descriptor)),
      close: async () => {
        if (this.#open.delete(descriptor)) fs.closeSync(descriptor);
      },
    };
  }
}
