import { Code, isBreak, isBreakOrSpace, Scanner } from './scanner.ts';
import { parseFlow } from './flow.ts';
import { NotSimple, parseBlockScalar, parsePlain, parseQuoted } from './scalars.ts';
import type { MapNode, Pair, ScalarNode, SeqNode, TreeNode } from './tree.ts';

/**
 * Parses the plain, well-formed YAML that models are made of: block and flow collections, all scalar styles, comments.
 * Returns undefined for anything else (anchors, tags, complex keys, tabs, every mistake): `yaml` then takes over.
 * Whatever it accepts, `yaml` accepts with the same names and ranges (a property test holds this).
 */
export function parseFast(text: string): { readonly node: TreeNode | undefined } | undefined {
  const scanner = new Scanner(text);
  try {
    const node = parseBlock(scanner, -1);
    skipBlank(scanner);
    return scanner.at >= scanner.length ? { node } : undefined;
  } catch (error) {
    if (error instanceof NotSimple || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Moves to the start of the next line that has content and returns its indentation, or -1 at the end. */
function skipBlank(s: Scanner): number {
  while (s.at < s.length) {
    let at = s.at;
    while (s.codeAt(at) === Code.space) at++;
    const code = s.codeAt(at);
    if (code === Code.tab) throw new NotSimple();
    if (code === Code.hash || isBreak(code)) s.at = s.nextLine(at);
    else return at - s.at;
  }
  return -1;
}

/** The node on the lines from the scanner on that stand deeper than `parent`; undefined where there is none. */
function parseBlock(s: Scanner, parent: number): TreeNode | undefined {
  const indent = skipBlank(s);
  if (indent <= parent) return undefined;
  s.at += indent;
  return parseInline(s, indent, parent);
}

/** The node that starts here, at column `indent`. */
function parseInline(s: Scanner, indent: number, parent: number): TreeNode {
  if (isDash(s, s.at)) return parseSeq(s, indent);
  const colon = keyEnd(s, s.at);
  return colon === -1 ? parseValue(s, parent) : parseMap(s, indent, colon);
}

function isDash(s: Scanner, at: number): boolean {
  return s.codeAt(at) === Code.dash && isBreakOrSpace(s.codeAt(at + 1));
}

function parseSeq(s: Scanner, indent: number): SeqNode {
  const start = s.at;
  const items: (TreeNode | undefined)[] = [];
  let end = start + 1;
  while (isDash(s, s.at)) {
    end = s.at + 1;
    s.at++;
    const spaces = s.at;
    s.skipSpaces();
    if (s.peek() === Code.tab) throw new NotSimple();
    let item: TreeNode | undefined;
    if (isBreak(s.peek()) || (s.peek() === Code.hash && s.at > spaces)) {
      s.at = s.nextLine(s.at);
      item = parseBlock(s, indent);
    } else item = parseInline(s, indent + 1 + (s.at - spaces), indent);
    items.push(item);
    if (item) end = item.end;
    const next = skipBlank(s);
    if (next > indent) throw new NotSimple();
    if (next < indent) break;
    s.at += next;
    if (!isDash(s, s.at)) {
      s.at -= next;
      break;
    }
  }
  return { kind: 'seq', start, end, flow: false, items, open: false };
}

function parseMap(s: Scanner, indent: number, firstColon: number): MapNode {
  const start = s.at;
  const pairs: Pair[] = [];
  let end = start;
  for (let colon = firstColon; ;) {
    const pair = parsePair(s, indent, colon);
    pairs.push(pair);
    end = pair.end;
    const next = skipBlank(s);
    if (next > indent) throw new NotSimple();
    if (next < indent) break;
    s.at += next;
    colon = keyEnd(s, s.at);
    if (colon === -1 || isDash(s, s.at)) throw new NotSimple();
  }
  return { kind: 'map', start, end, flow: false, pairs, open: false };
}

function parsePair(s: Scanner, indent: number, colon: number): Pair {
  const key = parseKey(s, colon);
  // Behind the colon.
  s.at++;
  const colonEnd = s.at;
  s.skipSpaces();
  if (s.peek() === Code.tab) throw new NotSimple();
  if (!isBreak(s.peek()) && s.peek() !== Code.hash) {
    const value = parseValue(s, indent);
    return { key, value, end: value.end };
  }
  s.at = s.nextLine(s.at);
  const lineStart = s.at;
  const next = skipBlank(s);
  if (next === indent && isDash(s, s.at + next)) {
    s.at += next;
    const value = parseSeq(s, indent);
    return { key, value, end: value.end };
  }
  if (next <= indent) return { key, value: undefined, end: colonEnd };
  s.at = lineStart;
  const value = parseBlock(s, indent);
  return { key, value, end: value?.end ?? colonEnd };
}

/** A key at the scanner; moves to its colon. */
function parseKey(s: Scanner, colon: number): ScalarNode {
  const start = s.at;
  if (s.peek() === Code.quote || s.peek() === Code.apostrophe) {
    const key = parseQuoted(s, Number.MAX_SAFE_INTEGER);
    s.skipSpaces();
    return key;
  }
  let end = colon;
  while (end > start && s.text.charCodeAt(end - 1) === Code.space) end--;
  s.at = colon;
  return { kind: 'scalar', start, end, style: 'plain', value: intern(s.text.slice(start, end)) };
}

const interned = new Map<string, string>();

/** One string for each of the few keys that fill models; a bound keeps odd files from filling the memory. */
function intern(key: string): string {
  const known = interned.get(key);
  if (known !== undefined) return known;
  if (interned.size < 2000) interned.set(key, key);
  return key;
}

/** Where the colon of a key that starts at `from` stands; -1 when no key starts there. */
function keyEnd(s: Scanner, from: number): number {
  const first = s.codeAt(from);
  if (first === Code.quote || first === Code.apostrophe) return quotedKeyEnd(s, from, first);
  if (first === Code.openBrace || first === Code.openBracket) return -1;
  for (let at = from; ; at++) {
    const code = s.codeAt(at);
    if (isBreak(code)) return -1;
    if (code === Code.hash && at > from && s.codeAt(at - 1) === Code.space) return -1;
    if (code !== Code.colon || !isBreakOrSpace(s.codeAt(at + 1))) continue;
    if (!isPlainStart(s, from)) throw new NotSimple();
    return at;
  }
}

function quotedKeyEnd(s: Scanner, from: number, quote: number): number {
  let at = quotedEnd(s, from, quote);
  if (at === -1) return -1;
  while (s.codeAt(at) === Code.space) at++;
  return s.codeAt(at) === Code.colon && isBreakOrSpace(s.codeAt(at + 1)) ? at : -1;
}

function quotedEnd(s: Scanner, from: number, quote: number): number {
  for (let at = from + 1; ; at++) {
    const code = s.codeAt(at);
    if (isBreak(code)) return -1;
    if (code === Code.backslash && quote === Code.quote) at++;
    else if (code === quote) {
      if (quote === Code.quote || s.codeAt(at + 1) !== quote) return at + 1;
      at++;
    }
  }
}

const NOT_PLAIN = new Set<number>([
  Code.bang,
  Code.quote,
  Code.hash,
  Code.percent,
  Code.amp,
  Code.apostrophe,
  Code.star,
  Code.comma,
  Code.greater,
  Code.at,
  Code.openBracket,
  Code.closeBracket,
  Code.backtick,
  Code.openBrace,
  Code.pipe,
  Code.closeBrace,
]);

function isPlainStart(s: Scanner, at: number): boolean {
  const code = s.codeAt(at);
  if (code === Code.dash || code === Code.question || code === Code.colon) return !isBreakOrSpace(s.codeAt(at + 1));
  return !NOT_PLAIN.has(code);
}

/** A value that starts on this line: scalar or flow collection; moves to the next line. */
function parseValue(s: Scanner, indent: number): TreeNode {
  const code = s.peek();
  if (code === Code.pipe || code === Code.greater) return parseBlockScalar(s, indent);
  let node: TreeNode;
  if (code === Code.quote || code === Code.apostrophe) node = parseQuoted(s, indent);
  else if (code === Code.openBrace || code === Code.openBracket) node = parseFlow(s, indent);
  else if (isPlainStart(s, s.at)) node = parsePlain(s, indent);
  else throw new NotSimple();
  endLine(s);
  return node;
}

function endLine(s: Scanner): void {
  const end = s.at;
  s.skipSpaces();
  if (!isBreak(s.peek()) && !(s.peek() === Code.hash && s.at > end)) throw new NotSimple();
  s.at = s.nextLine(s.at);
}
