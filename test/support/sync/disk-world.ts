import path from 'node:path';
import type { DiskCalls } from '#node/disk-calls.ts';
import { nodeHasher } from '#node/sync-ports.ts';
import type { SyncPorts } from '#sync/ports.ts';
import type { EngineVariant } from './schedule.ts';
import { type DiskKind, diskKinds, problem, SimulatedDisk } from './simulated-disk.ts';
import { FOLDER, portsOver } from './simulated-ports.ts';
import { bytesOf, hashOfVersion, type Version, versionOfBytes } from './versions.ts';
import { DiskFull, type World } from './world.ts';

/** The person's side of a world on a simulated disk: what programs see, write and lose there. */
export class DiskSide extends Map<string, Version> {
  readonly disk: SimulatedDisk;

  constructor(kind: DiskKind) {
    super();
    this.disk = new SimulatedDisk(kind);
    this.disk.makeFolder(FOLDER);
    this.disk.writeBack();
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
    this.disk.write(at(path), bytesOf(version));
    return this;
  }

  override delete(path: string): boolean {
    if (!this.has(path)) return false;
    this.disk.remove(at(path));
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
    this.disk.makeFolder(path.dirname(at(to)));
    this.disk.rename(at(from), at(to));
    this.disk.writeBack();
  }

  /** A program renames files to each other's names: each file keeps its bytes on the disk. */
  moveRound(moves: readonly (readonly [from: string, to: string])[]): void {
    for (const [number, [from]] of moves.entries()) this.disk.rename(at(from), `${FOLDER}-${number}`);
    for (const [number, [, to]] of moves.entries()) {
      this.disk.makeFolder(path.dirname(at(to)));
      this.disk.rename(`${FOLDER}-${number}`, at(to));
    }
    this.disk.writeBack();
  }

  /** Whether a call of the engine may change files of the user. */
  isTouchedBy(call: string): boolean {
    return call.includes(`${FOLDER}/`) && MOVES.test(call);
  }

  /** The name under which the disk finds this path now. */
  nameOf(path: string): string {
    return this.disk.trueName(at(path)).slice(FOLDER.length + 1);
  }

  /** Everything that is somewhere on the disk, trash and hidden files included. */
  kept(): Version[] {
    return [...this.disk.files().values()].filter(({ length }) => length === 2).map(versionOfBytes);
  }

  /** Files of the engine's that lie hidden between the person's. */
  hidden(): string[] {
    return [...this.disk.files(FOLDER).keys()].filter((name) => name.includes('/.modelbench-'));
  }

  #all(): [string, Version][] {
    return [...this.disk.files(FOLDER)]
      .filter(([name]) => !name.includes('/.modelbench-'))
      .map(([name, bytes]) => [name.slice(FOLDER.length + 1), versionOfBytes(bytes)]);
  }
}

/** Calls that change what is at a path, the engine's own hidden files aside. */
const MOVES = /^(rename|link|copy) |^(rm|unlink) (?!.*\/\.modelbench-)/;

function at(path: string): string {
  return `${FOLDER}/${path}`;
}

/** The engine with its real disk layer, on each kind of disk. */
export const diskEngines: readonly EngineVariant[] = diskKinds.map((kind) => ({
  name: `the engine on ${kind.name}`,
  disk: kind,
  ports: (made, world) => onDisk(made, world),
}));

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
  return { ...made, ...portsOver(weaken(calls), String(world.boots)), hasher: nodeHasher };
}
