import { asError } from '#base/async.ts';
import type { Logger } from '#base/log.ts';
import type { SyncContext } from '#sync/core/context.ts';
import type { SyncSettings } from '#sync/core/folder-sync.ts';
import { blockingGuard } from '#sync/core/planning/guards.ts';
import type { SyncMonitor } from '#sync/core/status/monitor.ts';
import { Outbox, passing, waitReasonOf } from '#sync/core/record/outbox.ts';
import type { Plan, PlanEntry, PlanGuard } from '#sync/core/planning/plan.ts';
import type { SyncPorts } from '#sync/core/ports.ts';
import { offlinePause, runUntil } from '#sync/core/remote/repeat.ts';
import { SyncRun } from '#sync/core/transfer/sync-run.ts';
import { SaveQueue } from './save-queue.ts';
import { automaticEntries, automaticPaths, failedSaves, isWhole, quickEntries, savedHash } from './save-sync.ts';

/** The operations that the sender needs from its sync. */
export interface SenderHost {
  readonly ports: SyncPorts;
  readonly logger: Logger;
  readonly monitor: SyncMonitor;
  readonly ended: AbortSignal;
  readonly settings: () => SyncSettings;
  readonly open: () => Promise<{ readonly context: SyncContext; readonly writable: boolean }>;
  /** Compares both sides; call it only within `inTurn`. */
  readonly compare: (context: SyncContext) => Promise<Plan>;
  /** Uploads entries and updates the status; call it only within `inTurn`. */
  readonly push: (context: SyncContext, entries: readonly PlanEntry[], run: SyncRun) => Promise<void>;
  /** Runs work while nothing else reads or writes either side. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly plan: () => Promise<Plan>;
}

/**
 * Uploads saved files: at once where that is safe, otherwise after a comparison, with retries after failures. The
 * outbox lists the saves that could not be uploaded yet, with the reasons.
 */
export class SaveSender {
  readonly #host: SenderHost;
  readonly #queue: SaveQueue;
  readonly #outbox: Outbox;
  #isRetrying = false;

  constructor(host: SenderHost) {
    this.#host = host;
    this.#queue = new SaveQueue(host.ports.clock, (paths) => this.#saved(paths));
    this.#outbox = new Outbox((outbox) => {
      host.monitor.set({ outbox, waiting: outbox.length });
      if (!host.ended.aborted) this.#write().catch(() => undefined);
    });
  }

  /** The turn of the most recent save: later saves have a higher one. */
  get turn(): number {
    return this.#outbox.turn;
  }

  add(paths: readonly string[]): void {
    const { monitor, settings } = this.#host;
    if (settings().saveSync && monitor.store.value.readOnly === undefined) this.#outbox.add(paths);
    this.#queue.add(paths);
  }

  /** Retries everything that waits. */
  async sendAll(): Promise<void> {
    this.#queue.add(this.#outbox.items.map(({ path }) => path));
    await this.#queue.flush();
  }

  /** Retries the saves that wait for a reason that may have passed. */
  resume(plan: Plan | undefined): void {
    if (this.#host.monitor.askedPause > 0) return;
    const halted = blockingGuard(plan?.guards ?? [], 'push', [], []) !== undefined;
    this.#queue.add(this.#outbox.waitingFor(halted ? passing : [...passing, 'guard']));
  }

  /** Forgets saves up to `turn` that, according to a comparison, are not uploaded automatically. */
  compared(plan: Plan, turn: number): void {
    if (isWhole(plan)) this.#outbox.keepOnly(automaticPaths(plan), turn);
  }

  /** Takes over the saves that an earlier window left behind. */
  async takeUp(context: SyncContext): Promise<void> {
    const { ports, logger } = this.#host;
    try {
      this.#queue.add(await this.#outbox.attach(ports.outbox, (path) => savedHash(context, path)));
    } catch (error) {
      logger.warn('Waiting saves could not be read', { error: asError(error).message });
    }
  }

  hold(held: boolean): void {
    this.#queue.hold(held);
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /** Stops sending; a running batch is finished. */
  end(): Promise<void> {
    return this.#queue.close();
  }

  /** Stores the saves that still wait, for the next window. */
  async keep(): Promise<void> {
    if (this.#outbox.items.length > 0) await this.#host.open().catch(() => undefined);
    await this.#write();
  }

  /**
   * Retries until the platform responds and nothing waits for it any longer. A pause ends the retries: the saves are
   * uploaded after it.
   */
  retryLater(): void {
    if (this.#isRetrying) return;
    this.#isRetrying = true;
    const { ports, monitor, ended, plan } = this.#host;
    const pause = (attempt: number): number => Math.max(offlinePause(attempt), monitor.askedPause);
    runUntil(ports.clock, pause, ended, async () => {
      await plan().catch(() => undefined);
      await this.#queue.flush();
      const waits = this.#outbox.waitingFor(passing).length > 0 && !monitor.isPaused;
      this.#isRetrying = monitor.isOut || waits;
      return !this.#isRetrying;
    });
  }

  async #saved(paths: ReadonlySet<string>): Promise<void> {
    const { monitor, inTurn, plan } = this.#host;
    const { turn } = this.#outbox;
    try {
      if (await inTurn(() => this.#send(paths, turn))) await plan();
    } catch (thrown) {
      const error = asError(thrown);
      this.#outbox.hold(paths, waitReasonOf(error));
      monitor.failed(error);
    }
    if (this.#outbox.waitingFor(passing).length > 0) this.retryLater();
  }

  /** Uploads what may be uploaded automatically; resolves to true when a full comparison must follow. */
  async #send(paths: ReadonlySet<string>, turn: number): Promise<boolean> {
    const { monitor, settings, open, push } = this.#host;
    const { context, writable } = await open();
    if (!settings().saveSync || !writable || monitor.store.value.readOnly) {
      this.#outbox.release(paths, turn);
      return true;
    }
    return monitor.during('pushing', async () => {
      const { entries, guard, isQuick } = await this.#entriesOf(context, paths);
      if (guard) {
        this.#outbox.hold(paths, { kind: 'guard', message: guard.message });
        return false;
      }
      const run = new SyncRun(entries.length, { isAutomatic: true });
      if (entries.length > 0) await push(context, entries, run);
      const failed = failedSaves(paths, entries, run.failed);
      this.#outbox.release(
        [...paths].filter((path) => !failed.has(path)),
        turn,
      );
      for (const [path, error] of failed) this.#outbox.hold([path], waitReasonOf(error));
      return failed.size === 0 && (run.changed.size > 0 || !isQuick);
    });
  }

  /**
   * Resolves to the entries of these saves that may be uploaded: without a comparison where the last one found no
   * problem, else after another.
   */
  async #entriesOf(context: SyncContext, paths: ReadonlySet<string>): Promise<SaveEntries> {
    const known = this.#host.monitor.plan;
    const quick = known && (await quickEntries(context, paths));
    if (quick && !blockingGuard(known.guards, 'push', quick, [])) return { entries: quick, isQuick: true };
    const plan = await this.#host.compare(context);
    const entries = automaticEntries(plan, paths);
    return { entries, guard: blockingGuard(plan.guards, 'push', entries, []), isQuick: false };
  }

  /** Stores the waiting saves. A failure is only logged: they are still local changes. */
  async #write(): Promise<void> {
    try {
      await this.#outbox.write();
    } catch (error) {
      this.#host.logger.warn('Waiting saves could not be written down', { error: asError(error).message });
    }
  }
}

interface SaveEntries {
  readonly entries: readonly PlanEntry[];
  readonly guard?: PlanGuard | undefined;
  /** Found without a new comparison. */
  readonly isQuick: boolean;
}
