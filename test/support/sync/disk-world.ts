import path from 'node:path';
import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import { nodeHasher } from '#sync/disk/folder-ports.ts';
import type { SyncPorts } from '#sync/core/ports.ts';
import type { EngineVariant } from './schedule.ts';
import { diskKinds } from './disk-kinds.ts';
import { type OnCall, problem } from './simulated-disk.ts';
import { MountedDisk } from './mounted-disk.ts';
import { FOLDER, portsOver } from './simulated-ports.ts';
import { bytesOf, hashOfVersion, type Version, versionOfBytes } from './versions.ts';
import { DiskFull, type World } from './world.ts';

/** A disk that a world can use, simulated or mounted. */
export interface WorldDisk {
  /** Returns the files that programs see, by absolute path under their true name, without folders. */
  files(folder?: string): Map<string, Buffer>;
  /** Whether this name finds a file or a folder. */
  has(file: string): boolean;
  /** Returns the true name of a path; the path itself if nothing exists there. */
  trueName(file: string): string;
  /** Writes a whole file in place, as a program does, with its parent folders. */
  write(file: string, bytes: Uint8Array): void;
  makeFolder(folder: string): void;
  remove(file: string): void;
  rename(from: string, to: string): void;
  writeBack(): void;
  losePower(coin: () => boolean): void;
  /** Advances the disk's own clock, if it has one, by so many milliseconds. */
  pass?(ms: number): void;
  calls(on: OnCall): DiskCalls;
}

/** The user's side of a world on a disk: the files that programs see, write and lose there. Paths are in NFC. */
export class DiskSide extends Map<string, Version> {
  readonly disk: WorldDisk;
  readonly ignoresCase: boolean;
  /** Chooses the Unicode form in which a program writes a new name. */
  readonly #coin: () => boolean;

  constructor(disk: WorldDisk, coin: () => boolean) {
    super();
    this.disk = disk;
    this.#coin = coin;
    this.disk.makeFolder(FOLDER);
    this.disk.writeBack();
    this.ignoresCase = this.disk.has(path.join(path.dirname(FOLDER), path.basename(FOLDER).toUpperCase()));
  }

  override get size(): number {
    return this.#all().length;
  }

  override get(path: string): Version | undefined {
    return this.#all().find(([name]) => name === path)?.[1];
  }

  override has(path: string): boolean {
    return this.get(path) !== undefined;
  }

  override set(path: string, version: Version): this {
    // Registers its hash.
    hashOfVersion(version);
    this.disk.write(this.#at(path), bytesOf(version));
    return this;
  }

  override delete(path: string): boolean {
    if (!this.has(path)) return false;
    this.disk.remove(this.#at(path));
    return true;
  }

  override keys(): MapIterator<string> {
    return new Map(this.#all()).keys();
  }

  override values(): MapIterator<Version> {
    return new Map(this.#all()).values();
  }

  override entries(): MapIterator<[string, Version]> {
    return new Map(this.#all()).entries();
  }

  override [Symbol.iterator](): MapIterator<[string, Version]> {
    return this.entries();
  }

  /** Renames a file, as a program does; a power loss does not affect it. */
  move(from: string, to: string): void {
    const target = this.#at(to);
    this.disk.makeFolder(path.dirname(target));
    this.disk.rename(this.#at(from), target);
    this.disk.writeBack();
  }

  /** Renames a file to the other Unicode form of its name, which is another file on some disks. */
  respell(file: string): void {
    const from = this.disk.trueName(this.#at(file));
    const name = path.basename(from);
    const other = name.normalize(name === name.normalize('NFC') ? 'NFD' : 'NFC');
    const to = path.join(path.dirname(from), other);
    const isTaken = this.disk.has(to) && this.disk.trueName(to) !== from;
    if (other === name || !this.has(file) || isTaken) return;
    this.disk.rename(from, to);
    this.disk.writeBack();
  }

  /** Renames all except one of the files whose paths differ in their Unicode form only. */
  separate(file: string): void {
    const twins = [...this.disk.files(FOLDER).keys()].filter((name) => name.normalize('NFC') === `${FOLDER}/${file}`);
    const kept = twins.find((name) => name === name.normalize('NFC')) ?? twins[0];
    for (const [number, name] of twins.filter((twin) => twin !== kept).entries())
      this.disk.rename(name, `${name}-other${number === 0 ? '' : number}`);
    this.disk.writeBack();
  }

  /** Renames files to each other's names: each file keeps its bytes on the disk. */
  moveRound(moves: readonly (readonly [from: string, to: string])[]): void {
    for (const [number, [from]] of moves.entries()) this.disk.rename(this.#at(from), `${FOLDER}-${number}`);
    for (const [number, [, to]] of moves.entries()) {
      const target = this.#at(to);
      this.disk.makeFolder(path.dirname(target));
      this.disk.rename(`${FOLDER}-${number}`, target);
    }
    this.disk.writeBack();
  }

  /** Whether a call of the engine may change the user's files. */
  isTouchedBy(call: string): boolean {
    return call.includes(`${FOLDER}/`) && MOVES.test(call);
  }

  /** Returns the name under which the disk finds this path now. */
  nameOf(path: string): string {
    return this.disk
      .trueName(this.#at(path))
      .slice(FOLDER.length + 1)
      .normalize('NFC');
  }

  /** Returns all versions on the disk, including those in the trash and in hidden files. */
  kept(): Version[] {
    return [...this.disk.files().values()].filter(({ length }) => length === 2).map(versionOfBytes);
  }

  /** Returns the engine's hidden files between the user's. */
  hidden(): string[] {
    return [...this.disk.files(FOLDER).keys()].filter((name) => name.includes('/.modelbench-'));
  }

  /** Returns the versions that the engine moved aside and has not restored yet, by their hidden name. */
  taken(): [string, Version][] {
    return [...this.disk.files(FOLDER)]
      .filter(([name]) => name.includes('/.modelbench-') && name.endsWith('.old'))
      .map(([name, bytes]) => [name, versionOfBytes(bytes)]);
  }

  #all(): [string, Version][] {
    return [...this.disk.files(FOLDER)]
      .filter(([name]) => !name.includes('/.modelbench-'))
      .map(([name, bytes]) => [name.slice(FOLDER.length + 1).normalize('NFC'), versionOfBytes(bytes)]);
  }

  /** Returns the absolute path of an existing or new file. */
  #at(file: string): string {
    let at = FOLDER;
    for (const step of file.split('/')) at = `${at}/${this.#formOf(at, step)}`;
    return at;
  }

  #formOf(folder: string, name: string): string {
    const other = name.normalize('NFD');
    if (other === name || this.disk.has(`${folder}/${name}`)) return name;
    return this.disk.has(`${folder}/${other}`) || this.#coin() ? other : name;
  }
}

/** Calls that change what is at a path, except those on the engine's own hidden files. */
const MOVES = /^(rename|link|copy) |^(rm|unlink) (?!.*\/\.modelbench-)/;

/** The engine with its real disk layer, on each kind of disk. */
export const diskEngines: readonly EngineVariant[] = diskKinds.map((kind) => ({
  name: `the engine on ${kind.name}`,
  disk: kind,
  ports: (made, world) => onDisk(made, world),
}));

/** Returns the engine with its real disk layer on a mounted disk, which is empty for each schedule. */
export function mountedEngine(name: string, folder: string): EngineVariant {
  let disk: MountedDisk | undefined;
  const mounted = (): MountedDisk => {
    disk?.dispose();
    disk = new MountedDisk(path.join(folder, 'schedule'));
    return disk;
  };
  return { name: `the engine on ${name}`, mounted, ports: (made, world) => onDisk(made, world) };
}

/** Variants with one weakness each: the simulator must detect every one of them. */
export const weakDiskEngines: readonly EngineVariant[] = [
  weakened('nothing is synced to the disk', (calls) => ({
    ...calls,
    open: async (...args) => ({
      ...(await calls.open(...args)),
      sync: async () => undefined,
      datasync: async () => undefined,
    }),
  })),
  weakened('a file takes its place over whatever is there', (calls) => ({
    ...calls,
    link: (from, to) => calls.copyFile(from, to, 0),
  })),
  weakened('what was taken out of its place is not recovered', (calls) => ({
    ...calls,
    entries: (folder) => calls.entries(folder).filter(({ name }) => !name.endsWith('.old')),
  })),
  {
    ...weakened('a file is known by its size and time stamp, on a disk without inodes', (calls) => ({
      ...calls,
      lstat: (file) => {
        const stat = calls.lstat(file);
        return stat?.isDirectory() === true ? Object.assign(stat, { mtimeNs: 0n }) : stat;
      },
    })),
    disk: diskKinds.find(({ noInodes }) => noInodes === true) ?? { name: '' },
  },
];

/** An engine that the witness must detect, and the text that it then reports. */
export interface Untruthful extends EngineVariant {
  readonly caughtBy: string;
}

/** Engines that lose nothing, but do what was not requested, or report as done what did not happen. */
export const untruthfulEngines: readonly Untruthful[] = [
  {
    ...onFirstDisk('a push sends one more file than was ticked', (ports, world) => ({
      ...ports,
      remote: {
        ...ports.remote,
        put: (files, signal) => {
          const [first] = files;
          const isFree = first !== undefined && !world.remote.has('m/b') && first.path !== 'm/b';
          return ports.remote.put(isFree ? [...files, { ...first, path: 'm/b', expected: undefined }] : files, signal);
        },
      },
    })),
    caughtBy: 'not asked for',
  },
  {
    ...weakened('a file that is said to be in its place is not', (calls) => ({
      ...calls,
      link: async () => undefined,
    })),
    caughtBy: 'said done but never was',
  },
  {
    // A list that shows the file would refute the reply: this one lies as well.
    ...onFirstDisk('the platform is said to have deleted what it still has', (ports) => {
      const deleted = new Set<string>();
      const list: typeof ports.remote.list = async (signal) => {
        const listing = await ports.remote.list(signal);
        return { ...listing, files: new Map([...listing.files].filter(([path]) => !deleted.has(path))) };
      };
      const remove: typeof ports.remote.remove = async (files) => {
        for (const { path } of files) deleted.add(path);
        return { kind: 'done' };
      };
      return { ...ports, remote: { ...ports.remote, list, remove } };
    }),
    caughtBy: 'said done but never was',
  },
];

function onFirstDisk(name: string, ports: NonNullable<EngineVariant['ports']>): EngineVariant {
  const weak = weakened(name, (calls) => calls);
  return { ...weak, ports: (made, world) => ports(onDisk(made, world), world) };
}

function weakened(name: string, weaken: (calls: DiskCalls) => DiskCalls): EngineVariant {
  return { name, disk: diskKinds[0] ?? { name }, ports: (made, world) => onDisk(made, world, weaken) };
}

function onDisk<P extends SyncPorts>(made: P, world: World, weaken = (calls: DiskCalls): DiskCalls => calls): P {
  const { life, side } = world;
  if (!side) throw new Error('This world has no disk.');
  const calls = side.disk.calls((call, isWrite, effect) => {
    try {
      return world.step(life, isWrite ? 'stage' : 'disk', call, effect);
    } catch (error) {
      throw error instanceof DiskFull ? problem('ENOSPC', call) : error;
    }
  });
  const ports = portsOver(weaken(calls), String(world.boots));
  return { ...made, ...ports, files: effectsOf(ports.files, world, life), hasher: nodeHasher };
}

/** Wraps files so that the world knows while one of them is being replaced, removed or renamed. */
function effectsOf(files: SyncPorts['files'], world: World, life: number): SyncPorts['files'] {
  const effects: readonly (string | symbol)[] = ['replace', 'remove', 'rename'];
  return new Proxy(files, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = (...args: readonly unknown[]): unknown => Reflect.apply(member, target, args);
      if (!effects.includes(name)) return call;
      return (...args: readonly unknown[]) => world.during(life, async () => call(...args));
    },
  });
}
