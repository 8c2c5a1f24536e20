import { type ModelFile, parseFile, parseItem, type PlacedPart, readable, unifyBreaks } from './file.ts';
import { hasJinja } from './syntax/jinja.ts';
import { joinLongQuotes } from './syntax/long-quotes.ts';
import { splitYaml } from './syntax/split.ts';

/** One replaced range of a text. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The file after one or more changes (in the order in which they were made). Parts whose text did not change stay the
 * same objects; a change inside one list item parses that item only.
 */
export function editFile(file: ModelFile, text: string, changes: readonly TextChange[]): ModelFile {
  const [change] = changes;
  const isOne = change !== undefined && changes.length === 1;
  if (!isOne || !isPlain(file) || file.parts.length === 0 || hasMarks(change.text)) return parseFile(file.path, text);
  return readable(file.path, text, () => editItem(file, text, change) ?? parseFile(file.path, text));
}

/** The file with one list item parsed again; undefined when the change may reach beyond it. */
function editItem(file: ModelFile, text: string, change: TextChange): ModelFile | undefined {
  const index = partAt(file.parts, change);
  const placed = file.parts[index];
  if (placed?.part.kind !== 'item') return undefined;
  const delta = change.text.length - (change.end - change.start);
  const next = file.parts[index + 1];
  const end = (next ? next.start : file.text.length) + delta;
  const own = detached(unifyBreaks(text.slice(placed.start, end)));
  if (!isOneItem(placed.part.section, own) || indentOf(own) !== indentOf(placed.part.text)) return undefined;
  const part = parseItem(placed.part.section, own);
  const shift = (offset: number): number => (offset > change.start ? offset + delta : offset);
  const parts = file.parts.map((other, at): PlacedPart => {
    if (at < index) return other;
    if (at === index) return { ...other, part };
    return { start: other.start + delta, sectionStart: shift(other.sectionStart), part: other.part };
  });
  // A quote that was open may reach into the next items now.
  if (joinLongQuotes(text, parts.slice(0, index + 1)) !== undefined) return undefined;
  return { ...file, text, parts };
}

/**
 * The same text on its own: engines keep a slice as a window on the whole, and the item would hold on to this version of
 * the file for as long as it lives.
 */
function detached(slice: string): string {
  return ` ${slice}`.slice(1);
}

/** Whether a text, put under its section again, is still exactly one list item. */
function isOneItem(section: string, own: string): boolean {
  if (hasJinja(own) || own.includes('<<<<<<<')) return false;
  const header = `${section}:\n`;
  const { chunks, problems } = splitYaml(header + own);
  const [first] = chunks;
  return chunks.length === 1 && problems.length === 0 && first?.kind === 'item' && first.start === header.length;
}

function isPlain(file: ModelFile): boolean {
  return file.language === 'yaml' && file.jinja.length === 0 && file.problems.length === 0;
}

/** Text that can change how the rest of the file is cut. */
function hasMarks(text: string): boolean {
  return /[{<]{2}|\0/.test(text);
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** The part that holds the whole change, away from its first character; -1 when there is none. */
function partAt(parts: readonly PlacedPart[], change: TextChange): number {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((parts[middle]?.start ?? 0) <= change.start) low = middle;
    else high = middle - 1;
  }
  const start = parts[low]?.start ?? Infinity;
  const end = parts[low + 1]?.start ?? Infinity;
  return change.start > start && change.end < end ? low : -1;
}
