import path from 'node:path';
import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import { nodeHasher } from '#sync/disk/sync-ports.ts';
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
  /** What programs see as files, by absolute path under its true name, folders aside. */
  files(folder?: string): Map<string, Buffer>;
  /** Whether a file or a folder is found by this name. */
  has(file: string): boolean;
  /** The name that a path really has here; the path itself where nothing is there. */
  trueName(file: string): string;
  /** A program writes a whole file in place, with the folders above it. */
  write(file: string, bytes: Uint8Array): void;
  makeFolder(folder: string): void;
  remove(file: string): void;
  rename(from: string, to: string): void;
  writeBack(): void;
  losePower(coin: () => boolean): void;
  /** So many ms go by, where the disk has a clock of its own. */
  pass?(ms: number): void;
  calls(on: OnCall): DiskCalls;
}

/** The user's side of a world on a disk: what programs see, write and lose there. Paths are in NFC. */
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
    // Known by its hash from now on.
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

  /** A program renames a file, which a power loss keeps whole. */
  move(from: string, to: string): void {
    const target = this.#at(to);
    this.disk.makeFolder(path.dirname(target));
    this.disk.rename(this.#at(from), target);
    this.disk.writeBack();
  }

  /** A program spells the name of a file in the other Unicode form, which is another file on some disks. */
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

  /** The user gives all but one of the files another name whose paths differ in their Unicode form only. */
  separate(file: string): void {
    const twins = [...this.disk.files(FOLDER).keys()].filter((name) => name.normalize('NFC') === `${FOLDER}/${file}`);
    const kept = twins.find((name) => name === name.normalize('NFC')) ?? twins[0];
    for (const [number, name] of twins.filter((twin) => twin !== kept).entries())
      this.disk.rename(name, `${name}-other${number === 0 ? '' : number}`);
    this.disk.writeBack();
  }

  /** A program renames files to each other's names: each file keeps its bytes on the disk. */
  moveRound(moves: readonly (readonly [from: string, to: string])[]): void {
    for (const [number, [from]] of moves.entries()) this.disk.rename(this.#at(from), `${FOLDER}-${number}`);
    for (const [number, [, to]] of moves.entries()) {
      const target = this.#at(to);
      this.disk.makeFolder(path.dirname(target));
      this.disk.rename(`${FOLDER}-${number}`, target);
    }
    this.disk.writeBack();
  }

  /** Whether a call of the engine may change files of the user. */
  isTouchedBy(call: string): boolean {
    return call.includes(`${FOLDER}/`) && MOVES.test(call);
  }

  /** The name under which the disk finds this path now. */
  nameOf(path: string): string {
    return this.disk
      .trueName(this.#at(path))
      .slice(FOLDER.length + 1)
      .normalize('NFC');
  }

  /** Everything that is somewhere on the disk, trash and hidden files included. */
  kept(): Version[] {
    return [...this.disk.files().values()].filter(({ length }) => length === 2).map(versionOfBytes);
  }

  /** Files of the engine's that lie hidden between the user's. */
  hidden(): string[] {
    return [...this.disk.files(FOLDER).keys()].filter((name) => name.includes('/.modelbench-'));
  }

  /** What the engine took out of its place, by its hidden name, and has not given back yet. */
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

  /** Where a path is on the disk, or would be made. */
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

/** Calls that change what is at a path, the engine's own hidden files aside. */
const MOVES = /^(rename|link|copy) |^(rm|unlink) (?!.*\/\.modelbench-)/;

/** The engine with its real disk layer, on each kind of disk. */
export const diskEngines: readonly EngineVariant[] = diskKinds.map((kind) => ({
  name: `the engine on ${kind.name}`,
  disk: kind,
  ports: (made, world) => onDisk(made, world),
}));

/** The engine with its real disk layer on a mounted disk, which each schedule finds empty. */
export function mountedEngine(name: string, folder: string): EngineVariant {
  let disk: MountedDisk | undefined;
  const mounted = (): MountedDisk => {
    disk?.dispose();
    disk = new MountedDisk(path.join(folder, 'schedule'));
    return disk;
  };
  return { name: `the engine on ${name}`, mounted, ports: (made, world) => onDisk(made, world) };
}

/** The same made worse in one point each: the simulator has to catch every one of them. */
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

/** An engine that the witness has to catch, by the words that it says then. */
export interface Untruthful extends EngineVariant {
  readonly caughtBy: string;
}

/** Engines that lose nothing, but do what nobody asked for, or call done what did not happen. */
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
    ...onFirstDisk('the platform is said to have deleted what it still has', (ports) => ({
      ...ports,
      remote: { ...ports.remote, remove: async () => ({ kind: 'done' }) },
    })),
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

/** The same files; the world knows while one of them is replaced, removed or renamed. */
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
