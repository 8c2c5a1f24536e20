import { Code, isBreak, isBreakOrSpace, NotSimple, type Scanner, Style } from './scanner.ts';
import { parseQuoted } from './scalars.ts';
import { Kind } from './tape.ts';

/** Parses a `{…}` or `[…]` at the scanner; moves after its end and returns it. Its lines must be indented more than `indent`. */
export function parseFlow(s: Scanner, indent: number): number {
  return s.peek() === Code.openBrace ? parseFlowMap(s, indent) : parseFlowSeq(s, indent);
}

function parseFlowSeq(s: Scanner, indent: number): number {
  const cell = s.open(Kind.seq, true, s.at++);
  for (;;) {
    skipSpace(s, indent);
    if (s.peek() === Code.closeBracket) break;
    parseFlowNode(s, indent, false);
    skipSpace(s, indent);
    // A single pair such as `[a: b]` is legal and rare.
    if (s.peek() === Code.comma) s.at++;
    else if (s.peek() !== Code.closeBracket) throw new NotSimple();
  }
  s.at++;
  return s.close(cell, s.at);
}

function parseFlowMap(s: Scanner, indent: number): number {
  const cell = s.open(Kind.map, true, s.at++);
  for (;;) {
    skipSpace(s, indent);
    if (s.peek() === Code.closeBrace) break;
    parseFlowPair(s, indent);
    skipSpace(s, indent);
    if (s.peek() === Code.comma) s.at++;
    else if (s.peek() !== Code.closeBrace) throw new NotSimple();
  }
  s.at++;
  return s.close(cell, s.at);
}

function parseFlowPair(s: Scanner, indent: number): void {
  const code = s.peek();
  // Collections as keys are rare; a merge key adds other keys.
  if (code === Code.openBrace || code === Code.openBracket || s.text.startsWith('<<', s.at)) throw new NotSimple();
  const isQuoted = code === Code.quote || code === Code.apostrophe;
  parseFlowNode(s, indent, true);
  skipSpace(s, indent);
  if (s.peek() !== Code.colon) throw new NotSimple();
  s.at++;
  const colonEnd = s.at;
  skipSpace(s, indent);
  const isEmpty = s.peek() === Code.comma || s.peek() === Code.closeBrace;
  if (!isEmpty && s.at === colonEnd && !isQuoted) throw new NotSimple();
  if (isEmpty) s.none(colonEnd);
  else parseFlowNode(s, indent, false);
}

function parseFlowNode(s: Scanner, indent: number, isKey: boolean): void {
  const code = s.peek();
  if (code === Code.openBrace || code === Code.openBracket) parseFlow(s, indent);
  else if (code === Code.quote || code === Code.apostrophe) parseQuoted(s, indent, isKey);
  else parseFlowPlain(s, isKey);
}

const INDICATORS = new Set<number>([
  Code.bang,
  Code.hash,
  Code.percent,
  Code.amp,
  Code.star,
  Code.greater,
  Code.at,
  Code.backtick,
  Code.pipe,
  Code.comma,
  Code.question,
  Code.colon,
  Code.dash,
]);

/** Parses one line only; an indicator at the start goes to the full parser unless it is a sign before a letter or digit. */
function parseFlowPlain(s: Scanner, isKey: boolean): void {
  const start = s.at;
  if (INDICATORS.has(s.peek()) && !isSign(s, start)) throw new NotSimple();
  let at = start;
  while (!endsPlain(s, at)) at++;
  if (s.codeAt(at) === Code.colon && !isKey) throw new NotSimple();
  let end = at;
  while (end > start && isBreakOrSpace(s.codeAt(end - 1))) end--;
  if (end === start) throw new NotSimple();
  s.at = at;
  // Text that continues on the next line is rare.
  if (isBreak(s.peek()) && !isKey && continues(s, at)) throw new NotSimple();
  if (isKey) s.key(Style.plain, start, end, start, end);
  else s.scalar(Style.plain, start, end);
}

function isSign(s: Scanner, at: number): boolean {
  return s.codeAt(at) === Code.dash && /[\w.]/.test(s.text[at + 1] ?? '');
}

function endsPlain(s: Scanner, at: number): boolean {
  const code = s.codeAt(at);
  if (isFlowIndicator(code) || isBreak(code)) return true;
  const next = s.codeAt(at + 1);
  if (code === Code.colon) return isBreakOrSpace(next) || isFlowIndicator(next);
  return code === Code.hash && isBreakOrSpace(s.codeAt(at - 1));
}

function isFlowIndicator(code: number): boolean {
  return (
    code === Code.comma ||
    code === Code.openBracket ||
    code === Code.closeBracket ||
    code === Code.openBrace ||
    code === Code.closeBrace
  );
}

function continues(s: Scanner, from: number): boolean {
  let at = from;
  while (at < s.length && isBreakOrSpace(s.codeAt(at))) at++;
  const code = s.codeAt(at);
  return code !== Code.comma && code !== Code.closeBracket && code !== Code.closeBrace && code !== Code.hash;
}

/** Skips spaces, line breaks and comments inside a flow collection. */
function skipSpace(s: Scanner, indent: number): void {
  for (;;) {
    while (s.peek() === Code.space) s.at++;
    const code = s.peek();
    if (code === -1 || code === Code.tab) throw new NotSimple();
    if (code === Code.hash && isBreakOrSpace(s.codeAt(s.at - 1))) s.at = s.lineEnd(s.at);
    else if (code === Code.cr || code === Code.newline) {
      s.at = s.nextLine(s.at);
      requireDeeper(s, indent);
    } else return;
  }
}

function requireDeeper(s: Scanner, indent: number): void {
  let at = s.at;
  while (s.codeAt(at) === Code.space) at++;
  const code = s.codeAt(at);
  if (!isBreak(code) && code !== Code.hash && at - s.at <= indent) throw new NotSimple();
}
