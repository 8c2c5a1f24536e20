/** The quote that a word of a command line is in. */
type Quote = '' | "'" | '"';

/** A command line up to the cursor, as bash splits it. */
export interface ShellLine {
  /** Its words without quotes and backslashes; the last one is the one at the cursor, and may be empty. */
  readonly words: readonly string[];
  /** The last word up to the position from which bash replaces it, without quotes. */
  readonly fixed: string;
  /** The quote that is open at the cursor. */
  readonly quote: Quote;
}

/**
 * Reads a command line of bash without running any of it: what is typed may name commands and variables. `breaks` are the characters
 * at which completion divides a word (`COMP_WORDBREAKS`).
 */
export function readShellLine(line: string, breaks: string): ShellLine {
  const words: string[] = [];
  let current: { word: string; fixed: string; quote: Quote } | undefined;
  for (const [piece] of line.matchAll(PIECES)) {
    if (/^\s/.test(piece)) {
      if (current) words.push(current.word);
      current = undefined;
      continue;
    }
    const { word, fixed } = current ?? { word: '', fixed: '' };
    const quote = openQuote(piece);
    const read = word + unquoted(piece);
    if (quote !== '') current = { word: read, fixed: word, quote };
    else current = { word: read, fixed: breaks.includes(piece) ? read : fixed, quote };
  }
  const { word, fixed, quote } = current ?? { word: '', fixed: '', quote: '' };
  return { words: [...words, word], fixed, quote };
}

/** Space, a text in quotes that may be open at the end of the line, a character after a backslash, or a character. */
const PIECES = /\s+|'[^']*'?|"(?:\\[^]|[^"\\])*"?|\\[^]|[^]/gu;

function openQuote(piece: string): Quote {
  const first = piece.charAt(0);
  if (first !== "'" && first !== '"') return '';
  return piece.length > 1 && piece.endsWith(first) && !/[^\\]\\"$/.test(piece) ? '' : first;
}

function unquoted(piece: string): string {
  const first = piece.charAt(0);
  if (first === '\\' && piece.length > 1) return piece.slice(1);
  if (first !== "'" && first !== '"') return piece;
  const inside = piece.slice(1, openQuote(piece) === '' ? -1 : undefined);
  return first === "'" ? inside : inside.replaceAll(/\\([$`"\\\n])/g, '$1');
}

/** Writes a value so that bash reads it as it is, inside the quote that is open. */
export function quotedFor(value: string, quote: Quote): string {
  if (quote === "'") return value.replaceAll("'", String.raw`'\''`);
  if (quote === '"') return value.replaceAll(/[$`"\\]/g, String.raw`\$&`);
  return value.replaceAll(/[^\p{L}\p{N}_@%+=:,./-]/gu, String.raw`\$&`);
}
