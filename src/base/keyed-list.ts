/** Elements per chunk: a change copies one chunk and the list of chunks, however long the list is. */
const CHUNK = 128;

/**
 * An immutable list of items with ids. Appending, replacing and finding by id take constant time in practice, so a list may grow
 * by thousands of elements, with one version for each. Versions share their common chunks.
 */
export class KeyedList<T extends { readonly id: string }> implements Iterable<T> {
  readonly #chunks: readonly (readonly T[])[];
  /**
   * Positions by id, shared by all versions that grew from one list, with every id of each of them. Where versions diverged, a
   * position may belong to another version, so it is checked before use.
   */
  readonly #positions: Map<string, number>;
  readonly length: number;

  private constructor(chunks: readonly (readonly T[])[], positions: Map<string, number>, length: number) {
    this.#chunks = chunks;
    this.#positions = positions;
    this.length = length;
  }

  /** Creates a list of the items in their order. Of several items with one id, the last replaces the first. */
  static of<T extends { readonly id: string }>(items: Iterable<T>): KeyedList<T> {
    const unique = [...new Map([...items].map((item) => [item.id, item])).values()];
    const chunks = Array.from({ length: Math.ceil(unique.length / CHUNK) }, (_, at) =>
      unique.slice(at * CHUNK, (at + 1) * CHUNK),
    );
    return new KeyedList(chunks, new Map(unique.map(({ id }, at) => [id, at])), unique.length);
  }

  /** Returns the item at a position; negative positions count from the end. */
  at(position: number): T | undefined {
    const at = position < 0 ? this.length + position : position;
    return this.#chunks[Math.floor(at / CHUNK)]?.[at % CHUNK];
  }

  get(id: string): T | undefined {
    return this.at(this.#positionOf(id));
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  /** Returns the list with the item in place of the one with the same id, or appended. */
  with(item: T): KeyedList<T> {
    const known = this.#positionOf(item.id);
    if (known < this.length && this.at(known) === item) return this;
    const chunk = Math.floor(known / CHUNK);
    const items = [...(this.#chunks[chunk] ?? [])];
    items[known % CHUNK] = item;
    // All lists begin empty: lists that grow from the same empty one have nothing in common.
    const positions = this.length === 0 ? new Map<string, number>() : this.#positions;
    positions.set(item.id, known);
    const chunks = [...this.#chunks];
    chunks[chunk] = items;
    return new KeyedList(chunks, positions, Math.max(this.length, known + 1));
  }

  /** Yields the positions and items that differ (by identity) from an earlier list; skips shared chunks. */
  *changesSince(before: KeyedList<T> | undefined): Iterable<readonly [position: number, item: T]> {
    const chunks = before ? before.#chunks : [];
    for (const [chunk, items] of this.#chunks.entries()) {
      const known = chunks[chunk];
      if (known === items) continue;
      for (const [at, item] of items.entries()) if (known?.[at] !== item) yield [chunk * CHUNK + at, item];
    }
  }

  toArray(): T[] {
    return this.#chunks.flat();
  }

  [Symbol.iterator](): Iterator<T> {
    return this.toArray()[Symbol.iterator]();
  }

  /** Returns the position of an id, or the length of the list if the id is not in it. */
  #positionOf(id: string): number {
    const at = this.#positions.get(id);
    if (at === undefined) return this.length;
    if (this.at(at)?.id === id) return at;
    const found = this.toArray().findIndex((item) => item.id === id);
    return found === -1 ? this.length : found;
  }
}
