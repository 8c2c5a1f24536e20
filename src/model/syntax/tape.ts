import { decodeScalar } from './decode.ts';
import type { MapNode, Pair, ScalarNode, ScalarStyle, TreeNode } from './tree.ts';
import { wordOf, wordText } from './words.ts';

/**
 * A tree in one array of numbers, in the order of the text: it takes a tenth of the memory of objects, and the garbage collector
 * need not traverse it. A node takes four cells: kind, start, end, and `extra`: for a collection the cell after its last
 * descendant; for a scalar 0 (decode the text), a word's number, or -1 - n for `strings[n]`. A map's children are alternating
 * keys and values; a missing value or item is `Kind.none`, and its end is where it would be.
 */
export interface Tape {
  readonly cells: Int32Array;
  readonly strings: readonly string[];
}

/** Cells per node. */
export const STRIDE = 4;
export const Kind = { none: 0, scalar: 1, map: 2, seq: 3, opaque: 4 } as const;
const KIND_MASK = 7;
export const STYLE_SHIFT = 3;
export const FLOW = 64;
const OPEN = 128;
/** Bits of a scalar's head by style. */
const STYLES: readonly ScalarStyle[] = ['plain', 'single', 'double', 'block', 'template', 'code'];

/** Returns the kind of a node, one of `Kind`. */
export function kindOf({ cells }: Tape, at: number): number {
  return (cells[at] ?? 0) & KIND_MASK;
}

/** Returns the offset of the first character in the text. */
export function startOf({ cells }: Tape, at: number): number {
  return cells[at + 1] ?? 0;
}

/** Returns the offset after the last character. */
export function endOf({ cells }: Tape, at: number): number {
  return cells[at + 2] ?? 0;
}

/** Returns the cell after a node and its descendants. */
export function nextOf({ cells }: Tape, at: number): number {
  const kind = (cells[at] ?? 0) & KIND_MASK;
  return kind === Kind.map || kind === Kind.seq ? (cells[at + 3] ?? at + STRIDE) : at + STRIDE;
}

/** Checks whether something in a collection is unknown until it runs: keys or items may be missing or extra. */
export function isOpen({ cells }: Tape, at: number): boolean {
  return ((cells[at] ?? 0) & OPEN) !== 0;
}

/** Returns how the scalar at a cell is written: plain, quoted, as a block. */
export function styleOf({ cells }: Tape, at: number): ScalarStyle {
  return STYLES[((cells[at] ?? 0) >> STYLE_SHIFT) & KIND_MASK] ?? 'plain';
}

/** Returns the decoded text of a scalar. */
export function valueOf(tape: Tape, text: string, at: number): string {
  const extra = tape.cells[at + 3] ?? 0;
  if (extra > 0) return wordText(extra);
  if (extra < 0) return tape.strings[-1 - extra] ?? '';
  return decodeScalar(text, startOf(tape, at), endOf(tape, at), styleOf(tape, at));
}

/** Returns a scalar as a node of the tree. */
export function scalarIn(tape: Tape, text: string, at: number): ScalarNode {
  return {
    kind: 'scalar',
    start: startOf(tape, at),
    end: endOf(tape, at),
    style: styleOf(tape, at),
    value: valueOf(tape, text, at),
  };
}

/** The nodes of a tape, and its maps by their cells. */
export interface Grown {
  readonly roots: readonly (TreeNode | undefined)[];
  readonly maps: ReadonlyMap<number, MapNode>;
}

/** Creates the nodes of a tape. */
export function grow(tape: Tape, text: string): Grown {
  const grower = new Grower(tape, text);
  const roots: (TreeNode | undefined)[] = [];
  for (let at = 0; at < tape.cells.length; at = nextOf(tape, at)) roots.push(grower.node(at));
  return { roots, maps: grower.maps };
}

class Grower {
  readonly maps = new Map<number, MapNode>();
  readonly #tape: Tape;
  readonly #text: string;

  constructor(tape: Tape, text: string) {
    this.#tape = tape;
    this.#text = text;
  }

  node(at: number): TreeNode | undefined {
    const tape = this.#tape;
    switch (kindOf(tape, at)) {
      case Kind.scalar:
        return scalarIn(tape, this.#text, at);
      case Kind.map:
        return this.#map(at);
      case Kind.seq: {
        const items: (TreeNode | undefined)[] = [];
        const after = nextOf(tape, at);
        for (let item = at + STRIDE; item < after; item = nextOf(tape, item)) items.push(this.node(item));
        return {
          kind: 'seq',
          start: startOf(tape, at),
          end: endOf(tape, at),
          flow: this.#isFlow(at),
          items,
          open: isOpen(tape, at),
        };
      }
      case Kind.opaque:
        return { kind: 'opaque', start: startOf(tape, at), end: endOf(tape, at) };
      default:
        return undefined;
    }
  }

  #map(at: number): MapNode {
    const tape = this.#tape;
    const pairs: Pair[] = [];
    const after = nextOf(tape, at);
    for (let key = at + STRIDE; key < after;) {
      const value = key + STRIDE;
      pairs.push({ key: scalarIn(tape, this.#text, key), value: this.node(value), end: endOf(tape, value) });
      key = nextOf(tape, value);
    }
    const map: MapNode = {
      kind: 'map',
      start: startOf(tape, at),
      end: endOf(tape, at),
      flow: this.#isFlow(at),
      pairs,
      open: isOpen(tape, at),
    };
    this.maps.set(at, map);
    return map;
  }

  #isFlow(at: number): boolean {
    return ((this.#tape.cells[at] ?? 0) & FLOW) !== 0;
  }
}

/** Writes trees to a tape; returns the cells of the roots and of all maps. */
export function encode(roots: readonly (TreeNode | undefined)[]): {
  readonly tape: Tape;
  readonly cellOf: ReadonlyMap<TreeNode, number>;
} {
  const cells: number[] = [];
  const strings: string[] = [];
  const cellOf = new Map<TreeNode, number>();
  const put = (node: TreeNode | undefined, end: number, isKey: boolean): void => {
    const at = cells.length;
    if (!node) {
      cells.push(Kind.none, end, end, 0);
      return;
    }
    if (node.kind === 'scalar') {
      const word = isKey ? wordOf(node.value) : 0;
      cells.push(
        Kind.scalar | (STYLES.indexOf(node.style) << STYLE_SHIFT),
        node.start,
        node.end,
        word || -strings.push(node.value),
      );
    } else if (node.kind === 'opaque') cells.push(Kind.opaque, node.start, node.end, 0);
    else {
      const kind = node.kind === 'map' ? Kind.map : Kind.seq;
      cells.push(kind | (node.flow ? FLOW : 0) | (node.open ? OPEN : 0), node.start, node.end, 0);
      if (node.kind === 'map') {
        cellOf.set(node, at);
        for (const pair of node.pairs) {
          put(pair.key, pair.key.end, true);
          put(pair.value, pair.end, false);
        }
      } else for (const item of node.items) put(item, node.start, false);
      cells[at + 3] = cells.length;
    }
  };
  for (const root of roots) {
    if (root) cellOf.set(root, cells.length);
    put(root, 0, false);
  }
  return { tape: { cells: Int32Array.from(cells), strings }, cellOf };
}
