import { PlatformError } from '#api/errors.ts';
import { CancelledError } from '#base/async.ts';
import { FileProblem } from '#sync/core/ports.ts';
import { Accounts, CHOICE } from './accounts.ts';
import type { DiskSide } from './disk-world.ts';
import { TORN, type Version } from './versions.ts';
import { differing, LastWriters } from './last-writers.ts';
import { type Wish, Witness } from './witness.ts';
import {
  type Fault,
  PATHS,
  type PersonsEvent,
  type PortKind,
  struckAfter,
  struckBefore,
  type WorldEvent,
} from './world-events.ts';

export class Crash extends Error {
  override readonly name = 'Crash';

  constructor() {
    const limit = Error.stackTraceLimit;
    // Nobody reads where it came from, and thousands of them are thrown.
    Error.stackTraceLimit = 0;
    super();
    Error.stackTraceLimit = limit;
  }
}

export interface WorldOptions {
  readonly verbose?: boolean;
  /** The paths there can be, the usual three unless said otherwise. */
  readonly paths?: readonly string[];
  /** Another user's world with the same branch. */
  readonly beside?: World | undefined;
  readonly side?: DiskSide | undefined;
}

/** Both sides, the trash, and the account of every version: who made it, and who chose to let it go. */
export class World {
  /** What programs see on this disk, and what would be there after a power loss. */
  readonly local: Map<string, Version>;
  /** The simulated disk under `local`, where there is one. */
  readonly side: DiskSide | undefined;
  readonly durable = new Map<string, Version>();
  readonly witness: Witness;
  readonly writers: LastWriters;
  readonly remote: Map<string, Version>;
  readonly paths: readonly string[];
  /** The path that is left out of sync. */
  ignored: string | undefined;
  /** Stops the run that continues. */
  cancel: (() => void) | undefined;
  readonly trash: { readonly path: string; readonly version: Version }[] = [];
  /** Open editors with unsaved changes: path → the version they were opened on. */
  readonly dirty = new Map<string, Version | undefined>();
  /** What all worlds around the branch share. */
  readonly #accounts: Accounts;
  readonly #faults: ReadonlyMap<number, Fault>;
  readonly #coin: () => boolean;
  readonly log: string[] = [];
  readonly verbose: boolean;
  #step = 0;
  /** Effects that the engine is in the middle of. */
  #effects = 0;
  /** Grows with every crash: what belongs to an earlier life can do nothing any more. */
  life = 0;
  /** Starts of the machine. */
  boots = 0;
  /** While the platform carries out something that it cannot tie to a condition, nobody else changes it. */
  quietRemote = false;
  /** No more faults. */
  calm = false;
  /** Something happened to the engine's records: it may ask. */
  isRecordDamaged = false;
  /** What the user had replaced by a save that a power loss left empty, by path. */
  readonly #unsaved = new Map<string, readonly Version[]>();
  /** The path that the user gives a version of the trash. */
  #restoring: string | undefined;
  /** The next list of the branch, and the next scan, miss something. */
  isListCut = false;
  isUnreadable = false;

  constructor(faults: ReadonlyMap<number, Fault>, coin: () => boolean, options: WorldOptions = {}) {
    const { beside, side } = options;
    this.side = side;
    this.local = side ?? new Map<string, Version>();
    this.writers = new LastWriters(beside?.writers);
    this.witness = new Witness(this.writers, side?.ignoresCase);
    this.#faults = faults;
    this.#coin = coin;
    this.verbose = options.verbose ?? false;
    this.paths = options.paths ?? PATHS;
    const accounts = beside ? beside.#accounts : new Accounts();
    this.#accounts = accounts;
    this.remote = accounts.remote;
    accounts.worlds.push(this);
  }

  pathAt(index: number): string {
    return this.paths[index % this.paths.length] ?? PATHS[0];
  }

  /** A version that both sides have from the start. */
  begin(path: string): void {
    const version = this.#accounts.make(undefined);
    const sides = this.#accounts.worlds.flatMap(({ local, durable }) => [local, durable]);
    for (const side of [...sides, this.remote]) side.set(path, version);
    this.side?.disk.writeBack();
  }

  say(text: string): void {
    if (this.verbose) this.log.push(`${this.#step}: ${text}`);
  }

  /** One call of a port by the engine of a life; the place where everything goes wrong. */
  step<T>(life: number, where: PortKind, what: string, work: () => T): T {
    if (life !== this.life) throw new Crash();
    const effect = (): T => this.#watched(where, what, work);
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
      if ((where !== 'effect' && this.#effects === 0) || fault.event.do !== 'open') this.happen(fault.event);
      return effect();
    }
    this.#strike(struckBefore[kind], where, kind);
    const result = effect();
    this.#strike(struckAfter[kind], where, kind);
    return result;
  }

  /** An effect that is many calls on a disk. */
  async during<T>(life: number, effect: () => Promise<T>): Promise<T> {
    this.#effects += 1;
    try {
      return await effect();
    } finally {
      if (life === this.life) this.#effects -= 1;
    }
  }

  /** The witness sees what a call changes on the side that it can change. */
  #watched<T>(where: PortKind, what: string, work: () => T): T {
    const isHere = where === 'effect' || (where === 'stage' && this.side?.isTouchedBy(what) === true);
    if (!isHere && where !== 'remote') return work();
    const versions = isHere ? this.local : this.remote;
    const before = new Map(versions);
    try {
      return work();
    } finally {
      const after = this.#asNow(versions);
      if (isHere && !this.side) this.#noteHeld(before, after, what);
      this.witness.changed(isHere ? 'here' : 'there', before, after, what);
      this.#noteRestored();
    }
  }

  /** A file is never replaced, moved or deleted under an editor with unsaved changes. */
  #noteHeld(before: ReadonlyMap<string, Version>, after: ReadonlyMap<string, Version>, what: string): void {
    const held = differing(before, after).filter((path) => this.dirty.has(path));
    this.witness.violations.push(...held.map((path) => `touched under an editor: ${path}, by: ${what}`));
  }

  #strike(on: PortKind | 'any' | undefined, where: PortKind, kind: Exclude<Fault['kind'], 'event'>): void {
    if (on !== where && on !== 'any') return;
    if (kind === 'full') throw new DiskFull();
    if (kind === 'stateError') throw new StateError('other', 'A record could not be read or written.');
    if (kind === 'cancel' || kind === 'cancelAfter') {
      this.cancel?.();
      if (where === 'remote') throw new CancelledError('stopped by the person');
      return;
    }
    if (on === 'remote') throw unreachablePlatform(kind === 'busy' ? 'server' : 'network');
    this.#crash(kind === 'powerLoss' || kind === 'powerLossAfter');
  }

  /** The user asks the engine for this; whatever else it does meanwhile, nobody asked for. */
  async asking(wishes: readonly Wish[], work: () => Promise<unknown>): Promise<void> {
    const { life } = this;
    this.witness.ask(wishes);
    this.witness.note('here', this.#asNow(this.local));
    this.witness.note('there', this.remote);
    try {
      await work();
    } finally {
      // What was asked of a process that died meanwhile ended with it.
      if (life === this.life) this.witness.askNothing();
    }
  }

  /** The user puts a version of the trash in the place of whatever is there. */
  async restoring(path: string, work: () => Promise<unknown>): Promise<void> {
    this.#restoring = this.local.get(path) === TORN ? path : undefined;
    await this.asking([{ side: 'here', path, version: 'any' }], work);
  }

  /** Over an empty file that a crash left, an older version takes the place of the save that is gone: it replaces what that did. */
  #noteRestored(): void {
    const path = this.#restoring;
    if (path === undefined || this.local.get(path) === TORN) return;
    this.#restoring = undefined;
    for (const version of this.#unsaved.get(path) ?? []) this.#accounts.release(version, CHOICE);
  }

  /** Someone else than the engine does something. */
  happen(event: WorldEvent): void {
    this.say(`  ${event.do} ${'path' in event ? this.pathAt(event.path) : ''}`);
    this.#byOthers(() => this.#happen(event));
  }

  /** What is there now, for looking at it before anything happens: a disk is read once, a map need not be copied. */
  #asNow(versions: Map<string, Version>): ReadonlyMap<string, Version> {
    return versions === this.side ? new Map(versions) : versions;
  }

  #byOthers(work: () => void): void {
    const [here, there] = [new Map(this.local), new Map(this.remote)];
    work();
    const now = this.#asNow(this.local);
    this.writers.changed('here', here, now);
    this.writers.changed('there', there, this.remote);
    this.witness.note('here', now);
    this.witness.note('there', this.remote);
  }

  #happen(event: WorldEvent): void {
    switch (event.do) {
      case 'writeback':
        this.#copyTo(this.durable);
        this.side?.disk.writeBack();
        break;
      case 'cycle':
      case 'theirCycle':
        this.#cycle(event.do === 'cycle');
        break;
      case 'theirEdit':
      case 'theirDelete':
        this.#theirs(event.do, this.pathAt(event.path));
        break;
      case 'theirRename':
        this.#theirRename(this.pathAt(event.path), this.pathAt(event.to));
        break;
      case 'respell':
        if (!this.dirty.has(this.pathAt(event.path))) this.side?.respell(this.pathAt(event.path));
        break;
      case 'cutList':
        this.isListCut = true;
        break;
      case 'unreadable':
        this.isUnreadable = true;
        break;
      case 'ignore':
        this.ignored = this.pathAt(event.path);
        this.writers.leftOut(this.ignored);
        break;
      default:
        this.#byPersonAt(this.pathAt(event.path), event);
    }
  }

  #byPersonAt(asked: string, event: PersonsEvent): void {
    // Where letter case is ignored, a program finds the file under its other name.
    const path = this.#nameOf(asked);
    // A user who finds a file empty after a crash looks at it before anything else.
    if (this.local.get(path) === TORN) return;
    const editor = this.#editorOf(path);
    const open = editor !== undefined;
    switch (event.do) {
      case 'edit':
        if (!open) this.#write(path, this.local.get(path));
        break;
      case 'open':
        // Within one rename the file is not there to be opened; an editor that saves over it later asks first.
        if (!open && !this.#isAside(path)) this.dirty.set(path, this.local.get(path));
        break;
      case 'save':
        if (open) this.#saveEditor(editor, path);
        break;
      case 'delete':
        if (!open) this.#delete(path);
        break;
      default:
        this.#rename(path, this.pathAt(event.to));
    }
  }

  /** The name under which an editor has this file open, which may have another one by now. */
  #editorOf(path: string): string | undefined {
    return this.dirty.has(path) ? path : [...this.dirty.keys()].find((name) => this.#nameOf(name) === path);
  }

  #saveEditor(editor: string, path: string): void {
    // The user saw what the editor was opened on, not what someone may have put under it since. Where the file has
    // another name by now, the editor shows it, and the user saves over it.
    const seen = editor === path ? this.dirty.get(path) : this.local.get(path);
    this.dirty.delete(editor);
    this.#write(path, seen);
  }

  #nameOf(path: string): string {
    return this.side?.nameOf(path) ?? path;
  }

  #isAside(path: string): boolean {
    return !this.local.has(path) && this.side?.hidden().some((name) => name.endsWith('.old')) === true;
  }

  #delete(path: string): void {
    this.#accounts.release(this.local.get(path), CHOICE);
    this.local.delete(path);
  }

  /** Versions that nobody let go and that are nowhere any more. */
  lost(): Version[] {
    return this.#accounts.lost();
  }

  /** A user makes way for what the platform has: their file gets another name, or goes. */
  makeWay(path: string): void {
    const aside = `${path.replaceAll('/', '-')}-mine`;
    this.say(`  make way at ${path}`);
    this.#byOthers(() => this.#makeWay(path, aside));
  }

  #makeWay(path: string, aside: string): void {
    if (this.paths.includes(aside) && !this.local.has(aside) && this.local.has(path)) this.#rename(path, aside);
    else if (this.local.has(path)) this.#delete(path);
    else if (this.remote.has(path)) this.#theirs('theirDelete', path);
  }

  /** A user who saw this version chose another one. */
  choose(version: Version | undefined): void {
    this.#accounts.release(version, CHOICE);
  }

  #theirs(what: 'theirEdit' | 'theirDelete', path: string): void {
    if (this.quietRemote) return;
    const seen = this.remote.get(path);
    if (what === 'theirEdit') {
      this.#clear(this.remote, path);
      this.remote.set(path, this.#accounts.make(seen));
    } else {
      this.#accounts.release(seen, CHOICE);
      this.remote.delete(path);
    }
  }

  #write(path: string, seen: Version | undefined): void {
    const version = this.#accounts.make(seen);
    this.#accounts.byPerson.add(version);
    this.#clear(this.local, path);
    this.local.set(path, version);
  }

  /** A file takes the place of a folder, or a folder of a file: whoever does that deletes what was there. */
  #clear(side: Map<string, Version>, path: string): void {
    for (const other of obstacles(side, path)) {
      this.#accounts.release(side.get(other), CHOICE);
      side.delete(other);
    }
  }

  #rename(from: string, to: string): void {
    const version = this.local.get(from);
    const there = this.#nameOf(to);
    if (there !== to && there !== from) return;
    if (version === undefined || this.local.has(to) || this.dirty.has(from) || this.dirty.has(to)) return;
    if (obstacles(this.local, to).some((other) => other !== from)) return;
    this.#accounts.renamed.add(version);
    // File systems keep a rename whole: after a power loss it happened or it did not. Here it did.
    for (const side of [this.local, this.durable]) {
      if (side === this.side) {
        this.side.move(from, to);
        continue;
      }
      side.delete(from);
      side.set(to, version);
    }
  }

  #theirRename(from: string, to: string): void {
    const version = this.remote.get(from);
    if (this.quietRemote || version === undefined || this.remote.has(to)) return;
    if (obstacles(this.remote, to).length > 0) return;
    this.remote.delete(from);
    this.remote.set(to, version);
  }

  #cycle(here: boolean): void {
    const isBusy = here ? this.dirty.size > 0 || [...this.local.values()].includes(TORN) : this.quietRemote;
    if (isBusy) return;
    const [first, ...rest] = here ? [this.local, this.durable] : [this.remote];
    if (!first) return;
    const before = new Map(first);
    const moves = this.paths.map((path, at) => [path, this.pathAt(at + 1)] as const);
    const moved = moves.filter(([path]) => before.has(path));
    for (const [path] of here ? moved : []) this.#accounts.renamed.add(before.get(path) ?? TORN);
    if (here && this.side) {
      this.side.moveRound(moved);
      return;
    }
    for (const [path, to] of moves) {
      const version = before.get(path);
      for (const side of [first, ...rest]) {
        if (version === undefined) side.delete(to);
        else side.set(to, version);
      }
    }
  }

  #crash(power: boolean): never {
    this.life += 1;
    this.#effects = 0;
    this.witness.askNothing();
    this.quietRemote = false;
    if (power) this.#losePower();
    throw new Crash();
  }

  /** Each path keeps what was durable, or what was there, or (a user's own write) is empty. Editors are gone. */
  #losePower(): void {
    this.boots += 1;
    this.writers.powerLost();
    this.dirty.clear();
    const before = new Map(this.local);
    const taken = this.side?.taken() ?? [];
    this.side?.disk.losePower(this.#coin);
    if (!this.side) this.#fallBack(before);
    this.#copyTo(this.durable);
    // What a user wrote and nothing had copied yet is the disk's loss, not the engine's.
    for (const [path, version] of [...before, ...taken]) {
      if (!this.#accounts.byPerson.has(version) || this.#accounts.isKept(version)) continue;
      const back = this.#accounts.excuse(version);
      if (this.local.get(path) === TORN) this.#unsaved.set(path, back);
    }
  }

  #fallBack(before: ReadonlyMap<string, Version>): void {
    for (const path of this.paths) {
      const now = before.get(path);
      const durable = this.durable.get(path);
      if (now === durable || this.#coin()) continue;
      const torn = now !== undefined && this.#accounts.byPerson.has(now) && this.#coin();
      if (torn) this.local.set(path, TORN);
      else if (durable === undefined) this.local.delete(path);
      else this.local.set(path, durable);
    }
  }

  #copyTo(target: Map<string, Version>): void {
    target.clear();
    for (const [path, version] of this.local) target.set(path, version);
  }
}

/** What stands in the way of a file: a file where it needs a folder, or files in a folder of its name. */
export function obstacles(side: ReadonlyMap<string, unknown>, path: string): readonly string[] {
  return [...side.keys()].filter((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
}

export class DiskFull extends Error {}

/** The disk does not give or take a record of the engine now. */
export class StateError extends FileProblem {}

function unreachablePlatform(kind: 'network' | 'server'): PlatformError {
  return new PlatformError({ kind, operation: 'simulated', message: 'The platform did not answer.', retryable: true });
}
