import type { Clock } from '#base/clock.ts';

/** Requests that count: the link may change while a window is open. */
const RECENT = 4;

/** Measures what a request to the platform takes. */
export class LinkSpeed {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #recent: number[] = [];

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** The quickest of the last requests, in ms: slower ones say what the platform had to do. Undefined before the first. */
  get roundTrip(): number | undefined {
    return this.#recent.length === 0 ? undefined : Math.min(...this.#recent);
  }

  /** Runs a request and remembers how long it took; a failed one says nothing. */
  async timed<T>(request: () => Promise<T>): Promise<T> {
    const from = this.#clock.now();
    const answer = await request();
    this.#recent.push(Math.max(0, this.#clock.now() - from));
    if (this.#recent.length > RECENT) this.#recent.shift();
    return answer;
  }
}
