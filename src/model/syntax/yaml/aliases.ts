import { append } from '#base/long-lists.ts';
import type { TextChange } from '#base/text-change.ts';
import {
  type Alias,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  type Pair,
  visit,
  type YAMLMap,
} from 'yaml';
import { isTolerated } from './full-yaml.ts';
import { scalarType } from '#model/syntax/tree.ts';

/** A stretch of an expanded text, which ends where the next one begins, and the range of the file that it comes from. */
interface Stretch {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** Whether its characters are those of the file; otherwise it is the value of an alias. */
  readonly isExact: boolean;
}

/** The text of a file without aliases. */
export interface ExpandedText {
  readonly text: string;
  readonly stretches: readonly Stretch[];
}

/** How many times its length a text may grow: aliases of aliases grow without bounds. */
export const MOST_GROWTH = 10;

/** A parsed text with the anchors and aliases in it. */
export interface AnchoredText {
  readonly text: string;
  readonly contents: Parameters<typeof visit>[0];
  /** The last node with each anchor. */
  readonly anchors: ReadonlyMap<string, unknown>;
  /** Each alias, with the node that it stands for: the last one above it with that anchor; undefined if that is not in the text. */
  readonly aliases: ReadonlyMap<Alias, unknown>;
}

/** What replaces the aliases of a text. */
export interface Expansion {
  readonly edits: readonly TextChange[];
  /** The aliases on which it depends, also those in the values of others, with the nodes that they stood for. */
  readonly used: ReadonlyMap<Alias, unknown>;
  /** The count of characters of all inserted values. */
  readonly size: number;
}

/** Parses a text to expand its aliases; returns undefined if it has errors. */
export function readAnchored(text: string): AnchoredText | undefined {
  const document = parseDocument(text, { prettyErrors: false, strict: false, uniqueKeys: false, merge: true });
  if (document.errors.some((error) => !isTolerated(error))) return undefined;
  const { contents } = document;
  const anchors = new Map<string, unknown>();
  const aliases = new Map<Alias, unknown>();
  visit(contents, {
    Node: (_, node) => {
      if (isAlias(node)) aliases.set(node, anchors.get(node.source));
      else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return { text, contents, anchors, aliases };
}

/**
 * Returns what replaces the aliases and merges of a text: the value of the anchor for an alias, and the pairs of the other mapping for
 * a `<<`. The values may lie in other texts. Returns undefined if a value contains itself, or if the values have more characters than
 * `most`.
 */
export function expansionOf(
  { text, contents }: AnchoredText,
  targetOf: (alias: Alias) => unknown,
  most: number,
): Expansion | undefined {
  const values = new Values(targetOf, most);
  const edits: TextChange[] = [];
  try {
    visit(contents, {
      Alias: (_, alias) => void edits.push({ ...trimmedRange(alias, text), text: values.inFlow(alias) }),
      Pair: (_, pair, path) => {
        if (!isMerge(pair)) return undefined;
        edits.push(withoutMerge(pair, path.at(-1), text, values));
        return visit.SKIP;
      },
    });
  } catch (error) {
    if (error instanceof NotExpandable) return undefined;
    throw error;
  }
  return { edits, used: values.used, size: values.size };
}

/** Thrown while a text is expanded that cannot be; never leaves this file. */
class NotExpandable extends Error {}

/** Writes values in flow style, which can stand anywhere. */
class Values {
  /** The aliases that were looked up, with what they stand for. */
  readonly used = new Map<Alias, unknown>();
  readonly #targetOf: (alias: Alias) => unknown;
  readonly #around = new Set<unknown>();
  readonly #most: number;
  #size = 0;

  constructor(targetOf: (alias: Alias) => unknown, most: number) {
    this.#targetOf = targetOf;
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  inFlow(node: unknown): string {
    if (isAlias(node)) return this.#within(node, () => this.inFlow(this.#target(node)));
    if (isScalar(node)) return this.#counted(scalarText(node));
    if (isSeq(node)) return `[${node.items.map((item) => this.inFlow(item)).join(', ')}]`;
    if (isMap(node)) return `{${this.pairsOf(node).join(', ')}}`;
    if (node === null) return 'null';
    throw new NotExpandable();
  }

  /** Returns the pairs of a mapping with those that it merges, except the given keys. */
  pairsOf(map: YAMLMap, except: readonly unknown[] = []): string[] {
    const taken = new Set(except);
    return [...this.#pairs(map)].flatMap(([key, pair]) => {
      if (taken.has(key)) return [];
      taken.add(key);
      return [`${this.inFlow(pair.key)}: ${this.inFlow(pair.value)}`];
    });
  }

  /** Returns the mappings that the value of a `<<` names. */
  merged(value: unknown): readonly YAMLMap[] {
    const node = isAlias(value) ? this.#target(value) : value;
    if (isMap(node)) return [node];
    if (isSeq(node) && node === value) return node.items.flatMap((item) => this.merged(item));
    throw new NotExpandable();
  }

  *#pairs(map: YAMLMap): Iterable<readonly [unknown, Pair]> {
    for (const pair of map.items) if (!isMerge(pair)) yield [keyOf(pair), pair];
    for (const pair of map.items)
      if (isMerge(pair))
        for (const other of this.merged(pair.value)) yield* this.#within(other, () => [...this.#pairs(other)]);
  }

  #within<T>(node: unknown, work: () => T): T {
    const entered = isAlias(node) ? this.#target(node) : node;
    if (this.#around.has(entered)) throw new NotExpandable();
    this.#around.add(entered);
    const result = work();
    this.#around.delete(entered);
    return result;
  }

  #target(alias: Alias): unknown {
    const target = this.#targetOf(alias);
    this.used.set(alias, target);
    return target;
  }

  #counted(text: string): string {
    this.#size += text.length;
    if (this.#size > this.#most) throw new NotExpandable();
    return text;
  }
}

/** Returns a scalar as it is written if it is not a text, and otherwise in quotes. */
function scalarText({
  value,
  source,
  type,
  tag,
}: {
  value: unknown;
  source?: string;
  type?: string;
  tag?: string;
}): string {
  if (tag !== undefined) throw new NotExpandable();
  const written = source ?? '';
  const isPlain = type === 'PLAIN' || type === undefined;
  const isText =
    !isPlain || scalarType({ kind: 'scalar', start: 0, end: 0, style: 'plain', value: written }) === 'string';
  return isText ? JSON.stringify(isPlain ? written : value) : written === '' ? 'null' : written;
}

function keyOf({ key }: Pair): unknown {
  return isScalar(key) ? (key.source ?? key.value) : key;
}

function isMerge(pair: unknown): pair is Pair {
  return isPair(pair) && isScalar(pair.key) && pair.key.source === '<<' && pair.key.type === 'PLAIN';
}

/** Returns the edit that replaces a `<<` by the pairs that it merges; without any, it merges an empty mapping instead. */
function withoutMerge(pair: Pair, map: unknown, text: string, values: Values): TextChange {
  if (!isMap(map)) throw new NotExpandable();
  const { start } = trimmedRange(pair.key, text);
  const { end } = trimmedRange(pair.value, text);
  const own = map.items.filter((item) => !isMerge(item)).map((item) => keyOf(item));
  const before = map.items.slice(0, map.items.indexOf(pair)).filter((item) => isMerge(item));
  const earlier = before.flatMap(({ value }) => values.merged(value)).flatMap(({ items }) => items.map(keyOf));
  const pairs: string[] = [];
  const taken = [...own, ...earlier];
  for (const other of values.merged(pair.value)) {
    append(pairs, values.pairsOf(other, taken));
    append(taken, other.items.map(keyOf));
  }
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  const between = map.flow === true ? ', ' : `\n${' '.repeat(column)}`;
  return { start, end, text: pairs.length === 0 ? '<<: {}' : pairs.join(between) };
}

/** Returns the range of a node in the text, without the space behind it. */
function trimmedRange(node: unknown, text: string): { readonly start: number; readonly end: number } {
  const range = isAlias(node) || isScalar(node) || isMap(node) || isSeq(node) ? node.range : undefined;
  if (!range) throw new NotExpandable();
  const [start, end] = range;
  return { start, end: start + text.slice(start, end).trimEnd().length };
}

/** Applies edits, in the order of the text, and notes where each stretch of the result comes from. */
export function withEdits(text: string, edits: readonly TextChange[]): ExpandedText {
  const stretches: Stretch[] = [];
  const pieces: string[] = [];
  let length = 0;
  let done = 0;
  const add = (piece: string, start: number, end: number, isExact: boolean): void => {
    stretches.push({ at: length, start, end, isExact });
    pieces.push(piece);
    length += piece.length;
  };
  for (const { start, end, text: value } of edits) {
    add(text.slice(done, start), done, start, true);
    add(value, start, end, false);
    done = end;
  }
  add(text.slice(done), done, text.length, true);
  return { text: pieces.join(''), stretches };
}
