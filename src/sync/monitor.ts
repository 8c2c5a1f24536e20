import { isPlatformError } from '#api/errors.ts';
import { isCancelled } from '#base/async.ts';
import type { Logger } from '#base/log.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { PauseReason, SyncStatus } from './folder-sync.ts';
import type { Plan, PlanEntry } from './plan.ts';
import { type Busy, phaseOf, startingStatus, withoutApplied, withPlan } from './status.ts';

interface MonitorOptions {
  readonly logger: Logger;
  readonly branch: string;
  readonly isReadOnly: () => boolean;
  /** Called when automatic work must stop or may go on. */
  readonly onHold: (held: boolean) => void;
  /** Called once when the platform stops answering. */
  readonly onOffline: () => void;
}

/** The status of one linked folder: the only place that changes it. */
export class SyncMonitor {
  readonly #options: MonitorOptions;
  readonly #store = new Store<SyncStatus>(startingStatus);
  readonly #paused = new Set<PauseReason>();
  #busy: Busy | undefined;
  #offline = false;

  constructor(options: MonitorOptions) {
    this.#options = options;
  }

  get store(): ReadonlyStore<SyncStatus> {
    return this.#store;
  }

  get plan(): Plan | undefined {
    return this.#store.value.plan;
  }

  get offline(): boolean {
    return this.#offline;
  }

  /** Out of reach, or the key is refused: what failed would fail again. */
  get cannotSend(): boolean {
    return this.#offline || this.#paused.has('signedOut');
  }

  get held(): boolean {
    return this.#offline || this.#paused.size > 0;
  }

  pause(reason: PauseReason): void {
    this.#paused.add(reason);
    this.#hold();
  }

  resume(reason: PauseReason): void {
    if (this.#paused.delete(reason)) this.#hold();
  }

  set(change: Partial<SyncStatus>): void {
    const status = { ...this.#store.value, ...change };
    const readOnly = this.#options.isReadOnly();
    const { paused, plan } = status;
    const phase = phaseOf({ busy: this.#busy, paused, offline: this.#offline, readOnly, plan });
    this.#store.set({ ...status, phase });
  }

  setPlan(plan: Plan): void {
    this.set(withPlan(this.#store.value, plan));
  }

  /** Takes out of the plan what was just brought in step. */
  settle(applied: readonly Pick<PlanEntry, 'path'>[], generation: number): void {
    const { plan } = this.#store.value;
    if (plan) this.setPlan(withoutApplied(plan, applied, generation));
  }

  /** Runs work under a phase of its own. */
  async during<T>(busy: Busy, work: () => Promise<T>): Promise<T> {
    this.#busy = busy;
    this.set({});
    try {
      return await work();
    } finally {
      this.#busy = undefined;
      this.set({});
    }
  }

  /** Both sides were compared: the platform answers. */
  reached(time: number): void {
    this.set({ lastChecked: time, error: undefined });
    this.resume('signedOut');
    if (!this.#offline) return;
    this.#offline = false;
    this.#hold();
  }

  failed(error: Error): void {
    if (isCancelled(error) || isPlatformError(error, 'cancelled')) return;
    this.#options.logger.warn('Sync failed', { branch: this.#options.branch, error: error.message });
    this.set({ error });
    // Sending again would only be refused again: a look that succeeds ends this.
    if (isPlatformError(error, 'auth')) this.pause('signedOut');
    const unreachable = isPlatformError(error) && (error.kind === 'network' || error.kind === 'timeout');
    if (!unreachable || this.#offline) return;
    this.#offline = true;
    this.#hold();
    this.#options.onOffline();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #hold(): void {
    this.#options.onHold(this.held);
    this.set({ paused: [...this.#paused] });
  }
}
