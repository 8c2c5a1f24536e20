import { type ModelFile, parseRendered } from '../file.ts';
import type { Piece } from './instrument.ts';
import { type Range, type SourceMap, type SourceRange, unmark } from './source-map.ts';

/** The output of a file's template: a file of its own, whose ranges map back to the template. */
export class Rendering {
  /** The file as it was rendered. It may have been edited since: names of the last rendering are better than none. */
  readonly source: ModelFile;
  readonly file: ModelFile;
  /** Whether cubes and views of any name may be rendered. */
  readonly isOpen: boolean;
  readonly map: SourceMap;
  readonly #unsure: readonly Range[];

  constructor(source: ModelFile, marked: string, pieces: readonly Piece[]) {
    const { map, ...rendered } = unmark(marked, source.path, pieces);
    this.source = source;
    this.map = map;
    this.#unsure = rendered.unsure;
    this.file = parseRendered(source.path, rendered);
    this.isOpen = rendered.anything.some((at) => this.#isOutside(at));
  }

  /** Checks whether the text at an offset of the output is rendered zero, one or many times. */
  isUnsureAt(offset: number): boolean {
    return this.#unsure.some(({ start, end }) => start <= offset && offset < end);
  }

  /** Maps a range of the rendered text to its range of `file`, which may be a later version of the template. */
  rangeIn(file: ModelFile, start: number, end: number): SourceRange {
    const range = this.map.sourceOf(start, end);
    if (file.text === this.source.text) return range;
    const by = shift(this.source.text, file.text, range);
    return { start: range.start + by, end: range.end + by, isExact: range.isExact };
  }

  /** Checks whether lines rendered at an offset may be siblings of the item there. */
  #isOutside(at: number): boolean {
    const { text, chunks } = this.file;
    const around = chunks.findLast(({ start }) => start <= at);
    if (!around || around.chunk.kind !== 'item') return true;
    const lineStart = text.lastIndexOf('\n', at - 1) + 1;
    return at - lineStart <= columnOf(text, around.start);
  }
}

function columnOf(text: string, at: number): number {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return text.slice(lineStart).search(/\S/);
}

/** Returns how far a range moved in one edit of its text. */
function shift(before: string, after: string, { start, end }: SourceRange): number {
  let same = 0;
  while (same < end && before[same] === after[same]) same++;
  if (same >= end) return 0;
  let tail = 0;
  while (before.length - tail > start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return before.length - tail <= start ? after.length - before.length : 0;
}
