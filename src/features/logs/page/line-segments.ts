/** A segment of a line: plain text, or the name of a model file with its location. */
export interface LineSegment {
  readonly text: string;
  /** The offset of the segment in the line. */
  readonly at: number;
  readonly file?: { readonly path: string; readonly line?: number | undefined; readonly column?: number | undefined };
}

/** Matches a run of path characters with an optional line and column. Each run is scanned once, however long it is. */
const runs = /[\w@./-]+(?::(\d{1,7})(?::(\d{1,5}))?)?/g;

/** Match files of a model. A script must be in a folder, because `Node.js` is not one. */
const modelFile = /\.ya?ml(?:\.jinja)?$/;
const script = /\.(?:jsx?|tsx?|py|jinja)$/;

/** Splits a line into segments. */
export function lineSegments(line: string): readonly LineSegment[] {
  const parts: LineSegment[] = [];
  let end = 0;
  for (const { 0: run, 1: row, 2: column, index } of line.matchAll(runs)) {
    const [path] = run.replace(/^\/+/, '').split(':');
    // The period may end a sentence.
    const name = path?.endsWith('.') === true ? path.slice(0, -1) : (path ?? '');
    if (!isFile(name)) continue;
    const start = index + run.indexOf(name);
    const stop = row === undefined ? start + name.length : index + run.length;
    if (start > end) parts.push({ text: line.slice(end, start), at: end });
    const file = { path: name, line: numberOf(row), column: numberOf(column) };
    parts.push({ text: line.slice(start, stop), at: start, file });
    end = stop;
  }
  if (end < line.length) parts.push({ text: line.slice(end), at: end });
  return parts;
}

const isFile = (path: string): boolean => modelFile.test(path) || (script.test(path) && path.includes('/'));

/**
 * Splits a segment of a line at the matches of the search; every second piece is a match. `marks`: start and end offsets in the
 * line, in turn.
 */
export function markedSegments({ text, at }: LineSegment, marks: readonly number[]): readonly string[] {
  const parts: string[] = [];
  let end = 0;
  for (let mark = 0; mark < marks.length; mark += 2) {
    const from = Math.max(end, (marks[mark] ?? 0) - at);
    const to = Math.min(text.length, (marks[mark + 1] ?? 0) - at);
    if (to <= from) continue;
    parts.push(text.slice(end, from), text.slice(from, to));
    end = to;
  }
  return [...parts, text.slice(end)];
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}
