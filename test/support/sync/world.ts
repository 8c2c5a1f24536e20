import { PlatformError } from '#api/errors.ts';
import { CancelledError } from '#base/async.ts';
import { FileProblem } from '#sync/core/ports.ts';
import { Accounts, CHOICE } from './accounts.ts';
import type { DiskSide } from './disk-world.ts';
import { TORN, type Version } from './versions.ts';
import { differing, LastWriters } from './last-writers.ts';
import { type UntrueEvent, UntruePlatform } from './untrue-platform.ts';
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
    // The stack is not read, and thousands of crashes are thrown.
    Error.stackTraceLimit = 0;
    super();
    Error.stackTraceLimit = limit;
  }
}

export interface WorldOptions {
  readonly verbose?: boolean;
  /** All possible paths; the usual three by default. */
  readonly paths?: readonly string[];
  /** Another user's world with the same branch. */
  readonly beside?: World | undefined;
  readonly side?: DiskSide | undefined;
}

/** Both sides, the trash, and the history of every version: who created it, and who chose to drop it. */
export class World {
  /** The files that programs see on this disk, and those that a power loss would leave. */
  readonly local: Map<string, Version>;
  /** The simulated disk under `local`, if any. */
  readonly side: DiskSide | undefined;
  readonly durable = new Map<string, Version>();
  readonly witness: Witness;
  readonly writers: LastWriters;
  readonly remote: Map<string, Version>;
  readonly paths: readonly string[];
  /** The path that is excluded from sync. */
  ignored: string | undefined;
  /** Stops the current run. */
  cancel: (() => void) | undefined;
  readonly trash: { readonly path: string; readonly version: Version }[] = [];
  /** Open editors with unsaved changes: path → the version they were opened on. */
  readonly dirty = new Map<string, Version | undefined>();
  /** Shared by all worlds around the branch. */
  readonly #accounts: Accounts;
  readonly #faults: ReadonlyMap<number, Fault>;
  readonly #coin: () => boolean;
  readonly log: string[] = [];
  readonly verbose: boolean;
  #step = 0;
  /** The number of effects in progress. */
  #effects = 0;
  /** Incremented by every crash: objects of an earlier life can no longer do anything. */
  life = 0;
  /** The number of times that the machine has started. */
  boots = 0;
  /** Whether others pause, because the platform performs a write without a condition. */
  quietRemote = false;
  /** Whether faults are over. */
  calm = false;
  /** Whether the engine's records were damaged: then it may ask. */
  isRecordDamaged = false;
  /** Versions that the user replaced by a save which a power loss left empty, by path. */
  readonly #unsaved = new Map<string, readonly Version[]>();
  /** The path at which the user restores a version from the trash. */
  #restoring: string | undefined;
  /** Whether the next list of the branch, or the next scan, is incomplete. */
  isListCut = false;
  isUnreadable = false;
  /** Confirms writes without effect, and lists them late. */
  readonly untrue: UntruePlatform;

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
    this.untrue = new UntruePlatform(this.remote);
    accounts.worlds.push(this);
  }

  pathAt(index: number): string {
    return this.paths[index % this.paths.length] ?? PATHS[0];
  }

  /** Creates a version that both sides have from the start. */
  begin(path: string): void {
    const version = this.#accounts.make(undefined);
    const sides = this.#accounts.worlds.flatMap(({ local, durable }) => [local, durable]);
    for (const side of [...sides, this.remote]) side.set(path, version);
    this.side?.disk.writeBack();
  }

  say(text: string): void {
    if (this.verbose) this.log.push(`${this.#step}: ${text}`);
  }

  /** Runs one call of a port by the engine of a life; all faults happen here. */
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
      // An editor that becomes dirty after the engine's check, within one rename, is safe: it notices that the file changed under
      // it and asks before it saves.
      if ((where !== 'effect' && this.#effects === 0) || fault.event.do !== 'open') this.happen(fault.event);
      return effect();
    }
    this.#strike(struckBefore[kind], where, kind);
    const result = effect();
    this.#strike(struckAfter[kind], where, kind);
    return result;
  }

  /** Runs an effect that consists of many calls on a disk. */
  async during<T>(life: number, effect: () => Promise<T>): Promise<T> {
    this.#effects += 1;
    try {
      return await effect();
    } finally {
      if (life === this.life) this.#effects -= 1;
    }
  }

  /** Shows the witness what a call changes on its side. */
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

  /** Reports files that were replaced, moved or deleted under an editor with unsaved changes, which must never happen. */
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

  /** Runs a request of the user; anything else that the engine does meanwhile is not requested. */
  async asking(wishes: readonly Wish[], work: () => Promise<unknown>): Promise<void> {
    const { life } = this;
    this.witness.ask(wishes);
    this.witness.note('here', this.#asNow(this.local));
    this.witness.note('there', this.remote);
    try {
      await work();
    } finally {
      // The request to a process that died meanwhile ended with it.
      if (life === this.life) this.witness.askNothing();
    }
  }

  /** Runs the user's restore of a version from the trash over the current file. */
  async restoring(path: string, work: () => Promise<unknown>): Promise<void> {
    this.#restoring = this.local.get(path) === TORN ? path : undefined;
    await this.asking([{ side: 'here', path, version: 'any' }], work);
  }

  /** Records that an older version replaces an empty file that a crash left. It replaces whatever the lost save replaced. */
  #noteRestored(): void {
    const path = this.#restoring;
    if (path === undefined || this.local.get(path) === TORN) return;
    this.#restoring = undefined;
    for (const version of this.#unsaved.get(path) ?? []) this.#accounts.release(version, CHOICE);
  }

  /** Runs an event that the engine did not cause. */
  happen(event: WorldEvent): void {
    this.say(`  ${event.do} ${'path' in event ? this.pathAt(event.path) : ''}`);
    if (!this.untrue.takes(event)) this.#byOthers(() => this.#happen(event));
  }

  /** Returns the current versions, to compare before anything happens: a disk is read once, a map need not be copied. */
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

  #happen(event: Exclude<WorldEvent, UntrueEvent>): void {
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
    // If letter case is ignored, a program finds the file under its other name.
    const path = this.#nameOf(asked);
    // A user who finds a file empty after a crash checks it before anything else.
    if (this.local.get(path) === TORN) return;
    const editor = this.#editorOf(path);
    const open = editor !== undefined;
    switch (event.do) {
      case 'edit':
        if (!open) this.#write(path, this.local.get(path));
        break;
      case 'open':
        // During a rename the file cannot be opened; an editor that saves over it later asks first.
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

  /** Returns the name under which an editor opened this file, which may have another name by now. */
  #editorOf(path: string): string | undefined {
    return this.dirty.has(path) ? path : [...this.dirty.keys()].find((name) => this.#nameOf(name) === path);
  }

  #saveEditor(editor: string, path: string): void {
    // The user saw the version that the editor opened, not one that someone may have put under it since. If the file has another
    // name by now, the editor shows it, and the user saves over it.
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

  /** Returns versions that were never dropped and no longer exist anywhere. */
  lost(): Version[] {
    return this.#accounts.lost();
  }

  /** Renames or deletes the user's file to make way for the platform's. */
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

  /** Records that a user who saw this version chose another one. */
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

  /** Deletes what a file replaces: a file where it needs a folder, or a folder with its name. The deletion is a choice. */
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
    // File systems keep a rename atomic: after a power loss it has happened or not. Here it has.
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

  /**
   * Loses power: each path has its durable version, its current one, or (for a user's own write) an empty file. Editors are
   * closed.
   */
  #losePower(): void {
    this.boots += 1;
    this.writers.powerLost();
    this.dirty.clear();
    const before = new Map(this.local);
    const taken = this.side?.taken() ?? [];
    this.side?.disk.losePower(this.#coin);
    if (!this.side) this.#fallBack(before);
    this.#copyTo(this.durable);
    // The disk, not the engine, lost a user's write that nothing had copied yet.
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

/** Returns the paths that obstruct a file: a file where it needs a folder, or files in a folder with its name. */
export function obstacles(side: ReadonlyMap<string, unknown>, path: string): readonly string[] {
  return [...side.keys()].filter((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
}

export class DiskFull extends Error {}

/** A record of the engine cannot be read or written at the moment. */
export class StateError extends FileProblem {}

function unreachablePlatform(kind: 'network' | 'server'): PlatformError {
  return new PlatformError({ kind, operation: 'simulated', message: 'The platform did not answer.', retryable: true });
}
