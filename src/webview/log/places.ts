/** A part of a line: plain, or the name of a file of the model with what leads there. */
export interface LinePart {
  readonly text: string;
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
    if (match.index > end) parts.push({ text: line.slice(end, match.index) });
    parts.push({ text, file: { path, line: numberOf(row), column: numberOf(column) } });
    end = match.index + text.length;
  }
  if (end < line.length) parts.push({ text: line.slice(end) });
  return parts;
}

/** Cuts a text where it has what is looked for; every second part is such a place. */
export function foundParts(text: string, pattern: RegExp | undefined): readonly string[] {
  if (!pattern) return [text];
  const parts: string[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))) {
    if (found === '') continue;
    parts.push(text.slice(end, index), found);
    end = index + found.length;
  }
  return [...parts, text.slice(end)];
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}
