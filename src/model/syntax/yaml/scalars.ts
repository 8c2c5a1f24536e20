import { unescape, UnknownEscape } from '#model/syntax/decode.ts';
import { CharCode, isBreak, isBreakOrSpace, NotSimple, type ChunkScanner, Style } from './scanner.ts';

/**
 * Parses a quoted scalar at the scanner; moves after the closing quote and returns that offset. Continuation lines must be
 * indented more than `indent`.
 */
export function parseQuoted(s: ChunkScanner, indent: number, isKey = false): number {
  const start = s.at;
  const isDouble = s.peek() === CharCode.quote;
  const close = isDouble ? s.nextQuote(start + 1) : s.nextApostrophe(start + 1);
  const isSimple =
    close < s.lineEnd(start) &&
    (isDouble ? s.nextBackslash(start) > close : s.codeAt(close + 1) !== CharCode.apostrophe);
  const style = isDouble ? Style.double : Style.single;
  if (!isSimple) return s.scalar(style, start, skipQuoted(s, indent));
  s.at = close + 1;
  return isKey ? s.key(style, start, s.at, start + 1, close) : s.scalar(style, start, s.at);
}

/** Moves after a quoted scalar with escapes or several lines. */
function skipQuoted(s: ChunkScanner, indent: number): number {
  const start = s.at;
  const quote = s.peek();
  const isDouble = quote === CharCode.quote;
  let at = start + 1;
  let lines = false;
  for (; ; at++) {
    const code = s.codeAt(at);
    if (code === -1) throw new NotSimple();
    if (code === quote) {
      if (isDouble || s.codeAt(at + 1) !== quote) break;
      at++;
    } else if (code === CharCode.backslash && isDouble) at++;
    else if (code === CharCode.newline) {
      lines = true;
      requireDeeper(s, at + 1, indent);
    }
  }
  // Escapes and folding are rare: the full parser handles the details.
  const raw = s.text.slice(start + 1, at);
  if (isDouble && raw.includes('\\')) requireKnownEscapes(raw, lines);
  s.at = at + 1;
  return s.at;
}

function requireKnownEscapes(raw: string, lines: boolean): void {
  if (lines) throw new NotSimple();
  try {
    unescape(raw);
  } catch (error) {
    if (error instanceof UnknownEscape) throw new NotSimple();
    throw error;
  }
}

function requireDeeper(s: ChunkScanner, lineStart: number, indent: number): void {
  let at = lineStart;
  while (s.codeAt(at) === CharCode.space) at++;
  const code = s.codeAt(at);
  if (code === CharCode.tab) throw new NotSimple();
  if (!isBreak(code) && at - lineStart <= indent) throw new NotSimple();
}

/** Parses a plain scalar in block context at the scanner; moves to the end of its last line and returns that offset. */
export function parsePlain(s: ChunkScanner, indent: number): number {
  const start = s.at;
  let end = plainEnd(s, start);
  let commented = isCommented(s, end);
  for (let line = s.nextLine(end); line < s.length;) {
    let at = line;
    while (s.codeAt(at) === CharCode.space) at++;
    const code = s.codeAt(at);
    if (code === CharCode.tab) throw new NotSimple();
    if (isBreak(code)) {
      line = s.nextLine(at);
      continue;
    }
    if (code === CharCode.hash) break;
    if (at - line <= indent) {
      s.lineAt = line;
      s.lineIndent = at - line;
      break;
    }
    if (commented) throw new NotSimple();
    end = plainEnd(s, at);
    commented = isCommented(s, end);
    line = s.nextLine(end);
  }
  s.at = end;
  return s.scalar(Style.plain, start, end);
}

function isCommented(s: ChunkScanner, from: number): boolean {
  let at = from;
  while (s.codeAt(at) === CharCode.space || s.codeAt(at) === CharCode.tab) at++;
  return s.codeAt(at) === CharCode.hash;
}

/** Returns the end of a plain scalar's text on one line; a `: ` inside is a mistake that the full parser explains. */
function plainEnd(s: ChunkScanner, start: number): number {
  let end = s.lineEnd(start);
  for (let at = s.nextHash(start); at < end; at = s.nextHash(at + 1)) {
    if (at > start && isBlank(s.text.charCodeAt(at - 1))) end = at;
  }
  for (let at = s.nextColon(start); at < end; at = s.nextColon(at + 1)) {
    if (isBreakOrSpace(s.codeAt(at + 1))) throw new NotSimple();
  }
  while (end > start && isBlank(s.text.charCodeAt(end - 1))) end--;
  return end;
}

function isBlank(code: number): boolean {
  return code === CharCode.space || code === CharCode.tab;
}

const HEADER = /^[|>][-+]?[ \t]*(?:#.*)?$/;

/**
 * Parses a `|` or `>` scalar; moves to the start of the line after it and returns its end. `indent`: the parent's, content is
 * indented more.
 */
export function parseBlockScalar(s: ChunkScanner, indent: number): number {
  const start = s.at;
  let end = s.lineEnd(start);
  if (end > start + 1 && !HEADER.test(s.text.slice(start, end))) throw new NotSimple();
  let line = s.nextLine(start);
  let contentIndent = -1;
  while (line < s.length) {
    let at = line;
    while (s.codeAt(at) === CharCode.space) at++;
    const code = s.codeAt(at);
    if (!isBreak(code)) {
      if (code === CharCode.tab) throw new NotSimple();
      if (contentIndent === -1) {
        if (at - line <= indent) break;
        contentIndent = at - line;
      } else if (at - line < contentIndent) {
        if (at - line > indent) throw new NotSimple();
        break;
      }
      end = s.lineEnd(at);
    } else if (contentIndent === -1 && at - line > indent + 1) throw new NotSimple();
    line = s.nextLine(at);
  }
  s.at = line;
  while (isBlank(s.codeAt(end - 1))) end--;
  return s.scalar(Style.block, start, end);
}
