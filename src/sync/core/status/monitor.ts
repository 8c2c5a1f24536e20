import { isPlatformError } from '#api/errors.ts';
import { isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log.ts';
import { Stopwatch } from '#base/stopwatch.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { SyncStatus } from '#sync/core/folder-sync.ts';
import { waitReasonOf } from '#sync/core/record/outbox.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import { groupsOf, startingFacts, withoutApplied } from './status.ts';
import type { Busy, PauseReason, SyncFacts } from './sync-facts.ts';
import { syncState } from './sync-state.ts';

interface MonitorOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly branch: string;
  readonly readOnly: () => SyncFacts['readOnly'];
  /** Counts the changes to the agreed state; undefined before it was read. */
  readonly generation: () => number | undefined;
  /** Called when automatic work must stop or may resume. */
  readonly onHold: (held: boolean) => void;
  /** Called when the platform does not respond or does not work. */
  readonly onOutage: () => void;
}

/** The status of one linked folder; nothing else changes it. */
export class SyncMonitor {
  readonly #options: MonitorOptions;
  readonly #store = new Store<SyncStatus>({ ...startingFacts, state: syncState(startingFacts) });
  readonly #paused = new Set<PauseReason>();
  /** How long uploads wait because the platform asked for a pause, in ms. */
  #pause: { readonly length: number; readonly since: Stopwatch } | undefined;

  constructor(options: MonitorOptions) {
    this.#options = options;
  }

  get store(): ReadonlyStore<SyncStatus> {
    return this.#store;
  }

  get plan(): Plan | undefined {
    return this.#store.value.plan;
  }

  /** Whether the platform does not respond or does not work. */
  get isOut(): boolean {
    return this.#store.value.outage !== undefined;
  }

  get isPaused(): boolean {
    return this.#paused.size > 0;
  }

  get held(): boolean {
    return this.isOut || this.isPaused;
  }

  /** The rest of the pause that the platform asked for, in ms. */
  get askedPause(): number {
    return this.#pause ? Math.max(0, this.#pause.length - this.#pause.since.elapsed) : 0;
  }

  pause(reason: PauseReason): void {
    this.#paused.add(reason);
    this.#hold();
  }

  resume(reason: PauseReason): void {
    if (this.#paused.delete(reason)) this.#hold();
  }

  set(change: Partial<SyncFacts>): void {
    const facts: SyncFacts = { ...this.#store.value, ...change, readOnly: this.#options.readOnly() };
    const generation = this.#options.generation();
    const isCurrent = generation !== undefined && facts.plan?.generation === generation;
    this.#store.set({ ...facts, isCurrent, state: syncState({ ...facts, isCurrent }) });
  }

  setPlan(plan: Plan): void {
    this.set(groupsOf(plan));
  }

  /** Removes the entries that were just synced from the plan. */
  drop(applied: readonly Pick<PlanEntry, 'path'>[], generation: number): void {
    const { plan } = this.#store.value;
    if (plan) this.setPlan(withoutApplied(plan, applied, generation));
  }

  /** Runs work and shows it as busy meanwhile. */
  async during<T>(busy: Busy, work: () => Promise<T>): Promise<T> {
    this.set({ busy });
    try {
      return await work();
    } finally {
      this.set({ busy: undefined });
    }
  }

  /** Records that both sides were compared, so the platform responds. */
  reached(time: number): void {
    this.set({ lastChecked: time, error: undefined });
    this.resume('signedOut');
    if (!this.isOut || this.askedPause > 0) return;
    this.set({ outage: undefined });
    this.#hold();
  }

  failed(error: Error): void {
    if (isCancelled(error) || isPlatformError(error, 'cancelled')) return;
    this.#options.logger.warn('Sync failed', { branch: this.#options.branch, error: error.message });
    this.set({ error });
    // The platform would refuse another request too. A successful check ends the pause.
    if (isPlatformError(error, 'auth')) this.pause('signedOut');
    const reason = waitReasonOf(error);
    if (reason.kind !== 'offline' && reason.kind !== 'unavailable') return;
    const asked = isPlatformError(error) ? (error.retryAfter ?? 0) * 1000 : 0;
    if (asked > this.askedPause) this.#pause = { length: asked, since: new Stopwatch(this.#options.clock) };
    this.set({ outage: reason });
    this.#hold();
    this.#options.onOutage();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #hold(): void {
    this.#options.onHold(this.held);
    this.set({ paused: [...this.#paused] });
  }
}
