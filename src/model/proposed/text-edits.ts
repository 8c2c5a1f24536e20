/** A text in the place of a range. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with all edits made; those of one place in their order. They must not overlap. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.map((edit, at) => ({ edit, at })).sort((a, b) => a.edit.start - b.edit.start || a.at - b.at);
  let result = '';
  let from = 0;
  for (const { edit } of sorted) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}

/** How far a position is from the start of its line. */
export function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

/** The end of the line that a position is in. */
export function lineEndOf(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Moves all lines but the first to the left or to the right, as far as they have the space. */
export function shifted(text: string, by: number): string {
  const [first = '', ...rest] = text.split('\n');
  return [first, ...rest.map((line) => moved(line, by))].join('\n');
}

/** All lines, moved to the right. */
export function indented(text: string, by: number): string {
  return text
    .split('\n')
    .map((line) => moved(line, by))
    .join('\n');
}

/** Without the indentation that all lines have, and with spaces for the tabs that lines begin with. */
export function dedented(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^[ \t]+/, (space) => space.replaceAll('\t', '  ')));
  const full = lines.filter((line) => line.trim() !== '');
  const indent = Math.min(...full.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => (line.trim() === '' ? '' : line.slice(indent))).join('\n');
}

function moved(line: string, by: number): string {
  if (line.trim() === '') return line;
  if (by >= 0) return ' '.repeat(by) + line;
  const space = line.length - line.trimStart().length;
  return line.slice(Math.min(-by, space));
}

/** The lines right above an offset that are comments beginning with `mark`, indented by `column`. */
export function commentsAbove(text: string, at: number, mark: '#' | '//', column: number): string {
  const lines = text
    .slice(0, at - columnOf(text, at))
    .split('\n')
    .slice(0, -1);
  const from = lines.findLastIndex((line) => !line.trim().startsWith(mark)) + 1;
  return lines
    .slice(from)
    .map((line) => `${' '.repeat(column)}${line.trim()}\n`)
    .join('');
}
