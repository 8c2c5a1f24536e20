import { PlatformError } from '#api/errors.ts';

/** A version is a small number; its bytes and hash follow from it. 0 is the empty file that a crash leaves. */
export type Version = number;

export const TORN: Version = 0;

/** What happens in the world around the engine: the person, a colleague, the disk. Paths by number. */
export type WorldEvent =
  | { readonly do: 'edit' | 'delete' | 'theirEdit' | 'theirDelete' | 'open' | 'save'; readonly path: number }
  | { readonly do: 'rename'; readonly path: number; readonly to: number }
  | { readonly do: 'writeback' };

/** What goes wrong at one call of a port. */
export type Fault =
  | { readonly kind: 'event'; readonly event: WorldEvent }
  | { readonly kind: 'crash' | 'crashAfter' | 'powerLoss' | 'powerLossAfter' }
  /** The connection breaks before, or after, the platform did it. */
  | { readonly kind: 'cut' | 'lost' | 'busy' }
  | { readonly kind: 'full' };

/** `effect`: a change of the person's files. */
type PortKind = 'files' | 'effect' | 'stage' | 'remote' | 'state';

export class Crash extends Error {
  override readonly name = 'Crash';
}

export const PATHS = ['m/a', 'm/b', 'm/c', 'm/d/x'] as const;

export const pathAt = (index: number): string => PATHS[index % PATHS.length] ?? PATHS[0];

export const bytesOf = (version: Version): Uint8Array =>
  version === TORN ? new Uint8Array(0) : new Uint8Array([version >> 8, version & 255]);

export const versionOfBytes = (bytes: Uint8Array): Version => ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);

export const hashOfVersion = (version: Version): string => `h${version}`;

export const versionOfHash = (hash: string): Version => Number(hash.slice(1));

export const sizeOfVersion = (version: Version): number => (version === TORN ? 0 : 2);

/** Which calls a fault strikes, before and after their effect. */
const before: Partial<Record<Fault['kind'], PortKind | 'any'>> = {
  crash: 'any',
  powerLoss: 'any',
  full: 'stage',
  cut: 'remote',
  busy: 'remote',
};
const after: Partial<Record<Fault['kind'], PortKind | 'any'>> = {
  lost: 'remote',
  crashAfter: 'any',
  powerLossAfter: 'any',
};

/** Both sides, the trash, and the account of every version: who made it, and who chose to let it go. */
export class World {
  /** What programs see on this disk, and what would be there after a power loss. */
  readonly local = new Map<string, Version>();
  readonly durable = new Map<string, Version>();
  readonly remote = new Map<string, Version>();
  readonly trash: { readonly path: string; readonly version: Version }[] = [];
  /** Open editors with unsaved changes: path → the version they were opened on. */
  readonly dirty = new Map<string, Version | undefined>();
  /** Versions that somebody made. */
  readonly made = new Set<Version>();
  /** Versions that somebody who saw them replaced or deleted, or that the disk lost before anybody could copy them. */
  readonly letGo = new Set<Version>();
  readonly #byPerson = new Set<Version>();
  readonly #faults: ReadonlyMap<number, Fault>;
  readonly #coin: () => boolean;
  readonly log: string[] = [];
  readonly verbose: boolean;
  #next: Version = 1;
  #step = 0;
  /** Grows with every crash: what belongs to an earlier life can do nothing any more. */
  life = 0;
  /** While the platform carries out something that it cannot tie to a condition, nobody else changes it. */
  quietRemote = false;
  /** No more faults. */
  calm = false;

  constructor(faults: ReadonlyMap<number, Fault>, coin: () => boolean, verbose = false) {
    this.#faults = faults;
    this.#coin = coin;
    this.verbose = verbose;
  }

  say(text: string): void {
    if (this.verbose) this.log.push(`${this.#step}: ${text}`);
  }

  /** One call of a port by the engine of a life; the place where everything goes wrong. */
  step<T>(life: number, where: PortKind, what: string, effect: () => T): T {
    if (life !== this.life) throw new Crash();
    const fault = this.calm ? undefined : this.#faults.get(++this.#step);
    if (!fault) {
      this.say(what);
      return effect();
    }
    this.say(`${what} [${fault.kind}]`);
    const { kind } = fault;
    if (kind === 'event') {
      // An editor that becomes dirty after the engine looked, within one rename, is the editor's own business: it sees
      // that the file changed under it and asks before it saves.
      if (where !== 'effect' || fault.event.do !== 'open') this.happen(fault.event);
      return effect();
    }
    this.#strike(before[kind], where, kind);
    const result = effect();
    this.#strike(after[kind], where, kind);
    return result;
  }

  #strike(on: PortKind | 'any' | undefined, where: PortKind, kind: Exclude<Fault['kind'], 'event'>): void {
    if (on !== where && on !== 'any') return;
    if (kind === 'full') throw new DiskFull();
    if (on === 'remote') throw unreachablePlatform(kind === 'busy' ? 'server' : 'network');
    this.#crash(kind === 'powerLoss' || kind === 'powerLossAfter');
  }

  happen(event: WorldEvent): void {
    if (event.do === 'writeback') {
      this.#copyTo(this.durable);
      return;
    }
    const path = pathAt(event.path);
    this.say(`  ${event.do} ${path}`);
    switch (event.do) {
      case 'edit':
        if (!this.dirty.has(path)) this.#write(path, this.local.get(path));
        break;
      case 'open':
        if (!this.dirty.has(path)) this.dirty.set(path, this.local.get(path));
        break;
      case 'save':
        // The person saw what the editor was opened on, not what somebody may have put under it since.
        if (this.dirty.has(path)) this.#write(path, this.dirty.get(path));
        this.dirty.delete(path);
        break;
      case 'delete':
        if (this.local.has(path) && !this.dirty.has(path)) this.#release(this.local.get(path));
        if (!this.dirty.has(path)) this.local.delete(path);
        break;
      case 'rename':
        this.#rename(path, pathAt(event.to));
        break;
      default:
        this.#theirs(event.do, path);
    }
  }

  /** Versions that nobody let go and that are nowhere any more. */
  lost(): Version[] {
    const kept = new Set([
      ...this.local.values(),
      ...this.remote.values(),
      ...this.trash.map(({ version }) => version),
    ]);
    return [...this.made].filter((version) => !this.letGo.has(version) && !kept.has(version));
  }

  /** A person who saw this version chose another one. */
  choose(version: Version | undefined): void {
    this.#release(version);
  }

  #theirs(what: 'theirEdit' | 'theirDelete', path: string): void {
    if (this.quietRemote) return;
    this.#release(this.remote.get(path));
    if (what === 'theirEdit') this.remote.set(path, this.#make());
    else this.remote.delete(path);
  }

  #write(path: string, seen: Version | undefined): void {
    this.#release(seen);
    const version = this.#make();
    this.#byPerson.add(version);
    this.local.set(path, version);
  }

  #rename(from: string, to: string): void {
    const version = this.local.get(from);
    if (version === undefined || this.local.has(to) || this.dirty.has(from) || this.dirty.has(to)) return;
    this.local.delete(from);
    this.local.set(to, version);
  }

  #make(): Version {
    const version = this.#next++;
    this.made.add(version);
    return version;
  }

  #release(version: Version | undefined): void {
    if (version !== undefined) this.letGo.add(version);
  }

  #crash(power: boolean): never {
    this.life += 1;
    this.quietRemote = false;
    if (power) this.#losePower();
    throw new Crash();
  }

  /** Each path keeps what was durable, or what was there, or (a person's own write) is empty. Editors are gone. */
  #losePower(): void {
    this.dirty.clear();
    const before = new Map(this.local);
    for (const path of PATHS) {
      const now = before.get(path);
      const durable = this.durable.get(path);
      if (now === durable || this.#coin()) continue;
      const torn = now !== undefined && this.#byPerson.has(now) && this.#coin();
      if (torn) this.local.set(path, TORN);
      else if (durable === undefined) this.local.delete(path);
      else this.local.set(path, durable);
    }
    this.#copyTo(this.durable);
    // What a person wrote and nothing had copied yet is the disk's loss, not the engine's.
    for (const version of before.values()) {
      if (this.#byPerson.has(version) && this.lost().includes(version)) this.letGo.add(version);
    }
  }

  #copyTo(target: Map<string, Version>): void {
    target.clear();
    for (const [path, version] of this.local) target.set(path, version);
  }
}

export class DiskFull extends Error {}

function unreachablePlatform(kind: 'network' | 'server'): PlatformError {
  return new PlatformError({ kind, operation: 'simulated', message: 'The platform did not answer.', retryable: true });
}
