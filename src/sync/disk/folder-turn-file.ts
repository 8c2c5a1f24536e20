import { hash } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '#base/log.ts';
import type { FolderTurn } from '#sync/core/ports.ts';
import type { Disk } from './disk.ts';
import { LockFile, type LockMachine } from './lock-file.ts';
import { realFolder } from './real-path.ts';

/** How long a run waits for another program by default, and the time between two checks, in milliseconds. */
const LONGEST_WAIT_MS = 15_000;
const CHECK_MS = 100;

/** Where the turns of a folder are stored. */
export interface TurnPlace {
  /** Absolute path of a folder that all programs of the user share. */
  readonly shared: string;
  /** Absolute path of the model folder, by any of its names. */
  readonly folder: string;
  /** How long a run waits for another program, in milliseconds. */
  readonly longestWait?: number | undefined;
}

/**
 * The turns of a model folder as files in a folder that all programs of the user share, named after the folder's real path. Where
 * such a file cannot be written, work runs without a turn: each effect still checks its file first.
 */
export class FolderTurnFile implements FolderTurn {
  readonly #newLock: () => LockFile;
  readonly #logger: Logger;
  readonly #longestWait: number;

  constructor(
    disk: Disk,
    { shared, folder, longestWait = LONGEST_WAIT_MS }: TurnPlace,
    logger: Logger,
    machine?: LockMachine,
  ) {
    const file = path.join(shared, hash('sha256', realFolder(folder)).slice(0, 32));
    this.#newLock = () => new LockFile(disk, file, machine, false);
    this.#longestWait = longestWait;
    this.#logger = logger;
  }

  async during<T>(
    work: () => Promise<T>,
    { mayWait }: { readonly mayWait: boolean },
  ): Promise<{ readonly value: T } | undefined> {
    const lock = this.#newLock();
    if (!(await this.#taken(lock, mayWait ? this.#longestWait : 0))) return undefined;
    try {
      return { value: await work() };
    } finally {
      await lock.release().catch((error: unknown) => this.#report(error));
    }
  }

  async #taken(lock: LockFile, longest: number): Promise<boolean> {
    try {
      for (let waited = 0; ; waited += CHECK_MS) {
        if (await lock.acquire()) return true;
        if (waited >= longest) return false;
        await wait(CHECK_MS);
      }
    } catch (error) {
      this.#report(error);
      return true;
    }
  }

  #report(error: unknown): void {
    this.#logger.warn('The turns of the folder cannot be written', { error: String(error) });
  }
}
