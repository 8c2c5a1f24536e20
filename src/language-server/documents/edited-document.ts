import { lineAt, lineStartsIn } from '#base/line-index.ts';
import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver';

/** How many characters may lie between two edits of one window. */
const NEAR = 2_000;
/** How many characters of context an excerpt has on each side of the last edit. */
const AROUND = 1_000;
/** The longest window, in characters. */
const WIDEST = 50_000;
const NEWLINE = 10;
const CR = 13;

/** A piece of a text. */
export interface Excerpt {
  readonly start: number;
  readonly text: string;
}

/**
 * A document as the library's own, except that a key costs the same in a text of any length: the library copies the whole text for
 * each, which in a text of megabytes takes longer than everything else, and fills the memory with old versions. This one joins three
 * strings, which engines copy only when some code reads the middle of the result: the text of an earlier version before and after a
 * window around the last edits, and the window's own text. `slice` reads from them.
 */
export class EditedDocument {
  readonly uri: string;
  readonly languageId: string;
  #version: number;
  #text: string;
  /** The earlier version, and its range that the window replaces. */
  #base: string;
  #from = 0;
  #to = 0;
  #window = '';
  #lines: number[] | undefined;

  constructor(uri: string, languageId: string, version: number, text: string) {
    this.uri = uri;
    this.languageId = languageId;
    this.#version = version;
    this.#text = text;
    this.#base = text;
  }

  get version(): number {
    return this.#version;
  }

  get lineCount(): number {
    return this.#lineStarts().length;
  }

  getText(range?: Range): string {
    return range ? this.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.#text;
  }

  /** Returns the text between two offsets. */
  slice(start: number, end: number): string {
    const after = this.#from + this.#window.length;
    const shift = this.#to - after;
    if (end <= this.#from) return this.#base.slice(start, end);
    if (start >= after) return this.#base.slice(start + shift, end + shift);
    const before = this.#base.slice(Math.min(start, this.#from), this.#from);
    const inside = this.#window.slice(Math.max(0, start - this.#from), end - this.#from);
    return before + inside + this.#base.slice(this.#to, Math.max(this.#to, end + shift));
  }

  /** Returns the text around the last edits; undefined before the first one. */
  get excerpt(): Excerpt | undefined {
    if (this.#window === '' && this.#from === this.#to) return undefined;
    const start = Math.max(0, this.#from - AROUND);
    return { start, text: this.slice(start, this.#from + this.#window.length + AROUND) };
  }

  /** Applies changes of the protocol in their order; throws if a change is neither a range nor a whole text. */
  update(changes: readonly TextDocumentContentChangeEvent[], version: number): void {
    for (const change of changes) {
      if ('range' in change) this.#replace(change.range, change.text);
      else this.#reset(change.text);
    }
    this.#version = version;
  }

  positionAt(offset: number): Position {
    const starts = this.#lineStarts();
    const at = Math.max(0, Math.min(offset, this.#text.length));
    const line = lineAt(starts, at);
    const start = starts[line] ?? 0;
    return { line, character: this.#beforeBreak(at, start) - start };
  }

  offsetAt({ line, character }: Position): number {
    const starts = this.#lineStarts();
    if (line >= starts.length) return this.#text.length;
    const start = starts[line];
    if (start === undefined) return 0;
    if (character <= 0) return start;
    return this.#beforeBreak(Math.min(start + character, starts[line + 1] ?? this.#text.length), start);
  }

  #reset(text: string): void {
    this.#text = text;
    this.#base = text;
    this.#from = 0;
    this.#to = 0;
    this.#window = '';
    this.#lines = undefined;
  }

  #replace({ start: one, end: other }: Range, text: string): void {
    const [a, b] = [this.offsetAt(one), this.offsetAt(other)];
    const [start, end] = [Math.min(a, b), Math.max(a, b)];
    const [first, last] = [this.positionAt(start).line, this.positionAt(end).line];
    this.#moveWindow(start, end);
    const after = this.#from + this.#window.length;
    const from = Math.min(start, this.#from);
    const rest = Math.max(end, after);
    const window = this.slice(from, start) + text + this.slice(end, rest);
    this.#to += rest - after;
    this.#from = from;
    this.#window = window;
    this.#text = this.#base.slice(0, this.#from) + window + this.#base.slice(this.#to);
    this.#moveLines({ first, last, start, text, moved: text.length - (end - start) });
  }

  /** Begins a window of its own for an edit that is too far from the last ones. */
  #moveWindow(start: number, end: number): void {
    const after = this.#from + this.#window.length;
    const isNear = start >= this.#from - NEAR && end <= after + NEAR;
    const isFirst = this.#window === '' && this.#from === this.#to;
    if (!isFirst && isNear && this.#window.length <= WIDEST) return;
    this.#base = this.#text;
    this.#from = start;
    this.#to = start;
    this.#window = '';
  }

  /** Updates the starts of lines after an edit from the line `first` to the line `last`. */
  #moveLines({ first, last, start, text, moved }: MovedLines): void {
    const lines = this.#lines;
    if (!lines) return;
    // A carriage return and a line feed that meet, or no longer do, are one break or two.
    if (this.#isBreakAt(start) || this.#isBreakAt(start + text.length)) {
      this.#lines = undefined;
      return;
    }
    const added = lineStartsIn(text, start);
    const next = last + 1 + added.length - (last - first);
    if (added.length === last - first) added.forEach((each, at) => (lines[first + 1 + at] = each));
    else this.#lines = [...lines.slice(0, first + 1), ...added, ...lines.slice(last + 1)];
    const all = this.#lines ?? [];
    if (moved !== 0) for (let line = next; line < all.length; line++) all[line] = (all[line] ?? 0) + moved;
  }

  /** Whether the characters on both sides of an offset are a carriage return and a line feed. */
  #isBreakAt(offset: number): boolean {
    return this.slice(Math.max(0, offset - 1), offset + 1) === '\r\n';
  }

  /** Moves an offset in a line from behind or within the line's break to its start. */
  #beforeBreak(offset: number, start: number): number {
    const tail = this.slice(Math.max(start, offset - 2), offset);
    let at = offset;
    for (let back = tail.length - 1; back >= 0 && isBreak(tail.charCodeAt(back)); back--) at--;
    return at;
  }

  #lineStarts(): readonly number[] {
    this.#lines ??= [0].concat(lineStartsIn(this.#text));
    return this.#lines;
  }
}

interface MovedLines {
  readonly first: number;
  readonly last: number;
  readonly start: number;
  readonly text: string;
  readonly moved: number;
}

function isBreak(code: number): boolean {
  return code === NEWLINE || code === CR;
}
