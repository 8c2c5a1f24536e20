import { FILLER, type SyntaxProblem } from '#model/syntax/tree.ts';

/** A piece of a file that is parsed on its own, so that a mistake in one never hides the others. */
export interface ChunkRange {
  /** The top-level key above it: `cubes`, `views` …; empty if there is none. */
  readonly section: string;
  /** Offset of that key in the file. */
  readonly sectionStart: number;
  readonly start: number;
  readonly end: number;
  /** `item`: one `- …` entry of the section's list. `whole`: the section with its key, or the whole file. */
  readonly kind: 'item' | 'whole';
}

export interface Split {
  readonly ranges: readonly ChunkRange[];
  readonly problems: readonly SyntaxProblem[];
}

export const MISPLACED = 'This list item is indented less than the items before it.';
/** The message of a second document. */
export const ONE_DOCUMENT = 'A model file is one document: put this into a file of its own, or remove the marker.';
/** The message of a line before the first section. */
export const INDENTED = 'This line is indented more than the sections of the file, so YAML cannot read it.';

const NEWLINE = 10;
const CR = 13;
const SPACE = 32;
const HASH = 35;
const DASH = 45;
const FILLER_CODE = FILLER.charCodeAt(0);
/** A key of a section; one with escapes, a merge key and a complex key are left to the full parser. */
const KEY =
  /^(?:"([^"\\\n]*)"|'([^'\n]*)'|((?!<<\s*:)[^\s:#'"[\]{},&*!|>%@`?-](?:[^:#\n]*[^\s:#])?))\s*:(?=[ \t\r]|$)[ \t]*/;

const INDENTED_KEY = /^[\w"']+\s*:\s*(?:#.*)?$/;

interface OpenSection {
  readonly key: string;
  readonly start: number;
  /** Whether a list follows on the lines below the key; otherwise the section is one chunk. */
  block: boolean;
  /** Indentation of the list's dashes, once one has been seen. */
  indent: number;
  itemStart: number;
}

/**
 * Splits a (masked) YAML text into chunks by the beginnings of lines only. Linear in the text; reads two or three characters of
 * most lines. Text that is not a mapping of plain keys at column 0 becomes one whole chunk.
 */
export function splitYaml(text: string): Split {
  const splitter = new Splitter(text);
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('\n', at);
    const lineEnd = next === -1 ? text.length : next;
    if (!splitter.line(at, lineEnd)) {
      return {
        ranges: [{ section: '', sectionStart: 0, start: 0, end: text.length, kind: 'whole' }],
        // The parser of the whole text reports a second document itself.
        problems: splitter.problems.filter(({ message }) => message !== ONE_DOCUMENT),
      };
    }
    at = lineEnd + 1;
  }
  splitter.close(text.length);
  return { ranges: splitter.chunks, problems: splitter.problems };
}

class Splitter {
  readonly chunks: ChunkRange[] = [];
  readonly problems: SyntaxProblem[] = [];
  readonly #text: string;
  #section: OpenSection | undefined;
  /** The first line before the first section. */
  #leading: { readonly start: number; readonly end: number } | undefined;
  #isStarted = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Processes one line; returns false if the text cannot be split this way. */
  line(at: number, lineEnd: number): boolean {
    const text = this.#text;
    const first = skipSpaces(text, at, lineEnd);
    const code = first < lineEnd ? text.charCodeAt(first) : NEWLINE;
    // Blank lines and comments belong to whatever is open.
    if (isBlank(code)) return true;
    const section = this.#section;
    // A line that begins with a template expression may have any column; `{{ … }}:` alone is a section.
    if (code === FILLER_CODE && section && !DYNAMIC_KEY.test(text.slice(first, lineEnd))) return true;
    if (section?.block && code === DASH && isDash(text, first)) this.#dash(section, at, first, lineEnd);
    else if (first === at) return this.#document(at, lineEnd) || this.#open(at, lineEnd);
    else if (!section) return this.#beforeSections(first, lineEnd);
    // The key has something other than a list.
    else if (section.itemStart === -1) section.block = false;
    return true;
  }

  close(end: number): void {
    const section = this.#section;
    if (!section) {
      if (this.#leading) this.chunks.push({ section: '', sectionStart: 0, start: 0, end, kind: 'whole' });
      return;
    }
    const isItem = section.itemStart >= 0;
    const start = isItem ? section.itemStart : section.start;
    this.chunks.push({
      section: section.key,
      sectionStart: section.start,
      start,
      end,
      kind: isItem ? 'item' : 'whole',
    });
  }

  /** Processes an indented line before the first section; returns false at a mapping whose keys are indented. */
  #beforeSections(start: number, end: number): boolean {
    if (this.#text.charCodeAt(start) !== FILLER_CODE) this.#leading ??= { start, end };
    return !INDENTED_KEY.test(this.#text.slice(start, end));
  }

  #dash(section: OpenSection, at: number, first: number, lineEnd: number): void {
    const indent = first - at;
    if (section.indent === -1) section.indent = indent;
    if (indent < section.indent) this.problems.push(misplaced(first, lineEnd));
    if (indent > section.indent) return;
    if (section.itemStart >= 0) this.close(at);
    section.itemStart = at;
  }

  /** Processes a line that starts a document; returns false for any other. Only the first one is allowed. */
  #document(at: number, lineEnd: number): boolean {
    if (!isDocumentStart(this.#text, at, lineEnd)) return false;
    if (this.#section || this.#isStarted)
      this.problems.push({ start: at, end: at + 3, code: 'yaml-syntax', message: ONE_DOCUMENT });
    this.#isStarted = true;
    // The parser of the open chunk would report the marker as well.
    if (this.#section) this.close(at);
    this.#section = undefined;
    return true;
  }

  #open(at: number, lineEnd: number): boolean {
    const opened = openSection(this.#text, at, lineEnd);
    if (!opened) return false;
    if (this.#section) this.close(at);
    else if (this.#leading) this.problems.push({ ...this.#leading, code: 'yaml-syntax', message: INDENTED });
    this.#section = opened;
    return true;
  }
}

const DYNAMIC_KEY = new RegExp(`^${FILLER}+\\s*:\\s*$`);

function isBlank(code: number): boolean {
  return code === NEWLINE || code === CR || code === HASH;
}

function skipSpaces(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) === SPACE) at++;
  return at;
}

function openSection(text: string, at: number, lineEnd: number): OpenSection | undefined {
  const line = text.slice(at, lineEnd);
  const match = KEY.exec(line);
  if (!match) return undefined;
  const rest = line.slice(match[0].length).trimEnd();
  const key = match[1] ?? match[2] ?? match[3] ?? '';
  return { key, start: at, block: rest === '' || rest.startsWith('#'), indent: -1, itemStart: -1 };
}

function isDash(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return next === SPACE || next === NEWLINE || next === CR || Number.isNaN(next);
}

function isDocumentStart(text: string, at: number, lineEnd: number): boolean {
  // Contents on the line of the marker do not begin a section.
  return text.startsWith('---', at) && /^---(?:\s*$|\s+#)/.test(text.slice(at, lineEnd));
}

function misplaced(start: number, end: number): SyntaxProblem {
  return { start, end, code: 'yaml-syntax', message: MISPLACED };
}
