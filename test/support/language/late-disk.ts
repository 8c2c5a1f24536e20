import type { LanguageHost } from '#language-server/host.ts';

/** A disk that answers late, each question after another time. What it answers is what it held when it was asked. */
export class LateDisk {
  readonly files = new Map<string, string>();
  readonly #delays: readonly number[];
  #asked = 0;
  #waiting = 0;
  #calls = 0;

  constructor(delays: readonly number[]) {
    this.#delays = delays;
  }

  get host(): Partial<LanguageHost> {
    return {
      listFiles: (root) => this.#late([...this.files.keys()].filter((uri) => uri.startsWith(`${root}/`)).sort()),
      readFile: (uri) => this.#late(this.files.get(uri)),
      yield: () => this.#turn(),
      // Every slice of work is over at once, so that everything can come between.
      now: () => ++this.#calls * 1000,
    };
  }

  async #late<T>(answer: T): Promise<T> {
    this.#waiting++;
    const delay = this.#delays[this.#asked++ % this.#delays.length] ?? 0;
    await turns(delay);
    this.#waiting--;
    return answer;
  }

  #turn(): Promise<void> {
    this.#calls++;
    return turns(1);
  }

  /** Resolves when the server has nothing to do any more: it asked for nothing in many turns of the event loop. */
  async idle(): Promise<void> {
    for (let quiet = 0; quiet < 40; quiet++) {
      const before = this.#calls;
      await turns(1);
      if (this.#waiting > 0 || this.#calls !== before) quiet = 0;
    }
  }
}

/** Resolves after so many turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
