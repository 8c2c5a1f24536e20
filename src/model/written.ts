import { findText, findValue, type Chunk } from './chunk.ts';
import { isOpenAt } from './read.ts';
import { endOf, startOf } from './syntax/tape.ts';
import type { MapNode } from './syntax/tree.ts';

/** A mapping that is an entity of the model. Its facts come from the tape; its node is created on first use. */
export class Written {
  readonly #chunk: Chunk;
  readonly #cell: number;

  constructor(chunk: Chunk, cell: number) {
    this.#chunk = chunk;
    this.#cell = cell;
  }

  get node(): MapNode {
    return this.#chunk.mapAt(this.#cell);
  }

  get start(): number {
    return startOf(this.#chunk.tape, this.#cell);
  }

  get end(): number {
    return endOf(this.#chunk.tape, this.#cell);
  }

  /** Whether it may have keys that are not written here (a spread, a merge). */
  get isOpen(): boolean {
    return isOpenAt(this.#chunk, this.#cell);
  }

  has(...keys: readonly string[]): boolean {
    return findValue(this.#chunk, this.#cell, ...keys) !== -1;
  }

  /** Returns the text under the first of the existing keys, if it is a scalar. */
  text(...keys: readonly string[]): string | undefined {
    return findText(this.#chunk, this.#cell, ...keys);
  }
}
