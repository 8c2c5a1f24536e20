/** A source of random choices: the same seed makes the same ones on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 (included) to 1 (excluded). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Returns `count` different items of a list, in its order. */
  some<T>(list: readonly T[], count: number): readonly T[] {
    const left = list.map((item, at) => ({ item, at, rank: this.next() })).sort((a, b) => a.rank - b.rank);
    return left
      .slice(0, count)
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }
}
