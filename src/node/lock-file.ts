import { randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import path from 'node:path';
import type { WriterLock } from '#sync/ports.ts';
import { bootId } from './boot-id.ts';
import { checkedLine, readCheckedLine } from './checked-line.ts';
import { codeOf, type Disk, randomName } from './disk.ts';

const HEARTBEAT_MS = 15_000;
/**
 * A living process that was seen not to beat for so long has lost the lock (its number may belong to another one now).
 * Seen by this process's own time, which stands still while the machine sleeps: clocks are set, and a holder that has just
 * woken up as well must not lose the lock for the hours it slept.
 */
const STALE_MS = 2 * 60 * 1000;

interface Holder {
  readonly pid: number;
  readonly boot: string;
  readonly nonce: string;
  /** Seconds since the machine was started, when the lock was taken: no clock that is set changes them. */
  readonly uptime: number;
}

/** What the lock asks of the machine. */
export interface LockMachine {
  /** ms of this process's own time. */
  readonly elapsed: () => number;
  /** Seconds since the machine was started. */
  readonly uptime: () => number;
  readonly bootId: () => string;
}

const thisMachine: LockMachine = { elapsed: () => performance.now(), uptime, bootId };

/** Locks that this process holds now; one of its number that is not among them was left behind by a failed release. */
const held = new Set<string>();

/** The writer's lock of a folder and branch: a file that names process and boot, and is touched while it is held. */
export class LockFile implements WriterLock {
  readonly #disk: Disk;
  readonly #file: string;
  readonly #machine: LockMachine;
  readonly #self: Holder;
  #beat: NodeJS.Timeout | undefined;
  /** The last beat of somebody else, and when it was first seen. */
  #seen: { readonly beat: number; readonly since: number } | undefined;

  constructor(disk: Disk, file: string, machine: LockMachine = thisMachine) {
    this.#disk = disk;
    this.#file = file;
    this.#machine = machine;
    this.#self = { pid: process.pid, boot: machine.bootId(), nonce: randomUUID(), uptime: machine.uptime() };
  }

  async acquire(): Promise<boolean> {
    if (this.#beat) return true;
    await this.#disk.calls.makePrivateFolder(path.dirname(this.#file));
    if (!(await this.#create()) && !((await this.#clearStale()) && (await this.#create()))) return false;
    held.add(this.#self.nonce);
    this.#beat = setInterval(() => {
      this.#touch().catch(() => undefined);
    }, HEARTBEAT_MS);
    this.#beat.unref();
    return true;
  }

  async isHeld(): Promise<boolean> {
    if (!this.#beat) return false;
    try {
      if ((await this.#holder(this.#file))?.nonce === this.#self.nonce) return true;
    } catch {
      // What cannot be read now was not taken away.
      return true;
    }
    this.#lose();
    return false;
  }

  async release(): Promise<void> {
    if (!this.#beat) return;
    // From here on the lock is free for this process, even where its file cannot be removed now.
    this.#lose();
    await this.#disk.discardRest();
    if ((await this.#holder(this.#file))?.nonce === this.#self.nonce) await this.#disk.calls.remove(this.#file);
  }

  #lose(): void {
    clearInterval(this.#beat);
    this.#beat = undefined;
    held.delete(this.#self.nonce);
  }

  /** Shows the others that the holder lives, unless it is another one by now. */
  async #touch(): Promise<void> {
    if (await this.isHeld()) await this.#disk.calls.utimes(this.#file, new Date());
  }

  /** Whether the same beat was the last one for too long. */
  #isSilent(beat: number): boolean {
    if (this.#seen?.beat !== beat) this.#seen = { beat, since: this.#machine.elapsed() };
    return this.#machine.elapsed() - this.#seen.since > STALE_MS;
  }

  async #create(): Promise<boolean> {
    // Written aside and then given its name, so that nobody ever sees half a lock.
    const own = `${this.#file}.${randomName()}.new`;
    try {
      await this.#disk.writeNew(own, Buffer.from(checkedLine(this.#self)));
      return await this.#disk.place(own, this.#file);
    } finally {
      await this.#disk.discard(own);
    }
  }

  /** Moves a dead process's lock away; true when the way is free. */
  async #clearStale(): Promise<boolean> {
    const holder = await this.#holder(this.#file);
    const beat = await this.#lastBeat();
    if (beat === undefined) return true;
    // Who wrote a damaged lock may be alive.
    if ((!holder || this.#isAlive(holder)) && !this.#isSilent(beat)) return false;
    const away = `${this.#file}.${randomName()}.stale`;
    try {
      await this.#disk.calls.rename(this.#file, away);
      // Somebody else may have been faster and hold a new lock of that name: then it goes back.
      const taken = (await this.#holder(away))?.nonce !== holder?.nonce;
      if (taken) await this.#disk.calls.rename(away, this.#file);
      return !taken;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return true;
      throw error;
    } finally {
      await this.#disk.discard(away);
    }
  }

  async #lastBeat(): Promise<number | undefined> {
    try {
      return (await this.#disk.calls.stat(this.#file)).mtimeMs;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Who holds the lock; undefined where nobody does, or nobody knows. A lock that cannot be read now is no free one. */
  async #holder(file: string): Promise<Holder | undefined> {
    try {
      return readCheckedLine((await this.#disk.calls.readFile(file)).toString('utf8')) as Holder | undefined;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  #isAlive({ pid, boot, nonce, uptime: since }: Holder): boolean {
    if (pid === process.pid && !held.has(nonce)) return false;
    const { bootId: now, uptime: up } = this.#machine;
    // Where the system names no boot, its id follows the clock: only a shorter time since the start proves another boot.
    if (isExact(boot) && isExact(now()) ? boot !== now() : up() + 1 < since) return false;
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return codeOf(error) === 'EPERM';
    }
  }
}

/** Whether the system gave the id of a boot, rather than the clock. */
function isExact(boot: string): boolean {
  return !/^\d+$/.test(boot);
}
