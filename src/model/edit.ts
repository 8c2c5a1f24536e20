import { type ModelFile, parseFile, parseItem, type PlacedChunk, unifyBreaks, withinLimits } from './file.ts';
import { INDENTED, LONGEST, whyUnreadable } from './limits.ts';
import { hasJinja } from './syntax/jinja.ts';
import { joinLongQuotes } from './syntax/long-quotes.ts';
import { splitYaml } from './syntax/split.ts';
import type { TextChange } from './text-change.ts';

/**
 * Applies one or more changes to a file (in the order in which they were made). Chunks whose text did not change stay the same
 * objects; a change inside one list item parses that item only.
 */
export function editFile(file: ModelFile, text: string, changes: readonly TextChange[]): ModelFile {
  const [change] = changes;
  const isOne = change !== undefined && changes.length === 1 && text.length <= LONGEST;
  if (!isOne || !isPlain(file) || file.chunks.length === 0 || hasMarks(change.text)) return parseFile(file.path, text);
  return withinLimits(file.path, text, () => editItem(file, text, change) ?? parseFile(file.path, text));
}

/** Parses one list item of the file again; returns undefined if the change may reach beyond it. */
function editItem(file: ModelFile, text: string, change: TextChange): ModelFile | undefined {
  const index = chunkIndexAt(file.chunks, change);
  const placed = file.chunks[index];
  if (placed?.chunk.kind !== 'item') return undefined;
  const delta = change.text.length - (change.end - change.start);
  const next = file.chunks[index + 1];
  const end = (next ? next.start : file.text.length) + delta;
  const own = detached(unifyBreaks(text.slice(placed.start, end)));
  if (!isOneItem(placed.chunk.section, own) || indentOf(own) !== indentOf(placed.chunk.text)) return undefined;
  // The check of nesting starts again at an item only if the item is not indented further than this.
  if (indentOf(own) > INDENTED || whyUnreadable(own) !== undefined) return undefined;
  const chunk = parseItem(placed.chunk.section, own);
  const shift = (offset: number): number => (offset > change.start ? offset + delta : offset);
  const chunks = file.chunks.map((other, at): PlacedChunk => {
    if (at < index) return other;
    if (at === index) return { ...other, chunk };
    return { start: other.start + delta, sectionStart: shift(other.sectionStart), chunk: other.chunk };
  });
  // A quote that was open may now extend into the next items.
  if (joinLongQuotes(text, chunks.slice(0, index + 1)) !== undefined) return undefined;
  return { ...file, text, chunks };
}

/** Copies a text: engines keep a slice as a view of the whole string, so the item would keep this version of the file alive. */
function detached(slice: string): string {
  return ` ${slice}`.slice(1);
}

/** Checks whether a text under its section is still exactly one list item. */
function isOneItem(section: string, own: string): boolean {
  if (hasJinja(own) || own.includes('<<<<<<<')) return false;
  const header = `${section}:\n`;
  const { ranges, problems } = splitYaml(header + own);
  const [first] = ranges;
  return ranges.length === 1 && problems.length === 0 && first?.kind === 'item' && first.start === header.length;
}

function isPlain(file: ModelFile): boolean {
  return file.language === 'yaml' && file.jinja.length === 0 && file.problems.length === 0;
}

/** Checks for text that can change how the rest of the file is split. */
function hasMarks(text: string): boolean {
  return /[{<]{2}|\0/.test(text);
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** Returns the index of the chunk that contains the whole change, not at its first character; -1 if there is none. */
function chunkIndexAt(chunks: readonly PlacedChunk[], change: TextChange): number {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((chunks[middle]?.start ?? 0) <= change.start) low = middle;
    else high = middle - 1;
  }
  const start = chunks[low]?.start ?? Infinity;
  const end = chunks[low + 1]?.start ?? Infinity;
  return change.start > start && change.end < end ? low : -1;
}
