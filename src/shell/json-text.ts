import { getLocation, type Node, parseTree } from 'jsonc-parser';

/** A path into a JSON value: field names and indices. */
export type JsonPath = readonly (string | number)[];

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A cursor position in a JSON text. */
export interface JsonPosition {
  /** The path of the value at the position, existing or not; in a field name, the path of the object. */
  readonly path: JsonPath;
  /** The range between the quotes of the string that contains the position. */
  readonly inside: TextRange | undefined;
  readonly isName: boolean;
}

/** Returns the position of an offset, even in an incomplete text. */
export function jsonPositionAt(text: string, offset: number): JsonPosition {
  const { path, isAtPropertyKey, previousNode: token } = getLocation(text, offset);
  // After an empty object the library still expects a name, whatever surrounds the object.
  const isName = isAtPropertyKey && (path.at(-1) === '' || token?.type === 'property');
  const isInside =
    token && text[token.offset] === '"' && token.offset < offset && offset <= betweenQuotes(text, token).end;
  return {
    path: isName ? path.slice(0, -1) : path,
    inside: isInside ? betweenQuotes(text, token) : undefined,
    isName,
  };
}

/** A string in a text: a value or a field name. */
export interface TextString {
  /** The path of the value; of a field name, the path of the object. */
  readonly path: JsonPath;
  readonly isName: boolean;
  /** The range between the quotes. */
  readonly range: TextRange;
}

/** Returns all terminated strings of the text, in order. */
export function strings(text: string): readonly TextString[] {
  return nodesOf(parseTree(text)).flatMap(({ node, path, isName }) =>
    node.type === 'string' && isFinished(text, node) ? [{ path, isName, range: betweenQuotes(text, node) }] : [],
  );
}

/** Returns the range of every value in the text, by `keyOf` of its path. */
export function valueRanges(text: string): ReadonlyMap<string, TextRange> {
  const values = nodesOf(parseTree(text)).filter(({ isName }) => !isName);
  return new Map(values.map(({ node, path }) => [keyOf(path), rangeOfNode(text, node)]));
}

/** Returns the range of a value, or else of the nearest enclosing one. */
export function rangeOf(ranges: ReadonlyMap<string, TextRange>, path: JsonPath): TextRange {
  for (let length = path.length; length >= 0; length -= 1) {
    const range = ranges.get(keyOf(path.slice(0, length)));
    if (range) return range;
  }
  return { start: 0, end: 0 };
}

export const keyOf = (path: JsonPath): string => JSON.stringify(path);

/**
 * Returns the range of a field's name, or of an item of a list (`'0'`). For a missing field it returns the nearest enclosing
 * field, and for none the beginning of the document.
 */
export function fieldRange(text: string, path: readonly string[]): TextRange {
  let found: TextRange = { start: 0, end: Math.min(1, text.length) };
  let container = parseTree(text);
  for (const step of path) {
    const { children = [], type } = container ?? {};
    const item: Node | undefined = children[Number(step)];
    const property = children.findLast(({ children: [name] = [] }) => name?.value === step);
    const [shown, value] = type === 'array' ? [item, item] : (property?.children ?? []);
    if (!shown) break;
    const { start, end } = rangeOfNode(text, shown);
    // For an item that contains others, only its beginning.
    found = { start, end: shown.children ? start + 1 : end };
    container = value;
  }
  return found;
}

interface NodeAtPath {
  readonly node: Node;
  readonly path: JsonPath;
  readonly isName: boolean;
}

/** Returns every value and every field name inside a value, in the order of the text. */
function nodesOf(node: Node | undefined, path: JsonPath = []): readonly NodeAtPath[] {
  if (!node) return [];
  const inside = (node.children ?? []).flatMap((child, at) => {
    if (node.type === 'array') return nodesOf(child, [...path, at]);
    const [name, value] = child.children ?? [];
    return name ? [{ node: name, path, isName: true }, ...nodesOf(value, [...path, String(name.value)])] : [];
  });
  return [{ node, path, isName: false }, ...inside];
}

type Token = Pick<Node, 'offset' | 'length'>;

/** Returns the range of a node; an unclosed one extends to the end of the text. */
function rangeOfNode(text: string, { offset, length }: Token): TextRange {
  return { start: offset, end: length < 0 ? text.length : offset + length };
}

function isFinished(text: string, { offset, length }: Token): boolean {
  return /^"(?:[^"\\\n]|\\.)*"$/.test(text.slice(offset, offset + length));
}

function betweenQuotes(text: string, token: Token): TextRange {
  const end = token.offset + token.length;
  return { start: token.offset + 1, end: isFinished(text, token) ? end - 1 : end };
}
