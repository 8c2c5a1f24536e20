/** Elements a chunk holds: a change copies one chunk and the list of chunks, whatever the length of the list. */
const CHUNK = 128;

/**
 * An immutable list of things with ids. Appending, replacing and finding by id take the same time however long the list
 * is, so a list may grow by thousands of elements, one version for each. Versions share what they have in common.
 */
export class KeyedList<T extends { readonly id: string }> implements Iterable<T> {
  readonly #chunks: readonly (readonly T[])[];
  /**
   * Positions by id, shared by all versions that grew from one list. It names every id of each of them; where versions went
   * different ways a position may be another version's, so it is checked before use.
   */
  readonly #positions: Map<string, number>;
  readonly length: number;

  private constructor(chunks: readonly (readonly T[])[], positions: Map<string, number>, length: number) {
    this.#chunks = chunks;
    this.#positions = positions;
    this.length = length;
  }

  /** A list of the items in their order; of several with one id the last one counts, at the position of the first. */
  static of<T extends { readonly id: string }>(items: Iterable<T>): KeyedList<T> {
    const unique = [...new Map([...items].map((item) => [item.id, item])).values()];
    const chunks = Array.from({ length: Math.ceil(unique.length / CHUNK) }, (_, at) =>
      unique.slice(at * CHUNK, (at + 1) * CHUNK),
    );
    return new KeyedList(chunks, new Map(unique.map(({ id }, at) => [id, at])), unique.length);
  }

  /** The item at a position; negative positions count from the end. */
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

  /** The list with the item in the place of the one with its id, or at the end. */
  with(item: T): KeyedList<T> {
    const known = this.#positionOf(item.id);
    if (known < this.length && this.at(known) === item) return this;
    const chunk = Math.floor(known / CHUNK);
    const items = [...(this.#chunks[chunk] ?? [])];
    items[known % CHUNK] = item;
    // All lists begin empty: what grows from the same empty list has nothing in common.
    const positions = this.length === 0 ? new Map<string, number>() : this.#positions;
    positions.set(item.id, known);
    const chunks = [...this.#chunks];
    chunks[chunk] = items;
    return new KeyedList(chunks, positions, Math.max(this.length, known + 1));
  }

  /** Positions and items that are not the same object as in an earlier list; what both lists share is passed over. */
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

  /** The position of an id; the length of the list where it is not there. */
  #positionOf(id: string): number {
    const at = this.#positions.get(id);
    if (at === undefined) return this.length;
    if (this.at(at)?.id === id) return at;
    const found = this.toArray().findIndex((item) => item.id === id);
    return found === -1 ? this.length : found;
  }
}
