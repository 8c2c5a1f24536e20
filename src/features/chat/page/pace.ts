/** The clock of the pace; a test may replace that of the window. */
export interface PaceClock {
  /** The current time in milliseconds. */
  readonly now: () => number;
  readonly later: (ms: number, work: () => void) => void;
  /** Calls back when the changes have been drawn, with the milliseconds that drawing took. */
  readonly drawn: (work: (ms: number) => void) => void;
}

/** Drawing takes at most a quarter of the time: one part in this many. */
const SHARE = 4;
/** The longest that text waits, in milliseconds. */
const LONGEST_WAIT = 250;

/**
 * Passes messages on, in order, at a pace that leaves time for the user: at once while drawing is fast; when it is slow, messages
 * that arrive meanwhile are drawn together. Urgent messages never wait.
 */
export class Pace<T> {
  readonly #clock: PaceClock;
  readonly #apply: (messages: readonly T[]) => void;
  #waiting: T[] = [];
  #notBefore = 0;
  #drawings = 0;

  constructor(clock: PaceClock, apply: (messages: readonly T[]) => void) {
    this.#clock = clock;
    this.#apply = apply;
  }

  push(message: T, isUrgent: boolean): void {
    this.#waiting.push(message);
    if (isUrgent || this.#clock.now() >= this.#notBefore) this.#flush();
    else if (this.#waiting.length === 1) this.#plan();
  }

  #plan(): void {
    this.#clock.later(this.#notBefore - this.#clock.now(), () => this.#flush());
  }

  #flush(): void {
    const messages = this.#waiting;
    if (messages.length === 0) return;
    this.#waiting = [];
    this.#drawings += 1;
    const drawing = this.#drawings;
    const start = this.#clock.now();
    this.#apply(messages);
    const applied = this.#clock.now() - start;
    // A view that is still drawing does not get another change yet; one that never draws gets it in the end.
    this.#notBefore = start + LONGEST_WAIT;
    this.#clock.drawn((drawn) => {
      if (drawing !== this.#drawings) return;
      this.#notBefore = start + Math.min((applied + drawn) * SHARE, LONGEST_WAIT);
      if (this.#waiting.length > 0) this.#plan();
    });
  }
}

export const windowClock: PaceClock = {
  now: () => performance.now(),
  later: (ms, work) => void setTimeout(work, ms),
  drawn: (work) =>
    void requestAnimationFrame(() => {
      const start = performance.now();
      setTimeout(() => work(performance.now() - start), 0);
    }),
};
