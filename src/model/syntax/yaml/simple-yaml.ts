import { parseFlow } from './flow.ts';
import { CharCode, isBreak, isBreakOrSpace, NotSimple, ChunkScanner, Style } from './scanner.ts';
import { parseBlockScalar, parsePlain, parseQuoted } from './scalars.ts';
import { grow, Kind, type Tape } from '#model/syntax/tape.ts';
import type { TreeNode } from '#model/syntax/tree.ts';

/**
 * Parses the plain, well-formed YAML that models consist of: block and flow collections, all scalar styles, comments. Returns
 * undefined for anything else (anchors, tags, complex keys, tabs, every mistake), which `yaml` then parses. Whatever it accepts,
 * `yaml` accepts with the same names and ranges (verified by a property test).
 */
export function scanSimple(s: ChunkScanner, from: number, to: number): Tape | undefined {
  s.begin(from, to);
  try {
    parseBlock(s, -1);
    skipBlank(s);
    return s.at >= s.length ? s.tape() : undefined;
  } catch (error) {
    if (error instanceof NotSimple || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the tree of a text that `scanSimple` accepts; undefined for others. */
export function parseSimple(text: string): { readonly node: TreeNode | undefined } | undefined {
  const tape = scanSimple(new ChunkScanner(text), 0, text.length);
  return tape && { node: grow(tape, text).roots[0] };
}

/** Moves to the start of the next line that has content and returns its indentation, or -1 at the end. */
function skipBlank(s: ChunkScanner): number {
  if (s.at === s.lineAt) return s.lineIndent;
  while (s.at < s.length) {
    let at = s.at;
    while (s.codeAt(at) === CharCode.space) at++;
    const code = s.codeAt(at);
    if (code === CharCode.tab) throw new NotSimple();
    if (code !== CharCode.hash && !isBreak(code)) {
      if (at === s.at && isDocumentMark(s, at)) throw new NotSimple();
      s.lineAt = s.at;
      s.lineIndent = at - s.at;
      return s.lineIndent;
    }
    s.at = s.nextLine(at);
  }
  return -1;
}

/** Checks for `---` or `...`, which begin and end a document. */
function isDocumentMark(s: ChunkScanner, at: number): boolean {
  const isMark = s.text.startsWith('...', at) || s.text.startsWith('---', at);
  return isMark && isBreakOrSpace(s.codeAt(at + 3));
}

/** Parses the node on the following lines that are indented more than `parent`; returns its end, or -1 if there is none. */
function parseBlock(s: ChunkScanner, parent: number): number {
  const indent = skipBlank(s);
  if (indent <= parent) return -1;
  s.at += indent;
  return parseInline(s, indent, parent);
}

/** Parses the node that starts here, at column `indent`; returns its end, as do all following functions. */
function parseInline(s: ChunkScanner, indent: number, parent: number): number {
  if (isDash(s, s.at)) return parseSeq(s, indent);
  const colon = keyEnd(s, s.at);
  return colon === -1 ? parseValue(s, parent) : parseMap(s, indent, colon);
}

function isDash(s: ChunkScanner, at: number): boolean {
  return s.codeAt(at) === CharCode.dash && isBreakOrSpace(s.codeAt(at + 1));
}

function parseSeq(s: ChunkScanner, indent: number): number {
  const cell = s.open(Kind.seq, false, s.at);
  let end = s.at + 1;
  while (isDash(s, s.at)) {
    end = s.at + 1;
    s.at++;
    const spaces = s.at;
    s.skipSpaces();
    if (s.peek() === CharCode.tab) throw new NotSimple();
    let itemEnd: number;
    if (isBreak(s.peek()) || (s.peek() === CharCode.hash && s.at > spaces)) {
      s.at = s.nextLine(s.at);
      itemEnd = parseBlock(s, indent);
    } else itemEnd = parseInline(s, indent + 1 + (s.at - spaces), indent);
    if (itemEnd === -1) s.none(end);
    else end = itemEnd;
    const next = skipBlank(s);
    if (next > indent) throw new NotSimple();
    if (next < indent) break;
    if (!isDash(s, s.at + next)) break;
    s.at += next;
  }
  return s.close(cell, end);
}

function parseMap(s: ChunkScanner, indent: number, firstColon: number): number {
  const cell = s.open(Kind.map, false, s.at);
  let end = s.at;
  for (let colon = firstColon; ;) {
    end = parsePair(s, indent, colon);
    const next = skipBlank(s);
    if (next > indent) throw new NotSimple();
    if (next < indent) break;
    s.at += next;
    colon = keyEnd(s, s.at);
    if (colon === -1 || isDash(s, s.at)) throw new NotSimple();
  }
  return s.close(cell, end);
}

function parsePair(s: ChunkScanner, indent: number, colon: number): number {
  parseKey(s, colon);
  s.at++;
  const colonEnd = s.at;
  s.skipSpaces();
  const code = s.peek();
  if (code === CharCode.tab) throw new NotSimple();
  if (!isBreak(code) && code !== CharCode.hash) return parseValue(s, indent);
  s.at = s.nextLine(s.at);
  const next = skipBlank(s);
  if (next === indent && isDash(s, s.at + next)) {
    s.at += next;
    return parseSeq(s, indent);
  }
  const end = next <= indent ? -1 : parseBlock(s, indent);
  if (end !== -1) return end;
  s.none(colonEnd);
  return colonEnd;
}

/** Parses a key at the scanner; moves to its colon. */
function parseKey(s: ChunkScanner, colon: number): void {
  const start = s.at;
  if (s.peek() === CharCode.quote || s.peek() === CharCode.apostrophe) {
    parseQuoted(s, Number.MAX_SAFE_INTEGER, true);
    s.skipSpaces();
    return;
  }
  let end = colon;
  while (end > start && s.text.charCodeAt(end - 1) === CharCode.space) end--;
  if (s.codeAt(end - 1) === CharCode.tab) throw new NotSimple();
  // A merge key adds other keys.
  if (end - start === 2 && s.text.startsWith('<<', start)) throw new NotSimple();
  s.at = colon;
  s.key(Style.plain, start, end, start, end);
}

/** Returns the offset of the colon of a key that starts at `from`; -1 if no key starts there. */
function keyEnd(s: ChunkScanner, from: number): number {
  const first = s.codeAt(from);
  if (first === CharCode.quote || first === CharCode.apostrophe) return quotedKeyEnd(s, from, first);
  if (first === CharCode.openBrace || first === CharCode.openBracket) return -1;
  const end = s.lineEnd(from);
  let colon = s.nextColon(from);
  while (colon < end && !isBreakOrSpace(s.codeAt(colon + 1))) colon = s.nextColon(colon + 1);
  if (colon >= end) return -1;
  for (let at = s.nextHash(from); at < colon; at = s.nextHash(at + 1))
    if (at > from && s.codeAt(at - 1) === CharCode.space) return -1;
  if (!isPlainStart(s, from)) throw new NotSimple();
  return colon;
}

function quotedKeyEnd(s: ChunkScanner, from: number, quote: number): number {
  let at = quotedEnd(s, from, quote);
  if (at === -1) return -1;
  while (s.codeAt(at) === CharCode.space) at++;
  return s.codeAt(at) === CharCode.colon && isBreakOrSpace(s.codeAt(at + 1)) ? at : -1;
}

function quotedEnd(s: ChunkScanner, from: number, quote: number): number {
  for (let at = from + 1; ; at++) {
    const code = s.codeAt(at);
    if (isBreak(code)) return -1;
    if (code === CharCode.backslash && quote === CharCode.quote) at++;
    else if (code === quote) {
      if (quote === CharCode.quote || s.codeAt(at + 1) !== quote) return at + 1;
      at++;
    }
  }
}

const NOT_PLAIN = new Set<number>([
  CharCode.bang,
  CharCode.quote,
  CharCode.hash,
  CharCode.percent,
  CharCode.amp,
  CharCode.apostrophe,
  CharCode.star,
  CharCode.comma,
  CharCode.greater,
  CharCode.at,
  CharCode.openBracket,
  CharCode.closeBracket,
  CharCode.backtick,
  CharCode.openBrace,
  CharCode.pipe,
  CharCode.closeBrace,
]);

function isPlainStart(s: ChunkScanner, at: number): boolean {
  const code = s.codeAt(at);
  if (code === CharCode.dash || code === CharCode.question || code === CharCode.colon)
    return !isBreakOrSpace(s.codeAt(at + 1));
  return !NOT_PLAIN.has(code);
}

/** Parses a value that starts on this line, a scalar or flow collection; moves to the next line. */
function parseValue(s: ChunkScanner, indent: number): number {
  const code = s.peek();
  if (code === CharCode.pipe || code === CharCode.greater) return parseBlockScalar(s, indent);
  let end: number;
  if (code === CharCode.quote || code === CharCode.apostrophe) end = parseQuoted(s, indent);
  else if (code === CharCode.openBrace || code === CharCode.openBracket) end = parseFlow(s, indent);
  else if (isPlainStart(s, s.at)) end = parsePlain(s, indent);
  else throw new NotSimple();
  endLine(s);
  return end;
}

function endLine(s: ChunkScanner): void {
  const end = s.at;
  s.skipSpaces();
  if (!isBreak(s.peek()) && !(s.peek() === CharCode.hash && s.at > end)) throw new NotSimple();
  s.at = s.nextLine(s.at);
}
