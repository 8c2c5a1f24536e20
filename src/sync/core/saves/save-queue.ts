import type { Clock } from '#base/clock.ts';

/** Saves within this time are handled together, in ms. */
const COALESCE_MS = 150;

/**
 * Collects saved paths and passes them on when no more arrived for a moment. One batch runs at a time, so the versions
 * of a file reach the platform in the order of their saves. While on hold, paths only accumulate.
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

  /** Stops or resumes passing paths on; a running batch is finished. */
  hold(held: boolean): void {
    this.#held = held;
    this.#start();
  }

  /** Resolves when nothing waits, or nothing can be passed on now. */
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
