/** Characters that are kept before the oldest texts go. */
const limit = 32_000_000;

/** Texts by a key, up to a limit of characters; what was stored first goes first. */
export class TextCache {
  readonly #texts = new Map<string, string>();
  #size = 0;

  has(key: string): boolean {
    return this.#texts.has(key);
  }

  get(key: string): string | undefined {
    return this.#texts.get(key);
  }

  set(key: string, text: string): void {
    if (this.#texts.has(key)) return;
    this.#texts.set(key, text);
    this.#size += text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#size <= limit || oldest === key) return;
      this.#texts.delete(oldest);
      this.#size -= length;
    }
  }
}
