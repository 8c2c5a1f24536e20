/** One line of a YAML text, as far as indentation and keys go. */
export interface Line {
  readonly start: number;
  readonly dashes: readonly number[];
  /** Column of the first text after the dashes; -1 on a blank line. */
  readonly column: number;
  readonly key: string | undefined;
  /** Offset after `key: `. */
  readonly valueStart: number;
  /** The text after the key, if there is a key. */
  readonly value: string | undefined;
}

/** The keys from the root to a map; `-` stands for a list item. */
export interface CursorPath {
  readonly path: readonly string[];
  /** Keys that the map already has, with the text after each; undefined: a list or a map. */
  readonly siblings: ReadonlyMap<string, string | undefined>;
}

const KEY = /^(?:"([^"]*)"|'([^']*)'|([\w.-]+)):(?:[ \t]+|$)/;

/** Reads a line up to the cursor; `start` is its offset in the text. */
export function readLine(text: string, start: number): Line {
  const dashes: number[] = [];
  let at = 0;
  for (;;) {
    while (text[at] === ' ') at++;
    if (text[at] !== '-' || (text[at + 1] !== ' ' && at + 1 < text.length)) break;
    dashes.push(at);
    at++;
  }
  const rest = text.slice(at);
  if (rest.trim() === '' || rest.startsWith('#')) {
    return {
      start,
      dashes,
      column: dashes.length > 0 && rest.trim() === '' ? at : -1,
      key: undefined,
      valueStart: -1,
      value: undefined,
    };
  }
  const match = KEY.exec(rest);
  if (!match) return { start, dashes, column: at, key: undefined, valueStart: -1, value: undefined };
  const [whole, double, single, plain] = match;
  const value = plainText(rest.slice(whole.length));
  return { start, dashes, column: at, key: double ?? single ?? plain, valueStart: start + at + whole.length, value };
}

/** Returns a scalar on one line without its quotes and trailing comment. */
export function plainText(text: string): string | undefined {
  const plain = text.replace(/\s#.*$/, '').trim();
  if (plain === '' || /^[[{|>&*!]/.test(plain)) return undefined;
  return /^(["'])(.*)\1$/.exec(plain)?.[2] ?? plain;
}

/** The position of a cursor, determined from indentation alone. */
export interface CursorLine extends CursorPath {
  /** The line up to the cursor. */
  readonly line: Line;
  /** Whether the cursor is after the colon of a key. */
  readonly isValue: boolean;
  /** The keys and dashes (`-`) around the cursor, including the key of its own line if the cursor is in the value. */
  readonly path: readonly string[];
  /** The offset at which the word or value begins; it may be after the cursor. */
  readonly start: number;
}

/** Reads the context of an offset; works on broken text. */
export function lineAt(text: string, offset: number): CursorLine {
  const lineStart = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const line = readLine(text.slice(lineStart, offset), lineStart);
  const isValue = line.key !== undefined && offset >= line.valueStart;
  const column = line.column === -1 ? offset - lineStart : line.column;
  const around = pathTo(text, lineStart, column, line.dashes);
  const path = isValue && line.key !== undefined ? [...around.path, line.key] : around.path;
  return { ...around, line, isValue, path, start: isValue ? line.valueStart : lineStart + column };
}

/** Returns the path of the map whose keys are at a column of a line, found by walking up through less indented lines. */
export function pathTo(text: string, lineStart: number, column: number, dashes: readonly number[]): CursorPath {
  const walk = new Upwards(column, dashes);
  collectBelow(text, lineStart, column, walk.siblings);
  for (let end = lineStart - 1; end > 0 && !walk.done;) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    walk.line(readLine(text.slice(start, end).replace(/\r$/, ''), start));
    end = start - 1;
  }
  return { path: walk.path, siblings: walk.siblings };
}

class Upwards {
  readonly path: string[] = [];
  readonly siblings = new Map<string, string | undefined>();
  /** The next line further out must start left of this column. */
  #want: number;
  /** Whether that column itself is allowed: a list may have the column of its key. */
  #orEqual = false;
  #collecting: boolean;

  constructor(column: number, dashes: readonly number[]) {
    this.#want = column;
    this.#collecting = dashes.length === 0;
    this.#leaveItems(dashes);
  }

  get done(): boolean {
    return this.#want <= 0 && !this.#orEqual && !this.#collecting;
  }

  line(line: Line): void {
    const { column, key, dashes } = line;
    if (column === -1 && dashes.length === 0) return;
    if (this.#collecting && column === this.#want && key !== undefined) this.siblings.set(key, line.value);
    if (this.#isOwnItem(line)) {
      if (column < this.#want && key !== undefined) this.path.unshift(key);
      this.#collecting = false;
      this.#leaveItems(dashes);
    } else if (key !== undefined && this.#isOutside(line)) {
      this.path.unshift(key);
      this.#want = column;
      this.#collecting = false;
      this.#orEqual = false;
      this.#leaveItems(dashes);
    }
  }

  /** Checks whether the line opens the list item that contains the cursor. */
  #isOwnItem({ column, dashes }: Line): boolean {
    return !this.#orEqual && column <= this.#want && (dashes[0] ?? Infinity) < this.#want;
  }

  #isOutside({ column, dashes }: Line): boolean {
    return column < this.#want || (this.#orEqual && column === this.#want && dashes.length === 0);
  }

  #leaveItems(dashes: readonly number[]): void {
    for (const dash of [...dashes].reverse()) {
      this.path.unshift('-');
      this.#want = dash;
      this.#orEqual = true;
    }
  }
}

/** Collects keys of the same map on the lines after the cursor's. */
function collectBelow(
  text: string,
  lineStart: number,
  column: number,
  siblings: Map<string, string | undefined>,
): void {
  for (let at = text.indexOf('\n', lineStart) + 1; at > 0 && at < text.length;) {
    const next = text.indexOf('\n', at);
    const line = readLine(text.slice(at, next === -1 ? text.length : next), at);
    const first = line.dashes[0] ?? line.column;
    if (line.column !== -1 && first < column) return;
    if (line.column === column && line.dashes.length === 0 && line.key !== undefined)
      siblings.set(line.key, line.value);
    if (next === -1) return;
    at = next + 1;
  }
}
