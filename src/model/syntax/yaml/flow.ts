import { CharCode, isBreak, isBreakOrSpace, NotSimple, type ChunkScanner, Style } from './scanner.ts';
import { parseQuoted } from './scalars.ts';
import { Kind } from '#model/syntax/tape.ts';

/** Parses a `{…}` or `[…]` at the scanner; moves after its end and returns it. Its lines must be indented more than `indent`. */
export function parseFlow(s: ChunkScanner, indent: number): number {
  return s.peek() === CharCode.openBrace ? parseFlowMap(s, indent) : parseFlowSeq(s, indent);
}

function parseFlowSeq(s: ChunkScanner, indent: number): number {
  const cell = s.open(Kind.seq, true, s.at++);
  for (;;) {
    skipSpace(s, indent);
    if (s.peek() === CharCode.closeBracket) break;
    parseFlowNode(s, indent, false);
    skipSpace(s, indent);
    // A single pair such as `[a: b]` is legal and rare.
    if (s.peek() === CharCode.comma) s.at++;
    else if (s.peek() !== CharCode.closeBracket) throw new NotSimple();
  }
  s.at++;
  return s.close(cell, s.at);
}

function parseFlowMap(s: ChunkScanner, indent: number): number {
  const cell = s.open(Kind.map, true, s.at++);
  for (;;) {
    skipSpace(s, indent);
    if (s.peek() === CharCode.closeBrace) break;
    parseFlowPair(s, indent);
    skipSpace(s, indent);
    if (s.peek() === CharCode.comma) s.at++;
    else if (s.peek() !== CharCode.closeBrace) throw new NotSimple();
  }
  s.at++;
  return s.close(cell, s.at);
}

function parseFlowPair(s: ChunkScanner, indent: number): void {
  const code = s.peek();
  // Collections as keys are rare; a merge key adds other keys.
  if (code === CharCode.openBrace || code === CharCode.openBracket || s.text.startsWith('<<', s.at))
    throw new NotSimple();
  const isQuoted = code === CharCode.quote || code === CharCode.apostrophe;
  parseFlowNode(s, indent, true);
  skipSpace(s, indent);
  if (s.peek() !== CharCode.colon) throw new NotSimple();
  s.at++;
  const colonEnd = s.at;
  skipSpace(s, indent);
  const isEmpty = s.peek() === CharCode.comma || s.peek() === CharCode.closeBrace;
  if (!isEmpty && s.at === colonEnd && !isQuoted) throw new NotSimple();
  if (isEmpty) s.none(colonEnd);
  else parseFlowNode(s, indent, false);
}

function parseFlowNode(s: ChunkScanner, indent: number, isKey: boolean): void {
  const code = s.peek();
  if (code === CharCode.openBrace || code === CharCode.openBracket) parseFlow(s, indent);
  else if (code === CharCode.quote || code === CharCode.apostrophe) parseQuoted(s, indent, isKey);
  else parseFlowPlain(s, isKey);
}

const INDICATORS = new Set<number>([
  CharCode.bang,
  CharCode.hash,
  CharCode.percent,
  CharCode.amp,
  CharCode.star,
  CharCode.greater,
  CharCode.at,
  CharCode.backtick,
  CharCode.pipe,
  CharCode.comma,
  CharCode.question,
  CharCode.colon,
  CharCode.dash,
]);

/** Parses one line only; an indicator at the start goes to the full parser unless it is a sign before a letter or digit. */
function parseFlowPlain(s: ChunkScanner, isKey: boolean): void {
  const start = s.at;
  if (INDICATORS.has(s.peek()) && !isSign(s, start)) throw new NotSimple();
  let at = start;
  while (!endsPlain(s, at)) at++;
  if (s.codeAt(at) === CharCode.colon && !isKey) throw new NotSimple();
  let end = at;
  while (end > start && isBreakOrSpace(s.codeAt(end - 1))) end--;
  if (end === start) throw new NotSimple();
  s.at = at;
  // Text that continues on the next line is rare.
  if (isBreak(s.peek()) && !isKey && continues(s, at)) throw new NotSimple();
  if (isKey) s.key(Style.plain, start, end, start, end);
  else s.scalar(Style.plain, start, end);
}

function isSign(s: ChunkScanner, at: number): boolean {
  return s.codeAt(at) === CharCode.dash && /[\w.]/.test(s.text[at + 1] ?? '');
}

function endsPlain(s: ChunkScanner, at: number): boolean {
  const code = s.codeAt(at);
  if (isFlowIndicator(code) || isBreak(code)) return true;
  const next = s.codeAt(at + 1);
  if (code === CharCode.colon) return isBreakOrSpace(next) || isFlowIndicator(next);
  return code === CharCode.hash && isBreakOrSpace(s.codeAt(at - 1));
}

function isFlowIndicator(code: number): boolean {
  return (
    code === CharCode.comma ||
    code === CharCode.openBracket ||
    code === CharCode.closeBracket ||
    code === CharCode.openBrace ||
    code === CharCode.closeBrace
  );
}

function continues(s: ChunkScanner, from: number): boolean {
  let at = from;
  while (at < s.length && isBreakOrSpace(s.codeAt(at))) at++;
  const code = s.codeAt(at);
  return (
    code !== CharCode.comma && code !== CharCode.closeBracket && code !== CharCode.closeBrace && code !== CharCode.hash
  );
}

/** Skips spaces, line breaks and comments inside a flow collection. */
function skipSpace(s: ChunkScanner, indent: number): void {
  for (;;) {
    while (s.peek() === CharCode.space) s.at++;
    const code = s.peek();
    if (code === -1 || code === CharCode.tab) throw new NotSimple();
    if (code === CharCode.hash && isBreakOrSpace(s.codeAt(s.at - 1))) s.at = s.lineEnd(s.at);
    else if (code === CharCode.cr || code === CharCode.newline) {
      s.at = s.nextLine(s.at);
      requireDeeper(s, indent);
    } else return;
  }
}

function requireDeeper(s: ChunkScanner, indent: number): void {
  let at = s.at;
  while (s.codeAt(at) === CharCode.space) at++;
  const code = s.codeAt(at);
  if (!isBreak(code) && code !== CharCode.hash && at - s.at <= indent) throw new NotSimple();
}
