/** The requests of a platform, which end before what they work with is closed. */
export class Requests {
  readonly #closing = new AbortController();
  readonly #underway = new Set<Promise<unknown>>();

  /** Aborted when the platform begins to close: a request that only waits, for the clock or for ever, ends then. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Serves one request. Rejects as `fetch` does for a port without a server, once the platform closes. */
  async serve(answer: () => Promise<Response>): Promise<Response> {
    this.#closing.signal.throwIfAborted();
    const answered = answer();
    this.#underway.add(answered);
    try {
      return await answered;
    } finally {
      this.#underway.delete(answered);
    }
  }

  /** Takes no more requests. Resolves when those under way have ended. */
  async close(): Promise<void> {
    this.#closing.abort(new TypeError('fetch failed: the platform is closed'));
    await Promise.allSettled(this.#underway);
  }
}
