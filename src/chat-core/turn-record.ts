import { CancelledError } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Store } from '#base/store.ts';
import { type ChatThread, type ChatTurn, type TurnProblem, isRunning, withTurn } from './thread.ts';
import type { TurnPhase } from './turn-phase.ts';

/** Reads and changes one turn in its thread's store. */
export class TurnRecord {
  readonly #thread: Store<ChatThread>;
  readonly #turnId: string;
  readonly #clock: Clock;

  constructor(thread: Store<ChatThread>, turnId: string, clock: Clock) {
    this.#thread = thread;
    this.#turnId = turnId;
    this.#clock = clock;
  }

  /** Throws `CancelledError` if the turn was removed. */
  get turn(): ChatTurn {
    const turn = this.#thread.value.turns.find(({ id }) => id === this.#turnId);
    if (!turn) throw new CancelledError('The turn was removed.');
    return turn;
  }

  get isRunning(): boolean {
    return isRunning(this.turn);
  }

  /** Whether the user is shown that nothing arrives. */
  get isWaiting(): boolean {
    const { phase, quiet } = this.turn;
    return phase === 'sending' || phase === 'reconnecting' || quiet === true;
  }

  /** Grows with everything received of the answer, which shows progress since the last attempt. */
  get heard(): number {
    return this.turn.messages.toArray().reduce((sum, { text, thinking }) => sum + 1 + text.length + thinking.length, 0);
  }

  patch(change: Partial<ChatTurn>): void {
    const thread = withTurn(this.#thread.value, this.#turnId, (turn) => ({ ...turn, ...change }));
    this.#thread.set({ ...thread, updatedAt: this.#clock.now() });
  }

  /** Ends the turn with a problem, unless it has already ended. */
  fail(problem: TurnProblem): void {
    if (this.isRunning) this.patch({ phase: 'failed', problem, quiet: false, endedAt: this.#clock.now() });
  }

  /** Ends the turn, unless it has already ended. */
  close(phase: Extract<TurnPhase, 'complete' | 'stopped'>, note?: string): void {
    if (this.isRunning) this.patch({ phase, note, quiet: false, endedAt: this.#clock.now() });
  }
}
