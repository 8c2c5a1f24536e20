import { findText, findValue, type Part } from './part.ts';
import { isOpenAt } from './read.ts';
import { endOf, startOf } from './syntax/tape.ts';
import type { MapNode } from './syntax/tree.ts';

/** A mapping that is an entity of the model. Its facts come from the tape; its node is made when it is first used. */
export class Written {
  readonly #part: Part;
  readonly #cell: number;

  constructor(part: Part, cell: number) {
    this.#part = part;
    this.#cell = cell;
  }

  get node(): MapNode {
    return this.#part.mapAt(this.#cell);
  }

  get start(): number {
    return startOf(this.#part.tape, this.#cell);
  }

  get end(): number {
    return endOf(this.#part.tape, this.#cell);
  }

  /** It may have keys that are not written here (a spread, a merge). */
  get isOpen(): boolean {
    return isOpenAt(this.#part, this.#cell);
  }

  has(...keys: readonly string[]): boolean {
    return findValue(this.#part, this.#cell, ...keys) !== -1;
  }

  /** The text under the first of the keys that is there, when it is a scalar. */
  text(...keys: readonly string[]): string | undefined {
    return findText(this.#part, this.#cell, ...keys);
  }
}
