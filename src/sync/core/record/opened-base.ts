import { CancelledError, SingleFlight } from '#base/async.ts';
import type { Logger } from '#base/log.ts';
import type { SyncContext } from '#sync/core/context.ts';
import type { SyncSettings } from '#sync/core/folder-sync.ts';
import type { SyncPorts } from '#sync/core/ports.ts';
import { LinkSpeed } from '#sync/core/remote/link-speed.ts';
import { RemoteReads } from '#sync/core/remote/remote-reads.ts';
import { type StatePorts, SyncRecord } from './sync-record.ts';
import type { SyncTarget } from '#sync/core/target.ts';

/** An opened base, either as the only writer of the folder and branch or as a reader. */
interface OpenedBase {
  readonly context: SyncContext;
  readonly writable: boolean;
  close(): Promise<void>;
}

/** Opens the base of a linked folder once for all callers: a second copy would miss the changes of the first. */
export class BaseOpener {
  readonly #open: () => Promise<OpenedBase>;
  readonly #lock: SyncPorts['lock'];
  readonly #opening = new SingleFlight<OpenedBase>();
  #base: OpenedBase | undefined;
  #closed = false;

  constructor(ports: SyncPorts, target: SyncTarget, logger: Logger, settings: () => SyncSettings) {
    const shared = { ports, logger, settings, reads: new RemoteReads(), link: new LinkSpeed(ports.clock) };
    this.#open = () => openBase(shared, target);
    this.#lock = ports.lock;
  }

  /** Whether another window turned out to be the writer. */
  get isReader(): boolean {
    return this.#base?.writable === false;
  }

  /**
   * Resolves to the writer's session, or to a reader's while another window writes; a reader tries to become the writer
   * each time. A writer that lost the lock may be outdated, so the base is read again.
   */
  async open(): Promise<OpenedBase> {
    const known = this.#base;
    if (known?.writable === true && (await this.#lock.isHeld())) return known;
    if (this.#closed) throw new CancelledError('The folder is no longer linked here.');
    return this.#opening.run(async () => {
      // Another caller may have opened it while this one was checking the lock.
      if (this.#base === known || this.#base?.writable !== true) this.#base = await this.#open();
      return this.#base;
    });
  }

  /**
   * Resolves to whether `open` gives the writer's session, because the other window has ended. Reads only the lock, so it
   * can be asked often. Must not run while `close` does.
   */
  async takesLock(): Promise<boolean> {
    return !this.#closed && (this.#base?.writable === true || this.#lock.acquire());
  }

  /** Resolves to the current session, whether or not it may write: enough for reading versions. */
  async opened(): Promise<OpenedBase> {
    return this.#base ?? this.open();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#opening.isRunning) await this.#opening.run(this.#open).catch(() => undefined);
    await this.#base?.close();
  }
}

/** Takes the writer's lock if it is free; without the lock, the base is only read, never written. */
async function openBase(shared: Omit<SyncContext, 'state' | 'writable'>, target: SyncTarget): Promise<OpenedBase> {
  const { ports, logger } = shared;
  const writable = await ports.lock.acquire();
  try {
    const state = await SyncRecord.open(writable ? ports : readingPorts(ports), target);
    if (writable && state.unclean) logger.info('The last run did not end cleanly; both sides are compared again');
    const close = writable ? () => closeBase(ports, state, logger) : () => Promise.resolve();
    return { context: { ...shared, state, writable }, writable, close };
  } catch (error) {
    // The next attempt, by this window or another, must find the lock free.
    if (writable) await ports.lock.release();
    throw error;
  }
}

/** Closes the base and always releases the lock. A failed step leaves an unclean stop, which the next start handles. */
async function closeBase(ports: SyncPorts, state: SyncRecord, logger: Logger): Promise<void> {
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      logger.warn('Sync did not close cleanly', { error: String(error) });
    }
  };
  await attempt(() => state.close());
  await attempt(() => ports.journal.close());
  await attempt(() => ports.lock.release());
}

function readingPorts(ports: SyncPorts): StatePorts {
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    base: { load: () => ports.base.load(), save: () => Promise.resolve('') },
    journal: {
      boot: ports.journal.boot,
      load: () => ports.journal.load(),
      append: nothing,
      reset: nothing,
      close: nothing,
    },
    lastBranch: {
      load: async () => ports.lastBranch?.load(),
      other: async () => ports.lastBranch?.other(),
      take: nothing,
    },
    files: { recover: nothing },
  };
}
