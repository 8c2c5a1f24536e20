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
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: at - (starts[low] ?? 0) };
  }

  offsetAt(position: TextPosition): number {
    const starts = this.#lineStarts();
    if (position.line >= starts.length) return this.text.length;
    const start = starts[position.line] ?? 0;
    const end = starts[position.line + 1] ?? this.text.length + 1;
    return Math.max(start, Math.min(start + position.character, end - 1, this.text.length));
  }

  #lineStarts(): Uint32Array {
    if (this.#starts) return this.#starts;
    const starts: number[] = [0];
    // A lone carriage return also breaks a line, but hardly any text has one.
    if (/\r(?!\n)/.test(this.text)) {
      for (const { index, 0: text } of this.text.matchAll(/\r\n|[\r\n]/g)) starts.push(index + text.length);
    } else for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = Uint32Array.from(starts);
    return this.#starts;
  }
}
