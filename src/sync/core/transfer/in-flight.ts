export interface InFlightLimits {
  readonly tasks: number;
  readonly bytes: number;
}

/** Runs tasks concurrently as they arrive, as long as their number and their bytes stay within limits. */
export class InFlight {
  readonly #limits: InFlightLimits;
  #tasks = 0;
  #bytes = 0;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /**
   * Starts a task as soon as there is room for it; one that exceeds the limit runs alone. Throws the error of an
   * earlier task.
   */
  async begin(bytes: number, task: () => Promise<void>): Promise<void> {
    while (this.#isFullWith(bytes)) await this.#oneEnds();
    this.#throwFailure();
    this.#tasks += 1;
    this.#bytes += bytes;
    void this.#run(bytes, task);
  }

  /** Waits for all started tasks. Throws the error of one of them, unless it was thrown before. */
  async end(): Promise<void> {
    while (this.#tasks > 0) await this.#oneEnds();
    this.#throwFailure();
  }

  async #run(bytes: number, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#tasks -= 1;
    this.#bytes -= bytes;
    this.#wake();
  }

  #isFullWith(bytes: number): boolean {
    return this.#tasks >= this.#limits.tasks || (this.#tasks > 0 && this.#bytes + bytes > this.#limits.bytes);
  }

  #oneEnds(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.error;
  }
}
