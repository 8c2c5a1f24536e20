import type { Column } from '#base/cells.ts';

/** Cells as shown: text, or `null` for NULL. */
export type Cells = readonly (string | null)[];

/** Widths of columns, in pixels. */
const narrowest = 48;
const widest = 320;
const perCharacter = 7.5;
/** Names are bold. */
const perBold = 8.5;
const around = 28;

/** Returns column widths that fit the names and the given rows, within limits. */
export function fittingWidths(columns: readonly Column[], rows: readonly Cells[]): readonly number[] {
  return columns.map(({ name }, at) => {
    const longest = rows.reduce((most, cells) => Math.max(most, lettersIn(cells[at] ?? '')), 0);
    const content = Math.max(longest * perCharacter, lettersIn(name) * perBold);
    return Math.round(Math.min(widest, Math.max(narrowest, content + around)));
  });
}

/** Counts letters of Chinese, Japanese and Korean as two: they are as wide. */
function lettersIn(text: string): number {
  return text.length + (text.match(/[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff01-\uff60]/g)?.length ?? 0);
}

/** Returns the widths after one column was widened by `by` pixels (narrowed if negative). */
export function resized(widths: readonly number[], column: number, by: number): readonly number[] {
  return widths.map((width, at) => (at === column ? Math.max(narrowest, width + by) : width));
}

/** Returns the left edge of each column in pixels, followed by the right edge of the last one. */
export function edgesOf(widths: readonly number[]): readonly number[] {
  const edges = [0];
  for (const width of widths) edges.push((edges.at(-1) ?? 0) + width);
  return edges;
}

/** Returns the columns that a section of the grid shows, from `first` up to but not including `last`. */
export function columnsInSight(
  edges: readonly number[],
  { left, width }: { readonly left: number; readonly width: number },
): { readonly first: number; readonly last: number } {
  const count = edges.length - 1;
  let first = 0;
  while (first < count - 1 && (edges[first + 1] ?? 0) <= left) first += 1;
  let last = first;
  while (last < count && (edges[last] ?? 0) < left + width) last += 1;
  return { first, last: Math.max(last, Math.min(count, first + 1)) };
}
