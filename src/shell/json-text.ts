/** A step into a JSON value: a field or an index. */
export type JsonPath = readonly (string | number)[];

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where a user is in a JSON text. */
export interface JsonPlace {
  /** Of the value that is or would be there; of a field's name, the object's. */
  readonly path: JsonPath;
  /** What stands between the quotes of the string that the place is in. */
  readonly inside: TextRange | undefined;
  readonly isName: boolean;
}

/** The place of an offset, also in a text that is not finished. */
export function placeAt(text: string, offset: number): JsonPlace {
  const walk = new Walk();
  for (const token of tokens(text)) {
    if (token.start >= offset) break;
    if (token.kind === 'string' && offset < token.end + (token.isOpen ? 1 : 0)) {
      const inside = { start: token.start + 1, end: token.isOpen ? token.end : token.end - 1 };
      const isName = walk.awaitsName();
      return { path: isName ? walk.containerPath() : walk.path(), inside, isName };
    }
    walk.take(token, text);
  }
  const isName = walk.awaitsName();
  return { path: isName ? walk.containerPath() : walk.path(), inside: undefined, isName };
}

/** A string of a text: a value or a field's name. */
export interface TextString {
  /** Of the value; of a field's name, the object's. */
  readonly path: JsonPath;
  readonly isName: boolean;
  /** Between the quotes. */
  readonly range: TextRange;
}

/** Every finished string of the text, in its order. */
export function strings(text: string): readonly TextString[] {
  const found: TextString[] = [];
  const walk = new Walk();
  for (const token of tokens(text)) {
    if (token.kind === 'string' && !token.isOpen) {
      const isName = walk.awaitsName();
      const range = { start: token.start + 1, end: token.end - 1 };
      found.push({ path: isName ? walk.containerPath() : walk.path(), isName, range });
    }
    walk.take(token, text);
  }
  return found;
}

/** Where every value of the text is, by `keyOf` of its path. */
export function valueRanges(text: string): ReadonlyMap<string, TextRange> {
  const ranges = new Map<string, TextRange>();
  const opened: { readonly key: string; readonly start: number }[] = [];
  const walk = new Walk();
  for (const token of tokens(text)) {
    if (token.kind === 'close') {
      const value = opened.pop();
      if (value) ranges.set(value.key, { start: value.start, end: token.end });
    } else if (token.kind === 'open') {
      opened.push({ key: keyOf(walk.path()), start: token.start });
    } else if (isValue(token) && !walk.awaitsName()) {
      ranges.set(keyOf(walk.path()), { start: token.start, end: token.end });
    }
    walk.take(token, text);
  }
  for (const { key, start } of opened) ranges.set(key, { start, end: text.length });
  return ranges;
}

/** The range of a value, else of the nearest one around it. */
export function rangeOf(ranges: ReadonlyMap<string, TextRange>, path: JsonPath): TextRange {
  for (let length = path.length; length >= 0; length -= 1) {
    const range = ranges.get(keyOf(path.slice(0, length)));
    if (range) return range;
  }
  return { start: 0, end: 0 };
}

export const keyOf = (path: JsonPath): string => JSON.stringify(path);

interface Token extends TextRange {
  readonly kind: 'open' | 'close' | 'comma' | 'colon' | 'string' | 'word';
  readonly mark: string;
  /** A string without its closing quote. */
  readonly isOpen: boolean;
}

const isValue = ({ kind }: Token): boolean => kind === 'string' || kind === 'word';

// Comments, strings (a line break ends one that is not closed), marks, and everything else as words.
const pattern = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*(?:"|\\?(?=\n|$))|[{}[\],:]|[^\s{}[\],:"/]+|\//g;
const marks: Readonly<Record<string, Token['kind']>> = {
  '{': 'open',
  '[': 'open',
  '}': 'close',
  ']': 'close',
  ',': 'comma',
  ':': 'colon',
};

function* tokens(text: string): Generator<Token> {
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (found.startsWith('//') || found.startsWith('/*')) continue;
    const isString = found.startsWith('"');
    const kind = isString ? 'string' : (marks[found] ?? 'word');
    const isOpen = isString && !/^"(?:[^"\\\n]|\\.)*"$/.test(found);
    yield { kind, mark: found, start: index, end: index + found.length, isOpen };
  }
}

/** Follows tokens through containers. */
class Walk {
  readonly #containers: { readonly isList: boolean; step: string | number; named: boolean }[] = [];

  /** Whether a string now would be a field's name. */
  awaitsName(): boolean {
    const container = this.#containers.at(-1);
    return container !== undefined && !container.isList && !container.named;
  }

  path(): JsonPath {
    return this.#containers.map(({ step }) => step);
  }

  containerPath(): JsonPath {
    return this.path().slice(0, -1);
  }

  take({ kind, mark, start, end }: Token, text: string): void {
    const container = this.#containers.at(-1);
    if (kind === 'open') this.#containers.push({ isList: mark === '[', step: mark === '[' ? 0 : '', named: false });
    else if (kind === 'close') this.#containers.pop();
    else if (!container) return;
    else if (kind === 'comma') {
      container.named = false;
      container.step = typeof container.step === 'number' ? container.step + 1 : '';
    } else if (kind === 'colon') container.named = true;
    else if (kind === 'string' && this.awaitsName()) container.step = unquoted(text.slice(start, end));
  }
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, text.endsWith('"') ? -1 : undefined);
  }
}
