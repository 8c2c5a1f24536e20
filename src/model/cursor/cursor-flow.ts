import { plainText } from './cursor-path.ts';
import { canonicalKey } from '#model/language/language.ts';
import type { ShapeName, Type } from '#model/language/types.ts';
import { itemType, shapeOf, typeOfKey } from './cursor-type.ts';

/** The position of a cursor inside `[…]` or `{…}`. */
export interface FlowCursor {
  readonly kind: 'key' | 'value';
  /**
   * The shape whose keys are expected here (`key`), or that holds the value; for an item of a list, that of the surrounding map.
   */
  readonly shape: ShapeName | undefined;
  /** The type of the value that is expected here (with `key`: instead of a key). */
  readonly type: Type | undefined;
  /** The key that holds the value, as the tables of `language` spell it. */
  readonly key: string | undefined;
  /** Keys that the map already has, with the text after each; undefined: a list or a map. */
  readonly siblings: ReadonlyMap<string, string | undefined>;
  /** Offset at which the word under the cursor starts. */
  readonly wordStart: number;
}

interface Level {
  readonly open: '[' | '{';
  readonly type: Type | undefined;
  readonly keys: Map<string, string | undefined>;
  key: string | undefined;
}

/** Follows brackets from the start of a flow collection to the cursor; returns undefined if it closed before. */
export function flowCursor(
  text: string,
  from: number,
  offset: number,
  outer: { readonly type: Type | undefined; readonly shape: ShapeName | undefined; readonly key: string | undefined },
): FlowCursor | undefined {
  const reader = new FlowReader(text, from, outer.type);
  for (let at = from; at < offset; at++) if (!reader.char(at)) return undefined;
  const top = reader.top;
  if (!top) return undefined;
  if (top.open === '{') readSiblingsBehind(text, offset, top.keys);
  const wordStart = Math.min(reader.wordStart(), offset);
  const shape = shapeOf(top.type);
  if (top.open === '[') {
    // A list belongs to the key of the map around it, which may be in the same collection.
    const inner = reader.around;
    const owner = inner?.open === '{' ? shapeOf(inner.type) : undefined;
    const holder = owner && inner?.key !== undefined ? { shape: owner, key: canonicalKey(owner, inner.key) } : outer;
    return { kind: 'value', shape: holder.shape, type: reader.type, key: holder.key, siblings: top.keys, wordStart };
  }
  if (top.key === undefined)
    return { kind: 'key', shape, type: undefined, key: outer.key, siblings: top.keys, wordStart };
  return {
    kind: 'value',
    shape,
    type: reader.type,
    key: shape && canonicalKey(shape, top.key),
    siblings: top.keys,
    wordStart,
  };
}

/** How far behind the cursor other keys of a map are read. */
const MOST_BEHIND = 1000;
/** A key with a value of one word or text. */
const PAIR_BEHIND = /,\s*["']?(\w+)["']?:\s+(?:"([^"\n]*)"|'([^'\n]*)'|([^\s,}[{"'][^,}\n]*))/g;

/** Adds the keys of the map behind the cursor, on its line, without those in collections. */
function readSiblingsBehind(text: string, offset: number, keys: Map<string, string | undefined>): void {
  const lineEnd = text.indexOf('\n', offset);
  const rest = text.slice(offset, Math.min(offset + MOST_BEHIND, lineEnd === -1 ? text.length : lineEnd));
  const end = rest.search(/(?<=[\s\w"'\]}])\}\s*(?:[,\]}]|$)/);
  for (const [, key = '', double, single, plain] of rest.slice(0, end === -1 ? undefined : end).matchAll(PAIR_BEHIND))
    if (!keys.has(key)) keys.set(key, (double ?? single ?? plain ?? '').trim());
}

class FlowReader {
  readonly #text: string;
  readonly #levels: Level[] = [];
  #word: number;
  #quote = '';
  /** The type expected at the current position. */
  type: Type | undefined;

  constructor(text: string, from: number, type: Type | undefined) {
    this.#text = text;
    this.#word = from;
    this.type = type;
  }

  get top(): Level | undefined {
    return this.#levels.at(-1);
  }

  /** The collection around the innermost one. */
  get around(): Level | undefined {
    return this.#levels.at(-2);
  }

  wordStart(): number {
    let at = this.#word;
    while (/[\s]/.test(this.#text[at] ?? '')) at++;
    return this.#text[at] === '"' || this.#text[at] === "'" ? at + 1 : at;
  }

  /** Processes the character at an offset; returns false if it closed the outermost bracket. */
  char(at: number): boolean {
    const char = this.#text[at] ?? '';
    if (this.#quote !== '' || this.#startsText(char, at)) {
      this.#quote = char === this.#quote ? '' : this.#quote || char;
    } else if (char === '[' || char === '{') this.#open(char, at);
    else if (char === ']' || char === '}') return this.#close(at);
    else if (char === ',') this.#next(at);
    else if (char === ':' && /\s/.test(this.#text[at + 1] ?? ' ')) this.#key(at);
    return true;
  }

  #startsText(char: string, at: number): boolean {
    return (char === '"' || char === "'") && this.#text.slice(this.#word, at).trim() === '';
  }

  #open(open: '[' | '{', at: number): void {
    this.#levels.push({ open, type: this.type, keys: new Map(), key: undefined });
    if (open === '[') this.type = itemType(this.type);
    this.#word = at + 1;
  }

  #close(at: number): boolean {
    this.#levels.pop();
    this.type = undefined;
    this.#word = at + 1;
    return this.#levels.length > 0;
  }

  #next(at: number): void {
    const { top } = this;
    if (!top) return;
    this.type = top.open === '[' ? itemType(top.type) : top.type;
    if (top.key !== undefined) top.keys.set(top.key, plainText(this.#text.slice(this.#word, at)));
    top.key = undefined;
    this.#word = at + 1;
  }

  #key(at: number): void {
    const { top } = this;
    if (top?.open !== '{' || top.key !== undefined) return;
    top.key = this.#text.slice(this.#word, at).trim().replaceAll(/["']/g, '');
    top.keys.set(top.key, undefined);
    this.type = typeOfKey(shapeOf(top.type), top.key);
    this.#word = at + 1;
  }
}
