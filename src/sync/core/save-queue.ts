import type { Clock } from '#base/clock.ts';

/** Saves that come within this time go together, ms. */
const COALESCE_MS = 150;

/**
 * Collects saved paths and hands them over once no more came for a moment. One batch runs at a time, so the versions of
 * a file reach the platform in the order they were saved. While held, paths only gather.
 */
export class SaveQueue {
  readonly #clock: Clock;
  readonly #run: (paths: ReadonlySet<string>) => Promise<void>;
  #waiting = new Set<string>();
  #held = false;
  #closed = false;
  #running: Promise<void> | undefined;

  constructor(clock: Clock, run: (paths: ReadonlySet<string>) => Promise<void>) {
    this.#clock = clock;
    this.#run = run;
  }

  get waiting(): ReadonlySet<string> {
    return this.#waiting;
  }

  add(paths: Iterable<string>): void {
    for (const path of paths) this.#waiting.add(path);
    this.#start();
  }

  /** Stops handing over until it is let go; what runs is finished. */
  hold(held: boolean): void {
    this.#held = held;
    this.#start();
  }

  /** Resolves when nothing waits, or nothing can go now. */
  async flush(): Promise<void> {
    while (this.#running) await this.#running;
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.flush();
  }

  #start(): void {
    if (this.#running || this.#held || this.#closed || this.#waiting.size === 0) return;
    this.#running = this.#drain().finally(() => {
      this.#running = undefined;
      this.#start();
    });
  }

  async #drain(): Promise<void> {
    let size: number;
    do {
      size = this.#waiting.size;
      await this.#clock.sleep(COALESCE_MS);
    } while (this.#waiting.size !== size);
    if (this.#held || this.#closed) return;
    const paths = this.#waiting;
    this.#waiting = new Set();
    await this.#run(paths);
  }
}
