import { CancelledError } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Disposable } from '#base/disposable.ts';
import type { ChatThread } from '#chat-core/thread.ts';
import type { HostToView } from '#features/chat/messages.ts';
import { diff, urgency } from '#features/chat/diff.ts';

/** How long text is collected before a view gets it, in milliseconds. */
export const COALESCE_MS = 50;

/** What only the owner of a view can say. */
export interface ReplicaPort {
  /** Hands a message to the view; never awaited. */
  post(message: HostToView): void;
  /** A snapshot of the thread with all that stands around it. */
  snapshot(thread: ChatThread, epoch: number, seq: number): HostToView;
  /** How many turns the view shows. */
  shownTurns(): number;
}

/**
 * Keeps one view in step with one thread. A snapshot begins an epoch; after it come patches with rising numbers. Nothing
 * is posted to a view that is hidden or not ready: it gets a snapshot when it is back.
 */
export class Replica implements Disposable {
  readonly #port: ReplicaPort;
  readonly #clock: Clock;
  #thread: ChatThread;
  /** What the view has; `undefined` while it listens to nothing. */
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

  /** The view is ready: sends it the whole state. Also sent to a view that has missed something. */
  show(): void {
    this.#cancel();
    this.#epoch += 1;
    this.#seq = 0;
    this.#posted = this.#thread;
    this.#port.post(this.#port.snapshot(this.#thread, this.#epoch, this.#seq));
  }

  /** The view is hidden or gone. */
  hide(): void {
    this.#cancel();
    this.#posted = undefined;
  }

  /** Follows another thread, or the same one as it is now. */
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
        // Its time is over: there is nothing to cancel.
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
