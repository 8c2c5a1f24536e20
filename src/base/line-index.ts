/** A zero-based position in a text; `character` counts UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** Converts between offsets and positions (UTF-16) of one text; builds the table of line starts on first use. */
export class LineIndex {
  readonly text: string;
  #starts: Uint32Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  positionAt(offset: number): TextPosition {
    const starts = this.#lineStarts();
    const at = Math.max(0, Math.min(offset, this.text.length));
    const line = lineAt(starts, at);
    return { line, character: at - (starts[line] ?? 0) };
  }

  offsetAt(position: TextPosition): number {
    const starts = this.#lineStarts();
    if (position.line >= starts.length) return this.text.length;
    const start = starts[position.line] ?? 0;
    const end = starts[position.line + 1] ?? this.text.length + 1;
    return Math.max(start, Math.min(start + position.character, end - 1, this.text.length));
  }

  #lineStarts(): Uint32Array {
    this.#starts ??= Uint32Array.from([0].concat(lineStartsIn(this.text)));
    return this.#starts;
  }
}

/** Returns the starts of the lines that follow the breaks of a text, which begins at `offset`. */
export function lineStartsIn(text: string, offset = 0): number[] {
  const starts: number[] = [];
  // A lone carriage return also breaks a line, but hardly any text has one.
  if (/\r(?!\n)/.test(text)) {
    for (const { index, 0: found } of text.matchAll(/\r\n|[\r\n]/g)) starts.push(offset + index + found.length);
  } else for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(offset + at + 1);
  return starts;
}

/** Returns the zero-based line that an offset lies in. `starts`: the starts of all lines. */
export function lineAt(starts: ArrayLike<number>, offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
