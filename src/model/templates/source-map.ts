import { MARK, type Piece } from './instrument.ts';

/** A stretch of a rendered text and the range of the file that it comes from. */
interface Stretch {
  /** Start in the rendered text; it ends where the next stretch begins. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** Whether its characters correspond to those of the file one by one; otherwise an expression produced all of it. */
  readonly isExact: boolean;
}

/** A range of a file. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
  /** Whether exactly these characters are meant; otherwise it is the expression that produced them. */
  readonly isExact: boolean;
}

/** Maps each range of a rendered text to the range of the template that it comes from. */
export class SourceMap {
  readonly #stretches: readonly Stretch[];

  constructor(stretches: readonly Stretch[]) {
    this.#stretches = stretches;
  }

  /** Returns the range of the template that a range of the rendered text comes from. */
  sourceOf(start: number, end: number): SourceRange {
    const first = this.#at(start);
    // The end is exclusive: a name at the end of a text does not touch what follows.
    const last = end > start ? this.#at(end - 1) : first;
    if (!first || !last) return { start: 0, end: 0, isExact: false };
    const from = first.isExact ? first.start + start - first.at : first.start;
    const to = last.isExact ? last.start + end - last.at : last.end;
    const isExact = first === last && first.isExact && to <= last.end;
    return { start: Math.min(from, to), end: Math.max(from, to), isExact };
  }

  /** Returns the offsets at which the text at an offset of the template is rendered. */
  renderedOf(offset: number): readonly number[] {
    return this.#stretches.flatMap(({ at, start, end, isExact }) =>
      isExact && start <= offset && offset <= end ? [at + offset - start] : [],
    );
  }

  /** Returns the output of expressions between two offsets of the rendered text. */
  outputsIn(start: number, end: number): readonly Range[] {
    return this.#stretches.flatMap(({ at, isExact }, number) => {
      const next = this.#stretches[number + 1]?.at ?? end;
      return !isExact && start <= at && next <= end ? [{ start: at, end: next }] : [];
    });
  }

  /** Returns how many times an exact range of the template is rendered. */
  copiesOf(start: number, end: number): number {
    return this.#stretches.filter((each) => each.isExact && each.start <= start && end <= each.end).length;
  }

  #at(offset: number): Stretch | undefined {
    let low = 0;
    let high = this.#stretches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#stretches[middle]?.at ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.#stretches[low];
  }
}

/** A range of a rendered text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Unmarked {
  readonly text: string;
  readonly map: SourceMap;
  /** Ranges that are rendered zero, one or many times. */
  readonly unsure: readonly Range[];
  /** Offsets at which any lines may be rendered. */
  readonly anything: readonly number[];
}

/** Removes the marks from a rendered text of the file at `path`. */
export function unmark(marked: string, path: string, pieces: readonly Piece[]): Unmarked {
  const text: string[] = [];
  const stretches: Stretch[] = [];
  const unsure: Range[] = [];
  const anything: number[] = [];
  const outputs: Piece[] = [];
  const starts: number[] = [];
  let length = 0;
  const token = /\uE010(\d+)\uE011|[\uE012-\uE015]|[^\uE010-\uE015]+/g;
  const begin = (piece: Piece | undefined): void => {
    const isExact = piece?.path === path && piece.kind === 'text';
    const from = isExact ? piece : outputs.findLast((each) => each.path === path);
    if (from) stretches.push({ at: length, start: from.start, end: from.end, isExact });
  };
  for (const [found, number] of marked.matchAll(token)) {
    if (number !== undefined) {
      const piece = pieces[Number(number)];
      if (piece?.kind === 'output') outputs.push(piece);
      begin(piece);
    } else if (found === MARK.close) {
      outputs.pop();
      begin(outputs.at(-1));
    } else if (found === MARK.unsure) starts.push(length);
    else if (found === MARK.sure) unsure.push({ start: starts.pop() ?? 0, end: length });
    else if (found === MARK.any) anything.push(length);
    else {
      text.push(found);
      length += found.length;
    }
  }
  unsure.sort((a, b) => a.start - b.start);
  return { text: text.join(''), map: new SourceMap(stretches), unsure, anything };
}
