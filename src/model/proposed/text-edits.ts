import { smallest } from '#base/long-lists.ts';
import type { TextChange } from '#base/text-change.ts';

/** Returns the text with all edits applied; those at one position in their order. They must not overlap. */
export function withEdits(text: string, edits: readonly TextChange[]): string {
  const sorted = edits.map((edit, at) => ({ edit, at })).sort((a, b) => a.edit.start - b.edit.start || a.at - b.at);
  let result = '';
  let from = 0;
  for (const { edit } of sorted) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}

/** Returns the distance of a position from the start of its line. */
export function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

/** Returns the end of the line that contains a position. */
export function lineEndOf(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Moves all lines except the first to the left or right, as far as they have the space. */
export function shifted(text: string, by: number): string {
  const [first = '', ...rest] = text.split('\n');
  return [first, ...rest.map((line) => moved(line, by))].join('\n');
}

/** Indents all lines. */
export function indented(text: string, by: number): string {
  return text
    .split('\n')
    .map((line) => moved(line, by))
    .join('\n');
}

/** Removes the indentation common to all lines, and replaces leading tabs by spaces. */
export function dedented(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^[ \t]+/, (space) => space.replaceAll('\t', '  ')));
  const full = lines.filter((line) => line.trim() !== '');
  const indent = smallest(full.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => (line.trim() === '' ? '' : line.slice(indent))).join('\n');
}

function moved(line: string, by: number): string {
  if (line.trim() === '') return line;
  if (by >= 0) return ' '.repeat(by) + line;
  const space = line.length - line.trimStart().length;
  return line.slice(Math.min(-by, space));
}

/** Returns the lines directly above an offset that are comments beginning with `mark`, indented by `column`. */
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
