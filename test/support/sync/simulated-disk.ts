import { type BigIntStats, constants, Dirent } from 'node:fs';
import path from 'node:path';
import { codeOf } from '#base/system-error.ts';
import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import type { WritableFile } from '#sync/disk/plain-file.ts';
import type { DiskKind } from './disk-kinds.ts';
import { type Named, type SimulatedFile, type SimulatedFolder, steps, unsynced } from './simulated-nodes.ts';

/** The longest chain of links that is followed. */
const MOST_LINKS = 40;

/** A change of names in one or two folders; a power loss preserves or loses it as a whole. */
interface NameChange {
  readonly folders: ReadonlySet<SimulatedFolder>;
  readonly apply: (side: 'entries' | 'durable') => void;
}

/** The node at a path, and its true name. */
interface Found {
  readonly node: Named['node'];
  readonly real: string;
}

/** Runs the effect of a call; may throw a system error or end the process, before or after it. */
export type OnCall = <T>(call: string, isWrite: boolean, effect: () => T) => T;

/** A file system in memory behind the calls that the engine makes. */
export class SimulatedDisk {
  readonly kind: DiskKind;
  #inodes = 1n;
  #root: SimulatedFolder;
  #changes: NameChange[] = [];
  #now: number;

  constructor(kind: DiskKind, now = 1_700_000_000_000) {
    this.kind = kind;
    this.#now = now;
    this.#root = this.#newFolder();
  }

  /** Returns the files that programs see, by absolute path under their true name, without folders. */
  files(folder = '/'): Map<string, Buffer> {
    const found = new Map<string, Buffer>();
    this.#walk(this.#folderAt(folder), folder === '/' ? '' : folder, found);
    return found;
  }

  has(file: string): boolean {
    return typeof this.#find(file) !== 'string';
  }

  /** Returns the true name of a path; the path itself if nothing exists there. */
  trueName(file: string): string {
    let folder: SimulatedFolder | undefined = this.#root;
    const names: string[] = [];
    for (const step of steps(file)) {
      const named: Named | undefined = folder?.entries.get(this.#key(step));
      names.push(named?.name ?? step);
      folder = named?.node.kind === 'folder' ? named.node : undefined;
    }
    return `/${names.join('/')}`;
  }

  /** Writes a whole file in place, as a program does, with its parent folders. */
  write(file: string, bytes: Uint8Array): void {
    const [parent, name] = this.#makeParents(file);
    const there = parent.entries.get(this.#key(name))?.node;
    if (there?.kind === 'file') {
      there.bytes = Buffer.from(bytes);
      there.time = this.#tick();
      return;
    }
    this.#add(parent, name, this.#newFile(Buffer.from(bytes)));
  }

  /** Creates a folder with all missing parents. */
  makeFolder(folder: string): void {
    this.#makeParents(`${folder}/x`);
  }

  /** Creates a symbolic link to an absolute path, as a program does. */
  symlink(target: string, file: string): void {
    const [parent, name] = this.#parentOf(file);
    if (parent.entries.has(this.#key(name))) throw problem('EEXIST', file);
    this.#add(parent, name, { kind: 'link', inode: ++this.#inodes, target, time: this.#tick() });
  }

  remove(file: string): void {
    const [parent, name] = this.#parentOf(file);
    this.#drop(parent, name);
  }

  rename(from: string, to: string): void {
    const [source, name] = this.#parentOf(from);
    const named = source.entries.get(this.#key(name));
    if (!named) throw problem('ENOENT', from);
    const [target, newName] = this.#parentOf(to);
    const there = target.entries.get(this.#key(newName));
    if (there && there.node !== named.node) {
      if (there.node.kind === 'folder') throw problem(named.node.kind === 'file' ? 'EISDIR' : 'ENOTEMPTY', to);
      if (named.node.kind === 'folder') throw problem('ENOTDIR', to);
    }
    this.#change(new Set([source, target]), (side) => {
      source[side].delete(this.#key(name));
      target[side].set(this.#key(newName), { name: this.#stored(newName), node: named.node });
    });
  }

  /** Advances the clock by so many milliseconds. */
  pass(ms: number): void {
    this.#now += ms;
  }

  /** Makes everything that programs wrote durable. */
  writeBack(): void {
    for (const change of this.#changes.splice(0)) change.apply('durable');
    this.#eachNode(this.#root, 'entries', (node) => {
      if (node.kind === 'file') node.durable = node.bytes;
      else if (node.kind === 'folder') node.durable = new Map(node.entries);
    });
  }

  /**
   * Loses power. Each unflushed change may survive or not; a file that was rewritten rather than appended to may also be empty.
   */
  losePower(coin: () => boolean): void {
    for (const change of this.#changes.splice(0)) {
      if (!coin()) break;
      change.apply('durable');
    }
    this.#eachNode(this.#root, 'durable', (node) => {
      if (node.kind === 'link') return;
      if (node.kind === 'folder') node.entries = new Map(node.durable);
      else if (!node.bytes.equals(node.durable) && !coin()) node.bytes = unsynced(node, coin);
      if (node.kind === 'file') node.durable = node.bytes;
    });
  }

  /** Returns the calls of one life of the engine. */
  calls(on: OnCall): DiskCalls {
    const later = <T>(call: string, isWrite: boolean, effect: () => T): Promise<T> =>
      new Promise((resolve) => resolve(on(call, isWrite, effect)));
    const look = <T>(call: string, effect: () => T): T => on(call, false, effect);
    const open = new Map<number, SimulatedFile>();
    let descriptors = 10;
    return {
      now: () => this.#now,
      lstat: (file) => look(`lstat ${file}`, () => this.#stat(file)),
      entries: (folder) => look(`entries ${folder}`, () => this.#entries(folder)),
      realPath: (file) => this.#realPath(file),
      openNow: (file, flags) =>
        look(`open ${file}`, () => {
          const isLink = this.#nodeAt(file, 'no further').kind === 'link';
          if (isLink && (flags & constants.O_NOFOLLOW) !== 0) throw problem('ELOOP', file);
          open.set(++descriptors, this.#fileAt(file));
          return descriptors;
        }),
      readNow: (descriptor, into, offset, length, position) =>
        look('read', () => {
          const bytes = open.get(descriptor)?.bytes ?? Buffer.alloc(0);
          if (position >= bytes.length) return 0;
          return bytes.copy(into, offset, position, Math.min(bytes.length, position + length));
        }),
      fstat: (descriptor) => look('fstat', () => this.#statOf(open.get(descriptor) ?? this.#root)),
      closeNow: (descriptor) => void open.delete(descriptor),
      makeFolder: (folder, recursive) =>
        on(`mkdir ${folder}`, true, () => {
          if (recursive) this.#makeParents(`${folder}/x`);
          else this.#makeFolder(folder);
        }),
      removeFolder: (folder) => on(`rmdir ${folder}`, true, () => this.#removeFolder(folder)),
      open: (file, flags) =>
        later(`open ${file}`, (flags & constants.O_CREAT) !== 0, () => this.#open(file, flags, later)),
      readFile: (file) => later(`readFile ${file}`, false, () => Buffer.from(this.#fileAt(file).bytes)),
      names: (folder) => later(`names ${folder}`, false, () => this.#entries(folder).map(({ name }) => name)),
      stat: (file) =>
        later(`stat ${file}`, false, () => {
          const { bytes, time } = this.#fileAt(file);
          return { size: bytes.length, mtimeMs: time };
        }),
      rename: (from, to) => later(`rename ${from} ${to}`, true, () => this.rename(from, to)),
      link: (from, to) => later(`link ${from} ${to}`, true, () => this.#link(from, to)),
      copyFile: (from, to, mode) => later(`copy ${from} ${to}`, true, () => this.#copy(from, to, mode)),
      chmod: async () => undefined,
      utimes: async (file, time) => {
        this.#fileAt(file).time = time.getTime();
      },
      remove: (file) => later(`rm ${file}`, true, () => this.#removeQuietly(file)),
      makePrivateFolder: (folder) => later(`mkdir -p ${folder}`, true, () => void this.#makeParents(`${folder}/x`)),
      syncEverything: async () => false,
    };
  }

  #open(
    file: string,
    flags: number,
    later: <T>(call: string, isWrite: boolean, effect: () => T) => Promise<T>,
  ): WritableFile {
    const node = this.#opened(file, flags);
    const sync = (): void => this.#sync(node);
    return {
      appendFile: async (data) => {
        const bytes = Buffer.from(data);
        if (node.kind === 'folder') throw problem('EISDIR', file);
        try {
          await later(`write ${file}`, true, () => {
            node.bytes = Buffer.concat([node.bytes, bytes]);
            node.time = this.#tick();
          });
        } catch (error) {
          // A full disk writes a part.
          if (codeOf(error) === 'ENOSPC')
            node.bytes = Buffer.concat([node.bytes, bytes.subarray(0, bytes.length >> 1)]);
          throw error;
        }
      },
      sync: () => later(`fsync ${file}`, false, sync),
      datasync: () => later(`fdatasync ${file}`, false, sync),
      close: () => Promise.resolve(),
    };
  }

  #opened(file: string, flags: number): SimulatedFile | SimulatedFolder {
    const [parent, name] = this.#parentOf(file);
    const named = name === '' ? this.#root : parent.entries.get(this.#key(name))?.node;
    const there = named?.kind === 'link' ? this.#nodeAt(named.target) : named;
    const creates = (flags & constants.O_CREAT) !== 0;
    if (there) {
      if (creates && (flags & constants.O_EXCL) !== 0) throw problem('EEXIST', file);
      if (there.kind === 'file' && (flags & constants.O_TRUNC) !== 0) there.bytes = Buffer.alloc(0);
      return there;
    }
    if (!creates) throw problem('ENOENT', file);
    const made = this.#newFile(Buffer.alloc(0));
    this.#add(parent, name, made);
    return made;
  }

  #sync(node: SimulatedFile | SimulatedFolder): void {
    if (node.kind === 'file') {
      node.durable = node.bytes;
      return;
    }
    const rest: NameChange[] = [];
    for (const change of this.#changes) {
      if (change.folders.has(node)) change.apply('durable');
      else rest.push(change);
    }
    this.#changes = rest;
  }

  #link(from: string, to: string): void {
    if (this.kind.noHardLinks === true) throw problem('EPERM', from);
    const node = this.#fileAt(from);
    const [parent, name] = this.#parentOf(to);
    if (parent.entries.has(this.#key(name))) throw problem('EEXIST', to);
    this.#add(parent, name, node);
  }

  #copy(from: string, to: string, mode: number): void {
    const { bytes } = this.#fileAt(from);
    const [parent, name] = this.#parentOf(to);
    const there = parent.entries.get(this.#key(name))?.node;
    if (there && (mode & constants.COPYFILE_EXCL) !== 0) throw problem('EEXIST', to);
    if (there?.kind === 'file') {
      there.bytes = bytes;
      there.time = this.#tick();
    } else this.#add(parent, name, this.#newFile(bytes));
  }

  #removeQuietly(file: string): void {
    const found = this.#find(file, 'no further');
    if (found !== 'ENOENT') this.remove(file);
  }

  #makeFolder(folder: string): void {
    const [parent, name] = this.#parentOf(folder);
    if (parent.entries.has(this.#key(name))) throw problem('EEXIST', folder);
    this.#add(parent, name, this.#newFolder());
  }

  #removeFolder(folder: string): void {
    if (this.#folderAt(folder).entries.size > 0) throw problem('ENOTEMPTY', folder);
    const [parent, name] = this.#parentOf(folder);
    this.#drop(parent, name);
  }

  #makeParents(file: string): [SimulatedFolder, string] {
    const names = steps(file);
    const last = names.pop() ?? '';
    let folder = this.#root;
    for (const name of names) {
      const there = folder.entries.get(this.#key(name))?.node;
      const behind = there?.kind === 'link' ? this.#folderAt(there.target) : there;
      if (behind?.kind === 'file') throw problem('ENOTDIR', file);
      const next = behind ?? this.#newFolder();
      if (!there) this.#add(folder, name, next);
      folder = next;
    }
    return [folder, last];
  }

  #add(folder: SimulatedFolder, name: string, node: Named['node']): void {
    const named = { name: this.#stored(name), node };
    this.#change(new Set([folder]), (side) => folder[side].set(this.#key(name), named));
  }

  #drop(folder: SimulatedFolder, name: string): void {
    if (!folder.entries.has(this.#key(name))) throw problem('ENOENT', name);
    this.#change(new Set([folder]), (side) => folder[side].delete(this.#key(name)));
  }

  #change(folders: ReadonlySet<SimulatedFolder>, apply: NameChange['apply']): void {
    apply('entries');
    for (const folder of folders) folder.time = this.#tick();
    this.#changes.push({ folders, apply });
  }

  #stat(file: string): BigIntStats | undefined {
    const found = this.#find(file, 'no further');
    if (found === 'ENOENT') return undefined;
    if (typeof found === 'string') throw problem(found, file);
    return this.#statOf(found.node);
  }

  #statOf(node: Named['node']): BigIntStats {
    const isFile = node.kind === 'file';
    const isLink = node.kind === 'link';
    const step = this.kind.stepMs ?? 1;
    const ns = BigInt(Math.floor(node.time / step) * step) * 1_000_000n;
    const ino = this.kind.noInodes === true ? 0n : node.inode;
    const known = {
      ino,
      size: BigInt(isFile ? node.bytes.length : 0),
      mode: BigInt(isFile ? node.mode : 0o755),
      mtimeNs: ns,
      ctimeNs: ns,
      isFile: () => isFile,
      isDirectory: () => !isFile && !isLink,
      isSymbolicLink: () => isLink,
    };
    // Only the fields that the engine reads.
    return known as unknown as BigIntStats;
  }

  #entries(folder: string): Dirent[] {
    return [...this.#folderAt(folder).entries.values()].map(({ name, node }) => {
      const known = {
        name,
        isFile: () => node.kind === 'file',
        isDirectory: () => node.kind === 'folder',
        isSymbolicLink: () => node.kind === 'link',
      };
      return Object.assign(Object.create(Dirent.prototype) as Dirent, known);
    });
  }

  #fileAt(file: string): SimulatedFile {
    const node = this.#nodeAt(file);
    if (node.kind !== 'file') throw problem('EISDIR', file);
    return node;
  }

  #folderAt(folder: string): SimulatedFolder {
    const node = this.#nodeAt(folder);
    if (node.kind !== 'folder') throw problem('ENOTDIR', folder);
    return node;
  }

  /** Returns the node at a path; follows a link at its end by default. */
  #nodeAt(file: string): SimulatedFile | SimulatedFolder;
  #nodeAt(file: string, end: 'no further'): Named['node'];
  #nodeAt(file: string, end?: 'no further'): Named['node'] {
    return this.#foundAt(file, end).node;
  }

  /** Returns the path with all links in it resolved. */
  #realPath(file: string): string {
    return this.#foundAt(file).real;
  }

  #foundAt(file: string, end?: 'no further'): Found {
    const found = this.#find(file, end);
    if (typeof found === 'string') throw problem(found, file);
    return found;
  }

  /** Returns the node at a path, or the code of the error that a program gets: most lookups find nothing. */
  #find(file: string, end?: 'no further'): Found | 'ENOENT' | 'ENOTDIR' | 'ELOOP' {
    let names = steps(file);
    let node: Named['node'] = this.#root;
    let real = '';
    let links = 0;
    for (let at = 0; at < names.length;) {
      if (node.kind !== 'folder') return 'ENOTDIR';
      const named: Named | undefined = node.entries.get(this.#key(names[at] ?? ''));
      if (!named) return 'ENOENT';
      at += 1;
      if (named.node.kind === 'link' && (at < names.length || end === undefined)) {
        if (++links > MOST_LINKS) return 'ELOOP';
        names = [...steps(named.node.target), ...names.slice(at)];
        at = 0;
        node = this.#root;
        real = '';
      } else {
        ({ node } = named);
        real += `/${named.name}`;
      }
    }
    return { node, real: real === '' ? '/' : real };
  }

  #parentOf(file: string): [SimulatedFolder, string] {
    return [this.#folderAt(path.dirname(file)), path.basename(file)];
  }

  #walk(folder: SimulatedFolder, above: string, found: Map<string, Buffer>): void {
    for (const { name, node } of folder.entries.values()) {
      if (node.kind === 'file') found.set(`${above}/${name}`, node.bytes);
      else if (node.kind === 'folder') this.#walk(node, `${above}/${name}`, found);
    }
  }

  #eachNode(folder: SimulatedFolder, side: 'entries' | 'durable', visit: (node: Named['node']) => void): void {
    visit(folder);
    for (const { node } of folder[side].values()) {
      if (node.kind === 'folder') this.#eachNode(node, side, visit);
      else visit(node);
    }
  }

  #key(name: string): string {
    const { ignoresCase, unicode } = this.kind;
    if (unicode === undefined) return ignoresCase === true ? name.toLowerCase() : name;
    const form = name.normalize('NFC');
    if (ignoresCase !== true) return form;
    // APFS folds whole words, HFS+ letter by letter.
    return (unicode === 'preserved' ? form.toUpperCase() : form).toLowerCase().normalize('NFC');
  }

  #stored(name: string): string {
    return this.kind.unicode === 'decomposed' ? name.normalize('NFD') : name;
  }

  #tick(): number {
    this.#now += 1;
    return this.#now;
  }

  #newFile(bytes: Buffer): SimulatedFile {
    return { kind: 'file', inode: ++this.#inodes, bytes, durable: Buffer.alloc(0), time: this.#tick(), mode: 0o644 };
  }

  #newFolder(): SimulatedFolder {
    return { kind: 'folder', inode: ++this.#inodes, time: this.#tick(), entries: new Map(), durable: new Map() };
  }
}

/** Returns a system error. It has no stack, as most of those of Node, because schedules make millions of them. */
export function problem(code: string, file: string): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return Object.assign(new Error(`${code}: ${file}`), { code });
  } finally {
    Error.stackTraceLimit = limit;
  }
}
