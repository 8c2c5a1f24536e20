import { spend } from '#model/syntax/work.ts';

/** The start of a quoted value or a flow collection: after a colon, a dash, a bracket or a comma, or first on its line. */
const OPENING = /(?:^|[:\-?,[{])[ \t]*(["'[{])/gm;
/** What may follow one of them on its line. */
const FOLLOWING = /^[ \t]*(?:#.*|[,\]}:].*)?\r?$/;
const CLOSERS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/**
 * Joins the lines of multi-line quoted texts and flow collections, with spaces for line breaks and comments so that every offset
 * stays valid. Those without a proper end stay unchanged.
 */
export function joinLines(text: string): string {
  const parts: string[] = [];
  let done = 0;
  const opening = new RegExp(OPENING);
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const start = opening.lastIndex - 1;
    const char = match[1] ?? '';
    const joined = char in CLOSERS ? joinFlow(text, start) : joinQuoted(text, start);
    spend(1 + (joined?.length ?? 0));
    if (joined === undefined) continue;
    const end = start + joined.length;
    if (!isFollowed(text, end)) continue;
    parts.push(text.slice(done, start), joined);
    done = end;
    opening.lastIndex = end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** Returns the quoted text that starts at an offset, on one line; undefined if none does or it has no proper end. */
export function joinQuotedAt(text: string, start: number): string | undefined {
  const joined = text[start] === '"' || text[start] === "'" ? joinQuoted(text, start) : undefined;
  return joined !== undefined && isFollowed(text, start + joined.length) ? joined : undefined;
}

function isFollowed(text: string, end: number): boolean {
  const lineEnd = text.indexOf('\n', end);
  spend((lineEnd === -1 ? text.length : lineEnd) - end);
  return FOLLOWING.test(text.slice(end, lineEnd === -1 ? text.length : lineEnd));
}

/** Returns the quoted text that starts here, on one line; undefined if it does not end. */
function joinQuoted(text: string, start: number): string | undefined {
  const end = quoteEnd(text, start);
  const quoted = end === -1 ? undefined : text.slice(start, end);
  // A line that ends the document leaves the quote open.
  return quoted === undefined || /\n(?:---|\.\.\.)\s/.test(quoted) ? undefined : quoted.replaceAll(/[\r\n]/g, ' ');
}

/** Returns the offset after the quote that closes the one at an offset; -1 without one. */
function quoteEnd(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    spend(1);
    const char = text[at];
    if (char === '\\' && quote === '"') at++;
    else if (char === quote) {
      if (quote === '"' || text[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return -1;
}

/** Returns the collection that starts here, on one line; undefined if its brackets do not match. */
function joinFlow(text: string, start: number): string | undefined {
  const open: string[] = [];
  const parts: string[] = [];
  for (let at = start; at < text.length;) {
    const piece = pieceAt(text, at);
    spend(piece?.length ?? 1);
    if (piece === undefined) return undefined;
    parts.push(
      piece.startsWith('#') && piece.length > 1 ? ' '.repeat(piece.length) : piece.replaceAll(/[\r\n\t]/g, ' '),
    );
    at += piece.length;
    if (piece in CLOSERS) open.push(CLOSERS[piece] ?? '');
    else if (piece === ']' || piece === '}') {
      if (open.pop() !== piece) return undefined;
      if (open.length === 0) return parts.join('');
    }
  }
  return undefined;
}

/** Returns a quoted text, a comment, or one character; undefined for an unclosed quote. */
function pieceAt(text: string, at: number): string | undefined {
  const char = text[at] ?? '';
  const before = text[at - 1] ?? ' ';
  if ((char === '"' || char === "'") && /[\s,[{:]/.test(before)) {
    const end = quoteEnd(text, at);
    return end === -1 ? undefined : text.slice(at, end);
  }
  if (char !== '#' || !/\s/.test(before)) return char;
  const end = text.indexOf('\n', at);
  return text.slice(at, end === -1 ? text.length : end);
}
