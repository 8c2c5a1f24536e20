import { CancelledError } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Store } from '#base/store.ts';
import { type ChatThread, type ChatTurn, type TurnProblem, isRunning, withTurn } from './thread.ts';
import type { TurnPhase } from './turn-phase.ts';

/** One turn in its thread's store: what is known of it, and what is written of it. */
export class TurnRecord {
  readonly #thread: Store<ChatThread>;
  readonly #turnId: string;
  readonly #clock: Clock;

  constructor(thread: Store<ChatThread>, turnId: string, clock: Clock) {
    this.#thread = thread;
    this.#turnId = turnId;
    this.#clock = clock;
  }

  /** Throws that it was cancelled when the turn is gone. */
  get turn(): ChatTurn {
    const turn = this.#thread.value.turns.find(({ id }) => id === this.#turnId);
    if (!turn) throw new CancelledError('The turn was removed.');
    return turn;
  }

  get isRunning(): boolean {
    return isRunning(this.turn);
  }

  /** Grows with everything heard of the answer: progress since the last try. */
  get heard(): number {
    return this.turn.messages.toArray().reduce((sum, { text, thinking }) => sum + 1 + text.length + thinking.length, 0);
  }

  patch(change: Partial<ChatTurn>): void {
    const thread = withTurn(this.#thread.value, this.#turnId, (turn) => ({ ...turn, ...change }));
    this.#thread.set({ ...thread, updatedAt: this.#clock.now() });
  }

  /** Ends the turn with what went wrong, unless it has ended. */
  fail(problem: TurnProblem): void {
    if (this.isRunning) this.patch({ phase: 'failed', problem, quiet: false, endedAt: this.#clock.now() });
  }

  /** Ends the turn, unless it has ended. */
  close(phase: Extract<TurnPhase, 'complete' | 'stopped'>, note?: string): void {
    if (this.isRunning) this.patch({ phase, note, quiet: false, endedAt: this.#clock.now() });
  }
}
