import { smallest } from '#base/long-lists.ts';
import type { Clock } from '#base/clock.ts';

/** The number of recent requests that count: the connection may change while a window is open. */
const RECENT = 4;

/** Measures how long a request to the platform takes. */
export class LinkSpeed {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #recent: number[] = [];

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /**
   * The duration of the fastest recent request, in ms: slower ones include more of the platform's own work. `undefined`
   * before the first.
   */
  get roundTrip(): number | undefined {
    return this.#recent.length === 0 ? undefined : smallest(this.#recent);
  }

  /** Runs a request and records its duration; failed requests do not count. */
  async timed<T>(request: () => Promise<T>): Promise<T> {
    const from = this.#clock.now();
    const answer = await request();
    this.#recent.push(Math.max(0, this.#clock.now() - from));
    if (this.#recent.length > RECENT) this.#recent.shift();
    return answer;
  }
}
