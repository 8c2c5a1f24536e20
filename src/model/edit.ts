import { type ModelFile, parseFile, parseItem, type PlacedChunk, unifyBreaks, withinLimits } from './file.ts';
import { INDENTED, LONGEST, whyUnreadable } from './limits.ts';
import { hasJinja } from '#model/syntax/jinja/jinja.ts';
import { joinLongQuotes } from '#model/syntax/yaml/long-quotes.ts';
import { splitYaml } from '#model/syntax/yaml/split.ts';
import type { TextChange } from '#base/text-change.ts';

/**
 * Applies changes to a file, in the order in which they were made; `text` is the text after all of them. Chunks whose text did not
 * change stay the same objects. A change inside one list item parses that item only, and does not read the rest of the text.
 */
export function editFile(file: ModelFile, text: string, changes: readonly TextChange[]): ModelFile {
  if (text.length > LONGEST || changes.length === 0) return parseFile(file.path, text, file.language);
  const read = (): ModelFile => {
    const edited = changes.reduce<ModelFile | undefined>((before, change) => before && editItem(before, change), file);
    // A quote that was open may now extend into the next items.
    if (!edited || joinLongQuotes(text, edited.chunks) !== undefined) return parseFile(file.path, text, file.language);
    return { ...edited, text };
  };
  return withinLimits(file.path, text, read, file.language);
}

/** Parses one list item of the file again, but leaves its text as it was; returns undefined if the change may reach beyond it. */
function editItem(file: ModelFile, change: TextChange): ModelFile | undefined {
  if (!isPlain(file) || hasMarks(change.text)) return undefined;
  const index = chunkIndexAt(file.chunks, change);
  const placed = file.chunks[index];
  if (placed?.chunk.kind !== 'item') return undefined;
  const own = detached(edited(placed, change));
  if (own !== unifyBreaks(own)) return undefined;
  if (!isOneItem(placed.chunk.section, own) || indentOf(own) !== indentOf(placed.chunk.text)) return undefined;
  // The check of nesting starts again at an item only if the item is not indented further than this.
  if (indentOf(own) > INDENTED || whyUnreadable(own) !== undefined) return undefined;
  const chunk = parseItem(placed.chunk.section, own);
  const delta = change.text.length - (change.end - change.start);
  const shift = (offset: number): number => (offset > change.start ? offset + delta : offset);
  const chunks = file.chunks.map((other, at): PlacedChunk => {
    if (at < index) return other;
    if (at === index) return { ...other, chunk };
    return { ...other, start: other.start + delta, sectionStart: shift(other.sectionStart) };
  });
  return { ...file, chunks };
}

/** Returns the text of a chunk after a change inside of it. */
function edited({ start, chunk: { text } }: PlacedChunk, change: TextChange): string {
  return text.slice(0, change.start - start) + change.text + text.slice(change.end - start);
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
  return file.language === 'yaml' && file.verbatim && file.problems.length === 0;
}

/** Checks for text that can change how the rest of the file is split. */
function hasMarks(text: string): boolean {
  return /[{<]{2}|\0/.test(text);
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** Returns the index of the chunk that contains the whole change and both its neighbours, except at the end of the file; otherwise -1. */
function chunkIndexAt(chunks: readonly PlacedChunk[], change: TextChange): number {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((chunks[middle]?.start ?? 0) <= change.start) low = middle;
    else high = middle - 1;
  }
  const placed = chunks[low];
  if (!placed || change.start <= placed.start) return -1;
  const end = placed.start + placed.chunk.text.length;
  return change.end < end || low === chunks.length - 1 ? low : -1;
}
