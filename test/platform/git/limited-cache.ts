/** Values by a key, until their sizes together exceed a limit; what was stored first goes first. */
export class LimitedCache<Value> {
  readonly #limit: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #values = new Map<string, Value>();
  #size = 0;

  /** @param limit of the sizes together, in the unit of `sizeOf`; the newest value stays, however large it is */
  constructor(limit: number, sizeOf: (value: Value) => number) {
    this.#limit = limit;
    this.#sizeOf = sizeOf;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#values.has(key)) return;
    this.#values.set(key, value);
    this.#size += this.#sizeOf(value);
    for (const [oldest, old] of this.#values) {
      if (this.#size <= this.#limit || oldest === key) return;
      this.#values.delete(oldest);
      this.#size -= this.#sizeOf(old);
    }
  }
}
