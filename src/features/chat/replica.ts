import { CancelledError } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Disposable } from '#base/disposable.ts';
import type { ChatThread } from '#chat-core/thread.ts';
import type { HostToView } from '#features/chat/messages.ts';
import { diff, urgency } from '#features/chat/diff.ts';

/** How long text is collected before it is posted to a view, in milliseconds. */
export const COALESCE_MS = 50;

/** The part of a replica that the owner of the view implements. */
export interface ReplicaPort {
  /** Posts a message to the view; never awaited. */
  post(message: HostToView): void;
  /** Returns a snapshot of the thread and everything around it. */
  snapshot(thread: ChatThread, epoch: number, seq: number): HostToView;
  /** Returns how many turns the view shows. */
  shownTurns(): number;
}

/**
 * Keeps one view in sync with one thread. A snapshot begins an epoch, and patches with increasing numbers follow. Nothing is
 * posted to a view that is hidden or not ready: it gets a snapshot when it is back.
 */
export class Replica implements Disposable {
  readonly #port: ReplicaPort;
  readonly #clock: Clock;
  #thread: ChatThread;
  /** The state that the view has; `undefined` while it does not listen. */
  #posted: ChatThread | undefined;
  #epoch = 0;
  #seq = 0;
  #pending: AbortController | undefined;

  constructor(port: ReplicaPort, clock: Clock, thread: ChatThread) {
    this.#port = port;
    this.#clock = clock;
    this.#thread = thread;
  }

  get thread(): ChatThread {
    return this.#thread;
  }

  /** Posts the whole state to a view that is ready or has missed something. */
  show(): void {
    this.#cancel();
    this.#epoch += 1;
    this.#seq = 0;
    this.#posted = this.#thread;
    this.#port.post(this.#port.snapshot(this.#thread, this.#epoch, this.#seq));
  }

  /** Stops posting: the view is hidden or gone. */
  hide(): void {
    this.#cancel();
    this.#posted = undefined;
  }

  /** Follows another thread, or a newer state of the same one. */
  set(thread: ChatThread): void {
    const other = thread.key !== this.#thread.key;
    this.#thread = thread;
    if (!this.#posted) return;
    if (other) this.show();
    else this.#schedule();
  }

  dispose(): void {
    this.hide();
  }

  #schedule(): void {
    const soon = this.#posted ? urgency(this.#posted, this.#thread, this.#port.shownTurns()) : 'none';
    if (soon === 'now') {
      this.#flush();
      return;
    }
    if (this.#pending || soon === 'none') return;
    const pending = new AbortController();
    this.#pending = pending;
    this.#clock.sleep(COALESCE_MS, pending.signal).then(
      () => {
        // The delay is over: there is nothing to cancel.
        if (this.#pending === pending) this.#pending = undefined;
        this.#flush();
      },
      () => undefined,
    );
  }

  #flush(): void {
    this.#cancel();
    if (!this.#posted) return;
    const ops = diff(this.#posted, this.#thread, this.#port.shownTurns());
    if (!ops) {
      this.show();
      return;
    }
    const title = this.#posted.title === this.#thread.title ? undefined : this.#thread.title;
    this.#posted = this.#thread;
    if (ops.length === 0 && title === undefined) return;
    this.#seq += 1;
    this.#port.post({ type: 'patch', epoch: this.#epoch, seq: this.#seq, ops: [...ops], title });
  }

  #cancel(): void {
    this.#pending?.abort(new CancelledError());
    this.#pending = undefined;
  }
}
