import { randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import path from 'node:path';
import type { WriterLock } from '#sync/core/ports.ts';
import { bootId } from './boot-id.ts';
import { checkedLine, readCheckedLine } from './checked-line.ts';
import { codeOf, type Disk, randomName } from './disk.ts';

const HEARTBEAT_MS = 15_000;
/** A living process that was seen not to beat for this time has lost the lock (its number may belong to another one now). */
const STALE_MS = 2 * 60 * 1000;
/** So much of the time since the last check counts as silence: a machine that slept kept the holder from beating as well. */
const MOST_SEEN_MS = 60_000;

interface Holder {
  readonly pid: number;
  readonly boot: string;
  readonly nonce: string;
  /** Seconds since the machine was started, when the lock was taken: no clock that is set changes them. */
  readonly uptime: number;
  /** The holder has released it. */
  readonly isFree?: boolean;
}

/** What the lock asks of the machine. */
export interface LockMachine {
  /** ms of this process's own time: clocks are set. */
  readonly elapsed: () => number;
  /** Seconds since the machine was started. */
  readonly uptime: () => number;
  readonly bootId: () => string;
  readonly pid: number;
  readonly isRunning: (pid: number) => boolean;
}

export const thisMachine: LockMachine = {
  elapsed: () => performance.now(),
  uptime,
  bootId,
  pid: process.pid,
  isRunning,
};

/** Locks that this process holds or takes now; one of its number that is not among them was left behind. */
const held = new Set<string>();

/**
 * The writer's lock of a folder and branch: the file with the highest number (`lock`, `lock.1`, `lock.2` …). It names
 * process and boot, and is touched while it is held. A window that finds it free or its holder dead creates the file with
 * the next number, which only one window can do. A window never removes or replaces another's file while it has the highest
 * number, so that a slow window takes nothing from a faster one.
 */
export class LockFile implements WriterLock {
  readonly #disk: Disk;
  readonly #file: string;
  readonly #machine: LockMachine;
  readonly #self: Holder;
  /** The number that this one holds. */
  #own: number | undefined;
  #beat: NodeJS.Timeout | undefined;
  /** The last beat of someone else, and for how long it was seen to be the last. */
  #seen: { readonly file: string; readonly beat: number; readonly at: number; readonly silence: number } | undefined;

  constructor(disk: Disk, file: string, machine: LockMachine = thisMachine) {
    this.#disk = disk;
    this.#file = file;
    this.#machine = machine;
    this.#self = { pid: machine.pid, boot: machine.bootId(), nonce: randomUUID(), uptime: machine.uptime() };
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
      // What cannot be read now was not taken away.
      return true;
    }
    // It may have been given up or taken again while that was read.
    if (this.#own === own) this.#lose();
    return false;
  }

  async release(): Promise<void> {
    const own = this.#own;
    if (own === undefined) return;
    // From here on the lock is free for this process, even where that cannot be written now.
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

  /** Shows other windows that the holder is alive, unless another window holds the lock meanwhile. */
  async #touch(): Promise<void> {
    const own = this.#own;
    if (own !== undefined && (await this.isHeld())) await this.#disk.calls.utimes(this.#nameOf(own), new Date());
  }

  /** Makes a number, and makes sure that it is the highest. */
  async #take(number: number): Promise<boolean> {
    const own = this.#nameOf(number);
    const aside = `${own}.${randomName()}.new`;
    // Written aside and then given its name, so that half a lock is never seen.
    try {
      await this.#disk.writeNew(aside, Buffer.from(checkedLine(this.#self)));
      if (!(await this.#disk.place(aside, own))) return false;
    } finally {
      await this.#disk.discard(aside);
    }
    try {
      const numbers = await this.#numbers();
      // A faster one may have got further since the highest was read.
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

  /** Says in a file of ours that it is held no more: the file stays, because numbers must not be used again. */
  async #free(number: number): Promise<void> {
    const own = this.#nameOf(number);
    const aside = `${own}.${randomName()}.new`;
    try {
      await this.#disk.writeNew(aside, Buffer.from(checkedLine({ ...this.#self, isFree: true })));
      await this.#disk.rename(aside, own);
    } catch (error) {
      await this.#disk.discard(aside);
      throw error;
    }
  }

  /** Whether the next number may be made: this one was released, or its holder is dead or silent. */
  async #isFree(file: string): Promise<boolean> {
    const holder = await this.#holder(file);
    if (holder?.isFree === true) return true;
    const beat = await this.#lastBeat(file);
    // Gone since the names were read: someone else was faster.
    if (beat === undefined) return false;
    // Who wrote a damaged lock may be alive.
    const isAlive = !holder || this.#isAlive(holder);
    return !isAlive || this.#isSilent(file, beat);
  }

  /** Whether the same beat was the last one for too long. */
  #isSilent(file: string, beat: number): boolean {
    const at = this.#machine.elapsed();
    const last = this.#seen?.file === file && this.#seen.beat === beat ? this.#seen : undefined;
    const silence = last ? last.silence + Math.min(at - last.at, MOST_SEEN_MS) : 0;
    this.#seen = { file, beat, at, silence };
    return silence > STALE_MS;
  }

  /** The numbers that are there, ascending. */
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

  /** Who holds the lock; undefined where no process does, or where that is unknown. A lock that cannot be read now is not a free one. */
  async #holder(file: string): Promise<Holder | undefined> {
    try {
      return readCheckedLine((await this.#disk.calls.readFile(file)).toString('utf8')) as Holder | undefined;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  #isAlive({ pid, boot, nonce, uptime: since }: Holder): boolean {
    const { bootId: now, uptime: up, pid: own, isRunning: runs } = this.#machine;
    if (pid === own && !held.has(nonce)) return false;
    // Where the system names no boot, its id follows the clock: only a shorter time since the start proves another boot.
    if (isExact(boot) && isExact(now()) ? boot !== now() : up() + 1 < since) return false;
    return runs(pid);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Whether the system gave the id of a boot, rather than the clock. */
function isExact(boot: string): boolean {
  return !/^\d+$/.test(boot);
}
