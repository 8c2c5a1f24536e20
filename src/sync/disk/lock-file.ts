import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { WriterLock } from '#sync/core/ports.ts';
import { checkedLine, readCheckedLine } from './checked-line.ts';
import { codeOf } from '#base/system-error.ts';
import type { Disk } from './disk.ts';
import { randomName } from './random-name.ts';
import { hasEnded, type Machine, ownMark, processMachine, type ProcessMark } from './process-mark.ts';

const HEARTBEAT_MS = 15_000;
/** A running process loses the lock after this time without a heartbeat (another process may have its id by now). */
const STALE_MS = 2 * 60 * 1000;
/** The maximum time between checks that counts as silence: while the machine slept, the holder could not beat either. */
const MOST_SEEN_MS = 60_000;

interface Holder extends ProcessMark {
  readonly nonce: string;
  /** Whether the holder has released it. */
  readonly isFree?: boolean;
}

/** The properties of the machine that the lock depends on. */
export interface LockMachine extends Machine {
  /** ms on this process's own clock, because the system's clock can be set. */
  readonly elapsed: () => number;
}

export const thisMachine: LockMachine = { ...processMachine, elapsed: () => performance.now() };

/** Locks that this process holds or is taking; any other with its process id was left behind. */
const held = new Set<string>();

/**
 * The writer's lock of a folder and branch: the file with the highest number (`lock`, `lock.1`, `lock.2` …). It names
 * process and boot, and is touched while it is held. A window that finds it free or its holder dead creates the file
 * with the next number, which only one window can do. A window never removes or replaces another's file while it has
 * the highest number, so that a slow window takes nothing from a faster one.
 */
export class LockFile implements WriterLock {
  readonly #disk: Disk;
  readonly #file: string;
  readonly #machine: LockMachine;
  readonly #isDurable: boolean;
  readonly #self: Holder;
  /** The number that this window holds. */
  #own: number | undefined;
  #beat: NodeJS.Timeout | undefined;
  /** The last heartbeat of another holder, and how long it has been the last. */
  #seen: { readonly file: string; readonly beat: number; readonly at: number; readonly silence: number } | undefined;

  /** `isDurable`: whether the lock must survive a power loss, as its folder's records do; otherwise it costs no flush. */
  constructor(disk: Disk, file: string, machine: LockMachine = thisMachine, isDurable = true) {
    this.#disk = disk;
    this.#isDurable = isDurable;
    this.#file = file;
    this.#machine = machine;
    this.#self = { ...ownMark(machine), nonce: randomUUID() };
  }

  async acquire(): Promise<boolean> {
    if (this.#beat) return true;
    await this.#disk.calls.makePrivateFolder(path.dirname(this.#file));
    const highest = (await this.#numbers()).at(-1);
    if (highest !== undefined && !(await this.#isFree(this.#nameOf(highest)))) return false;
    const next = highest === undefined ? 0 : highest + 1;
    held.add(this.#self.nonce);
    try {
      if (!(await this.#take(next))) {
        held.delete(this.#self.nonce);
        return false;
      }
    } catch (error) {
      held.delete(this.#self.nonce);
      throw error;
    }
    this.#own = next;
    this.#beat = setInterval(() => {
      this.#touch().catch(() => undefined);
    }, HEARTBEAT_MS);
    this.#beat.unref();
    return true;
  }

  async isHeld(): Promise<boolean> {
    const own = this.#own;
    if (own === undefined) return false;
    try {
      if ((await this.#numbers()).at(-1) === own && (await this.#isOurs(own))) return true;
    } catch {
      // An unreadable lock has not been taken away.
      return true;
    }
    // The lock may have been released or taken again during the read.
    if (this.#own === own) this.#lose();
    return false;
  }

  async release(): Promise<void> {
    const own = this.#own;
    if (own === undefined) return;
    // From here on, the lock is free for this process, even if that cannot be written now.
    this.#lose();
    try {
      if (await this.#isOurs(own)) await this.#free(own);
    } finally {
      await this.#disk.discardRest();
    }
  }

  #lose(): void {
    clearInterval(this.#beat);
    this.#beat = undefined;
    this.#own = undefined;
    held.delete(this.#self.nonce);
  }

  /** Shows other windows that the holder is alive, unless another window holds the lock by now. */
  async #touch(): Promise<void> {
    const own = this.#own;
    if (own !== undefined && (await this.isHeld())) await this.#disk.calls.utimes(this.#nameOf(own), new Date());
  }

  /** Creates the file of a number; resolves to whether that gave this window the lock: no other file may have a higher number. */
  async #take(number: number): Promise<boolean> {
    const own = this.#nameOf(number);
    const aside = `${own}.${randomName()}.new`;
    // Written under another name and then linked, so that other windows never see half a lock.
    try {
      await this.#disk.writeNew(aside, Buffer.from(checkedLine(this.#self)), 0o600, this.#isDurable);
      if (!(await this.#disk.place(aside, own))) return false;
    } finally {
      await this.#disk.discard(aside);
    }
    try {
      const numbers = await this.#numbers();
      // A faster window may have created a higher number since.
      if (numbers.at(-1) !== number) {
        await this.#disk.discard(own);
        return false;
      }
      for (const lower of numbers) if (lower < number) await this.#disk.discard(this.#nameOf(lower));
      return true;
    } catch (error) {
      await this.#free(number).catch(() => undefined);
      throw error;
    }
  }

  /** Marks our file as released. It stays, because numbers must not be reused. */
  async #free(number: number): Promise<void> {
    const own = this.#nameOf(number);
    const aside = `${own}.${randomName()}.new`;
    try {
      await this.#disk.writeNew(
        aside,
        Buffer.from(checkedLine({ ...this.#self, isFree: true })),
        0o600,
        this.#isDurable,
      );
      await this.#disk.rename(aside, own);
    } catch (error) {
      await this.#disk.discard(aside);
      throw error;
    }
  }

  /** Checks whether the next number may be created: this one was released, or its holder is dead or silent. */
  async #isFree(file: string): Promise<boolean> {
    const holder = await this.#holder(file);
    if (holder?.isFree === true) return true;
    const beat = await this.#lastBeat(file);
    // Removed since the names were read: another window was faster.
    if (beat === undefined) return false;
    // The writer of a damaged lock may be alive.
    const isAlive = !holder || this.#isAlive(holder);
    return !isAlive || this.#isSilent(file, beat);
  }

  /** Whether the same heartbeat has been the last one for too long. */
  #isSilent(file: string, beat: number): boolean {
    const at = this.#machine.elapsed();
    const last = this.#seen?.file === file && this.#seen.beat === beat ? this.#seen : undefined;
    const silence = last ? last.silence + Math.min(at - last.at, MOST_SEEN_MS) : 0;
    this.#seen = { file, beat, at, silence };
    return silence > STALE_MS;
  }

  /** Resolves to the existing numbers in ascending order. */
  async #numbers(): Promise<readonly number[]> {
    const base = path.basename(this.#file);
    const names = await this.#disk.calls.names(path.dirname(this.#file));
    return names
      .filter((name) => name === base || (name.startsWith(`${base}.`) && /^\d+$/.test(name.slice(base.length + 1))))
      .map((name) => (name === base ? 0 : Number(name.slice(base.length + 1))))
      .sort((a, b) => a - b);
  }

  #nameOf(number: number): string {
    return number === 0 ? this.#file : `${this.#file}.${number}`;
  }

  async #isOurs(number: number): Promise<boolean> {
    const holder = await this.#holder(this.#nameOf(number));
    return holder?.nonce === this.#self.nonce && holder.isFree !== true;
  }

  async #lastBeat(file: string): Promise<number | undefined> {
    try {
      return (await this.#disk.calls.stat(file)).mtimeMs;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /**
   * Resolves to the holder of the lock; undefined if there is none or it is unknown. Rejects if the lock cannot be read
   * now, which does not make it free.
   */
  async #holder(file: string): Promise<Holder | undefined> {
    try {
      return readCheckedLine((await this.#disk.calls.readFile(file)).toString('utf8')) as Holder | undefined;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  #isAlive(holder: Holder): boolean {
    const { host, pid, space } = this.#machine;
    const isOwn = holder.pid === pid && (holder.host ?? host) === host && (holder.space ?? space) === space;
    if (isOwn && !held.has(holder.nonce)) return false;
    return !hasEnded(holder, this.#machine);
  }
}
