import { joinQuotedAt } from './join-lines.ts';
import { OPEN_QUOTE } from './slow.ts';
import type { SyntaxProblem } from './tree.ts';

/** A chunk of a text as it was parsed on its own. */
interface Parsed {
  readonly start: number;
  readonly chunk: { readonly text: string; readonly problems: readonly SyntaxProblem[] };
}

/**
 * The text with one line instead of a quoted text that continues over what looks like the next list item or section (the
 * engine's loader lets it, at any column); undefined where no chunk ends within such a quote. Offsets stay true.
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

/** The quoted text that a chunk ends within, put on one line. */
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
