import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { WriterLock } from '#sync/ports.ts';
import { bootId } from './boot-id.ts';
import { codeOf, linkOrCopy, randomName, writeNew } from './disk.ts';

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
}

/** The writer's lock of a folder and branch: a file that names process and boot, and is touched while it is held. */
export class LockFile implements WriterLock {
  readonly #file: string;
  readonly #self: Holder = { pid: process.pid, boot: bootId(), nonce: randomUUID() };
  readonly #elapsed: () => number;
  #beat: NodeJS.Timeout | undefined;
  /** The last beat of somebody else, and when it was first seen. */
  #seen: { readonly beat: number; readonly since: number } | undefined;

  /** @param elapsed ms of this process's own time */
  constructor(file: string, elapsed: () => number = () => performance.now()) {
    this.#file = file;
    this.#elapsed = elapsed;
  }

  async acquire(): Promise<boolean> {
    if (this.#beat) return true;
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    if (!(await this.#create()) && !((await this.#clearStale()) && (await this.#create()))) return false;
    this.#beat = setInterval(() => {
      const now = new Date();
      utimes(this.#file, now, now).catch(() => undefined);
    }, HEARTBEAT_MS);
    this.#beat.unref();
    return true;
  }

  async release(): Promise<void> {
    if (!this.#beat) return;
    clearInterval(this.#beat);
    this.#beat = undefined;
    if ((await holderOf(this.#file))?.nonce === this.#self.nonce) await rm(this.#file, { force: true });
  }

  /** Whether the same beat was the last one for too long. */
  #isSilent(beat: number): boolean {
    if (this.#seen?.beat !== beat) this.#seen = { beat, since: this.#elapsed() };
    return this.#elapsed() - this.#seen.since > STALE_MS;
  }

  async #create(): Promise<boolean> {
    // Written aside and then given its name, so that nobody ever sees half a lock.
    const own = `${this.#file}.${randomName()}.new`;
    try {
      await writeNew(own, Buffer.from(JSON.stringify(this.#self)));
      await linkOrCopy(own, this.#file);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(own, { force: true });
    }
  }

  /** Moves a dead process's lock away; true when the way is free. */
  async #clearStale(): Promise<boolean> {
    const holder = await holderOf(this.#file);
    const known = await stat(this.#file).catch(() => undefined);
    if (!known) return true;
    if (holder && isAlive(holder) && !this.#isSilent(known.mtimeMs)) return false;
    const away = `${this.#file}.${randomName()}.stale`;
    try {
      await rename(this.#file, away);
      // Somebody else may have been faster and hold a new lock of that name: then it goes back.
      const taken = (await holderOf(away))?.nonce !== holder?.nonce;
      if (taken) await rename(away, this.#file);
      return !taken;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return true;
      throw error;
    } finally {
      await rm(away, { force: true });
    }
  }
}

async function holderOf(file: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, boot }: Holder): boolean {
  if (boot !== bootId()) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
