/** Maximum length of a file that is read, in characters. Models of hundreds of cubes in one file have less than half of it. */
export const LONGEST = 10_000_000;
/** Maximum nesting of brackets, and of dashes or YAML keys on one line. */
const DEEPEST = 150;
/** The change of bracket depth at each ASCII character. */
const STEPS = Int8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return '{[('.includes(char) ? 1 : '}])'.includes(char) ? -1 : 0;
});
/** The most spaces before a list item that begins something new. */
export const INDENTED = 4;
/** A line that begins something new: brackets open above it were never closed. */
const BEGINNING = new RegExp(`^(?: {0,${INDENTED}}- |[\\w$}])`);
const DASHES = /^[ \t]*(?:[-?] +){40}/m;

/** Finds lines like {@link DASHES}, and some others, in a fraction of the time. */
const ANY_DASHES = /(?:[-?] +){40}/;
const BRACKET = /[{[(}\])]/g;

/**
 * Explains why a text is not read at all; returns undefined for anything that users write. Parsers recurse on each bracket, and
 * some check every open level for each line, so nesting is counted before they run. Linear in the text.
 */
export function whyUnreadable(text: string): string | undefined {
  if (text.length > LONGEST) return `it is longer than ${(LONGEST / 1e6).toLocaleString('en')} million characters`;
  if (ANY_DASHES.test(text) && DASHES.test(text)) return NESTED;
  return isShallow(text) || !isNested(text) ? undefined : NESTED;
}

/**
 * Checks whether brackets are nowhere nested too deep, even if those that are never closed count to the end of the text. Nearly
 * every text passes, and only its brackets are visited: this runs for every file of a model.
 */
function isShallow(text: string): boolean {
  let depth = 0;
  BRACKET.lastIndex = 0;
  while (BRACKET.test(text)) {
    depth = Math.max(0, depth + (STEPS[text.charCodeAt(BRACKET.lastIndex - 1)] ?? 0));
    if (depth > DEEPEST) return false;
  }
  return true;
}

/** Checks whether brackets are nested too deep, counted from 0 at each line that begins something new. */
function isNested(text: string): boolean {
  let depth = 0;
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    if (BEGINNING.test(text.slice(start, Math.min(end, start + 8)))) depth = 0;
    for (let at = start; at < end; at++) {
      depth = Math.max(0, depth + (STEPS[text.charCodeAt(at)] ?? 0));
      if (depth > DEEPEST) return true;
    }
    start = end + 1;
  }
  return false;
}

const NESTED = `brackets are nested more than ${DEEPEST} deep in it, or never closed`;
