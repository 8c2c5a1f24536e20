import { FLOW, Kind, STRIDE, STYLE_SHIFT, type Tape } from '#model/syntax/tape.ts';
import { wordAt } from '#model/syntax/words.ts';

/** Thrown inside the fast parser when a text needs the full one; never leaves the syntax folder. */
export class NotSimple extends Error {}

/** Style bits of a scalar's head, in the order of `STYLES`. */
export const Style = { plain: 0, single: 1, double: 2, block: 3 } as const;

const NONE: readonly string[] = [];
/** One shared buffer: parsing never nests, and results are copies. */
let buffer = new Int32Array(1 << 15);

/**
 * A position in a chunk of a text, the queries that the parsers need, and the tape that they write. The next line break, colon
 * and hash are cached between queries: restarting each search would be quadratic.
 */
export class ChunkScanner {
  readonly text: string;
  /** Offset at which the chunk ends. */
  length = 0;
  at = 0;
  /** The line that `skipBlank` found last, and its indentation. */
  lineAt = -1;
  lineIndent = -1;
  #base = 0;
  #used = 0;
  readonly #breaks = search('\n');
  readonly #colons = search(':');
  readonly #hashes = search('#');
  readonly #quotes = search('"');
  readonly #apostrophes = search("'");
  readonly #backslashes = search('\\');

  constructor(text: string) {
    this.text = text;
  }

  /** Begins a chunk of the text; offsets on the tape are relative to its start. */
  begin(from: number, to: number): void {
    this.#base = from;
    this.at = from;
    this.length = to;
    this.lineAt = -1;
    this.#used = 0;
  }

  tape(): Tape {
    return { cells: buffer.slice(0, this.#used), strings: NONE };
  }

  /** Returns the code unit here, or -1 at the end. */
  peek(): number {
    return this.at < this.length ? this.text.charCodeAt(this.at) : -1;
  }

  codeAt(at: number): number {
    return at < this.length ? this.text.charCodeAt(at) : -1;
  }

  skipSpaces(): void {
    while (this.at < this.length && this.text.charCodeAt(this.at) === CharCode.space) this.at++;
  }

  /** Returns the end of the line that contains `from`, without its line break. */
  lineEnd(from: number): number {
    const end = this.#next(this.#breaks, from);
    return end > from && this.text.charCodeAt(end - 1) === CharCode.cr ? end - 1 : end;
  }

  /** Returns the start of the line after `from`. */
  nextLine(from: number): number {
    const next = this.#next(this.#breaks, from);
    return next < this.length ? next + 1 : this.length;
  }

  /** Returns the offset of the next colon, at or after `from`; the chunk's end if there is none. */
  nextColon(from: number): number {
    return this.#next(this.#colons, from);
  }

  nextHash(from: number): number {
    return this.#next(this.#hashes, from);
  }

  nextQuote(from: number): number {
    return this.#next(this.#quotes, from);
  }

  nextApostrophe(from: number): number {
    return this.#next(this.#apostrophes, from);
  }

  nextBackslash(from: number): number {
    return this.#next(this.#backslashes, from);
  }

  #next(searched: Searched, from: number): number {
    if (from < searched.from || from > searched.at) {
      const found = this.text.indexOf(searched.what, from);
      searched.from = from;
      searched.at = found === -1 ? Number.MAX_SAFE_INTEGER : found;
    }
    return searched.at < this.length ? searched.at : this.length;
  }

  scalar(style: number, start: number, end: number): number {
    this.#put(Kind.scalar | (style << STYLE_SHIFT), start, end, 0);
    return end;
  }

  /** Writes a key whose text is the value between the offsets. */
  key(style: number, start: number, end: number, from: number, to: number): number {
    this.#put(Kind.scalar | (style << STYLE_SHIFT), start, end, wordAt(this.text, from, to));
    return end;
  }

  none(end: number): void {
    this.#put(Kind.none, end, end, 0);
  }

  /** Begins a collection and returns its cell for `close`. */
  open(kind: number, isFlow: boolean, start: number): number {
    return this.#put(isFlow ? kind | FLOW : kind, start, start, 0);
  }

  close(cell: number, end: number): number {
    buffer[cell + 2] = end - this.#base;
    buffer[cell + 3] = this.#used;
    return end;
  }

  #put(head: number, start: number, end: number, extra: number): number {
    const at = this.#used;
    if (at + STRIDE > buffer.length) {
      const larger = new Int32Array(buffer.length * 2);
      larger.set(buffer);
      buffer = larger;
    }
    buffer[at] = head;
    buffer[at + 1] = start - this.#base;
    buffer[at + 2] = end - this.#base;
    buffer[at + 3] = extra;
    this.#used = at + STRIDE;
    return at;
  }
}

function search(what: string): Searched {
  return { what, from: 0, at: -1 };
}

/** A cached search: there is no match between `from` and `at`. */
interface Searched {
  readonly what: string;
  from: number;
  at: number;
}

export const CharCode = {
  tab: 9,
  newline: 10,
  cr: 13,
  space: 32,
  bang: 33,
  quote: 34,
  hash: 35,
  percent: 37,
  amp: 38,
  apostrophe: 39,
  star: 42,
  comma: 44,
  dash: 45,
  colon: 58,
  greater: 62,
  question: 63,
  at: 64,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  backtick: 96,
  openBrace: 123,
  pipe: 124,
  closeBrace: 125,
} as const;

/** Checks for a space, a tab, a line break or the end. */
export function isBreakOrSpace(code: number): boolean {
  return (
    code === CharCode.space || code === CharCode.newline || code === CharCode.cr || code === CharCode.tab || code === -1
  );
}

/** Checks for a line break or the end. */
export function isBreak(code: number): boolean {
  return code === CharCode.newline || code === CharCode.cr || code === -1;
}
