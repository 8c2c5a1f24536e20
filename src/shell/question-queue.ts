import type { Clock } from '#base/clock.ts';
import { Sequencer } from '#base/async.ts';

/** VS Code hides an unanswered notification after 10 to 15 seconds, milliseconds. */
const hiddenAfter = 15_000;

/**
 * Shows questions that the extension asks on its own one after the other. The next one is shown when the user has answered or
 * closed the one before it, or when that has been hidden: an unanswered question must not hold the others back.
 */
export class QuestionQueue {
  readonly #clock: Clock;
  readonly #turns = new Sequencer();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Shows a question in its turn; resolves to its answer. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      void this.#turns.queue(async () => {
        const done = new AbortController();
        const answered = question().finally(() => done.abort());
        answered.then(resolve, reject);
        await this.#clock.sleep(hiddenAfter, done.signal).catch(() => undefined);
      });
    });
  }
}
