import type { Clock } from '#base/clock.ts';
import { Sequencer } from '#base/async.ts';

/** Milliseconds after which VS Code hides an unanswered notification; it takes 10 to 15 seconds. */
const hiddenAfter = 15_000;

/**
 * Queues the questions that the extension asks on its own. The next one is shown when the user has answered or closed the
 * previous one, or when VS Code has hidden it: an unanswered question must not block the others.
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
