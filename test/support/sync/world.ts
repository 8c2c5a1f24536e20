import { PlatformError } from '#api/errors.ts';

/** A version is a small number; its bytes and hash follow from it. 0 is the empty file that a crash leaves. */
export type Version = number;

const TORN: Version = 0;

/** Deleted, or another side chosen, rather than replaced by a new version. */
const CHOICE: Version = -1;

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

export const PATHS = ['m/a', 'm/b', 'm/c/x'] as const;

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
  /** Versions that somebody who saw them replaced or deleted: the versions they replaced them with, or -1. */
  readonly #letGo = new Map<Version, Set<Version>>();
  readonly #byPerson = new Set<Version>();
  readonly #renamed = new Set<Version>();
  readonly #faults: ReadonlyMap<number, Fault>;
  readonly #coin: () => boolean;
  readonly log: string[] = [];
  readonly verbose: boolean;
  #next: Version = 1;
  #step = 0;
  /** Grows with every crash: what belongs to an earlier life can do nothing any more. */
  life = 0;
  /** Starts of the machine. */
  boots = 0;
  /** While the platform carries out something that it cannot tie to a condition, nobody else changes it. */
  quietRemote = false;
  /** No more faults. */
  calm = false;

  constructor(faults: ReadonlyMap<number, Fault>, coin: () => boolean, verbose = false) {
    this.#faults = faults;
    this.#coin = coin;
    this.verbose = verbose;
  }

  /** A version that both sides have from the start. */
  begin(path: string): void {
    const version = this.#make(undefined);
    for (const side of [this.local, this.durable, this.remote]) side.set(path, version);
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
    // A person who finds a file empty after a crash looks at it before anything else.
    if (this.local.get(path) === TORN && event.do !== 'theirEdit' && event.do !== 'theirDelete') return;
    this.say(`  ${event.do} ${path}`);
    const open = this.dirty.has(path);
    const seenInEditor = this.dirty.get(path);
    switch (event.do) {
      case 'edit':
        if (!open) this.#write(path, this.local.get(path));
        break;
      case 'open':
        if (!open) this.dirty.set(path, this.local.get(path));
        break;
      case 'save':
        // The person saw what the editor was opened on, not what somebody may have put under it since.
        if (this.dirty.delete(path)) this.#write(path, seenInEditor);
        break;
      case 'delete':
        if (!open) this.#delete(path);
        break;
      case 'rename':
        this.#rename(path, pathAt(event.to));
        break;
      default:
        this.#theirs(event.do, path);
    }
  }

  #delete(path: string): void {
    this.#release(this.local.get(path), CHOICE);
    this.local.delete(path);
  }

  /** Versions that nobody let go and that are nowhere any more. */
  lost(): Version[] {
    return [...this.made].filter((version) => !this.#letGo.has(version) && !this.#isKept(version));
  }

  #isKept(version: Version): boolean {
    for (const side of [this.local, this.remote]) {
      for (const present of side.values()) if (present === version) return true;
    }
    return this.trash.some((item) => item.version === version);
  }

  /** A person who saw this version chose another one. */
  choose(version: Version | undefined): void {
    this.#release(version, CHOICE);
  }

  #theirs(what: 'theirEdit' | 'theirDelete', path: string): void {
    if (this.quietRemote) return;
    const seen = this.remote.get(path);
    if (what === 'theirEdit') this.remote.set(path, this.#make(seen));
    else {
      this.#release(seen, CHOICE);
      this.remote.delete(path);
    }
  }

  #write(path: string, seen: Version | undefined): void {
    const version = this.#make(seen);
    this.#byPerson.add(version);
    this.local.set(path, version);
  }

  #rename(from: string, to: string): void {
    const version = this.local.get(from);
    if (version === undefined || this.local.has(to) || this.dirty.has(from) || this.dirty.has(to)) return;
    this.#renamed.add(version);
    // File systems keep a rename whole: after a power loss it happened or it did not. Here it did.
    for (const side of [this.local, this.durable]) {
      side.delete(from);
      side.set(to, version);
    }
  }

  #make(insteadOf: Version | undefined): Version {
    const version = this.#next++;
    this.made.add(version);
    this.#release(insteadOf, version);
    return version;
  }

  #release(version: Version | undefined, by: Version): void {
    if (version !== undefined) this.#letGo.set(version, (this.#letGo.get(version) ?? new Set()).add(by));
  }

  /** A version is gone with the disk before anybody could copy it; so is the choice to give up another one for it. */
  #excuse(gone: Version): void {
    this.made.delete(gone);
    for (const [version, reasons] of this.#letGo) {
      // A version that was renamed away was given up at its old path, whatever became of the new one.
      if (this.#renamed.has(version) || !reasons.delete(gone) || reasons.size > 0) continue;
      this.#letGo.delete(version);
      // Overwritten by the person before the power went: it was gone already.
      if (!this.#isKept(version)) this.#excuse(version);
    }
  }

  #crash(power: boolean): never {
    this.life += 1;
    this.quietRemote = false;
    if (power) this.#losePower();
    throw new Crash();
  }

  /** Each path keeps what was durable, or what was there, or (a person's own write) is empty. Editors are gone. */
  #losePower(): void {
    this.boots += 1;
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
      if (this.#byPerson.has(version) && !this.#isKept(version)) this.#excuse(version);
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
