import { joinQuotedAt } from './join-lines.ts';
import { OPEN_QUOTE } from './full-yaml.ts';
import type { SyntaxProblem } from '#model/syntax/tree.ts';

/** A chunk of a text that was parsed on its own. */
interface Parsed {
  readonly start: number;
  readonly chunk: { readonly text: string; readonly problems: readonly SyntaxProblem[] };
}

/**
 * Joins the lines of a quoted text that continues over an apparent list item or section (the engine's loader allows that, at any
 * column); returns undefined if no chunk ends within such a quote. Offsets stay valid.
 */
export function joinLongQuotes(text: string, chunks: readonly Parsed[]): string | undefined {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, chunk } of chunks) {
    const quote = start < done ? undefined : longQuote(text, start, chunk);
    if (!quote) continue;
    pieces.push(text.slice(done, quote.start), quote.text);
    done = quote.start + quote.text.length;
  }
  return done === 0 ? undefined : pieces.join('') + text.slice(done);
}

/** Returns the quoted text in which a chunk ends, on one line. */
function longQuote(
  text: string,
  start: number,
  chunk: Parsed['chunk'],
): { readonly start: number; readonly text: string } | undefined {
  const open = chunk.problems.find(({ message }) => message === OPEN_QUOTE);
  if (!open) return undefined;
  const joined = joinQuotedAt(text, start + open.start);
  const reachesOn = joined !== undefined && open.start + joined.length > chunk.text.length;
  return reachesOn ? { start: start + open.start, text: joined } : undefined;
}
