/** A part of a line: plain, or the name of a file of the model with what leads there. */
export interface LinePart {
  readonly text: string;
  /** Where in the line it begins. */
  readonly at: number;
  readonly file?: { readonly path: string; readonly line?: number | undefined; readonly column?: number | undefined };
}

/** Files of a model, with their line and column where the log says so; scripts only below a folder: `Node.js` is none. */
const files =
  /((?:[\w@.-]+\/)*[\w@.-]+\.ya?ml(?:\.jinja)?|(?:[\w@.-]+\/)+[\w@.-]+\.(?:jsx?|tsx?|py|jinja))(?![\w/-])(?::(\d{1,7})(?::(\d{1,5}))?)?/g;

/** Cuts a line into its parts. */
export function lineParts(line: string): readonly LinePart[] {
  const parts: LinePart[] = [];
  let end = 0;
  for (const match of line.matchAll(files)) {
    const [text, path = '', row, column] = match;
    if (match.index > end) parts.push({ text: line.slice(end, match.index), at: end });
    parts.push({ text, at: match.index, file: { path, line: numberOf(row), column: numberOf(column) } });
    end = match.index + text.length;
  }
  if (end < line.length) parts.push({ text: line.slice(end), at: end });
  return parts;
}

/**
 * Cuts a part of a line where it has what is looked for; every second one is such a place. `marks`: beginning and end of
 * each in the line, in turn.
 */
export function foundParts({ text, at }: LinePart, marks: readonly number[]): readonly string[] {
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
