/** Longest file that is read, in characters. Models of hundreds of cubes have a tenth of it. */
export const LONGEST = 4_000_000;
/** Deepest nesting of brackets, and of dashes or keys of YAML on one line. */
const DEEPEST = 150;
const OPENING = '{[(';
const CLOSING = '}])';
/** A line that begins something new: what is open above it was never closed. */
const BEGINNING = /^(?: {0,4}- |[\w$}])/;
const DASHES = /^[ \t]*(?:[-?] +){40}/m;

/**
 * Why a text is not read at all; undefined for all that people write. Parsers call themselves for each bracket, and some
 * check every open level for each line, so nesting is counted before they run. Linear in the text.
 */
export function unreadable(text: string): string | undefined {
  if (text.length > LONGEST) return `it is longer than ${(LONGEST / 1e6).toLocaleString('en')} million characters`;
  if (DASHES.test(text)) return NESTED;
  let depth = 0;
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    if (BEGINNING.test(text.slice(start, Math.min(end, start + 8)))) depth = 0;
    for (let at = start; at < end; at++) {
      const char = text[at] ?? '';
      if (OPENING.includes(char)) depth++;
      else if (CLOSING.includes(char) && depth > 0) depth--;
      if (depth > DEEPEST) return NESTED;
    }
    start = end + 1;
  }
  return undefined;
}

const NESTED = `brackets are nested more than ${DEEPEST} deep in it, or never closed`;
