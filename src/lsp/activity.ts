/** How many requests are being answered: background work waits for them. */
export class Activity {
  #requests = 0;

  get isBusy(): boolean {
    return this.#requests > 0;
  }

  /** Runs one request. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#requests++;
    try {
      return await work();
    } finally {
      this.#requests--;
    }
  }
}
