import type { Column } from '#base/cells.ts';

/** Cells as they are shown: text, or `null` for NULL. */
export type Cells = readonly (string | null)[];

/** Widths of columns, in pixels. */
const narrowest = 48;
const widest = 320;
const perCharacter = 7.5;
const around = 28;

/** A width for each column in which its name and the given rows fit, as far as that is not too wide. */
export function fittingWidths(columns: readonly Column[], rows: readonly Cells[]): readonly number[] {
  return columns.map(({ name }, at) => {
    const longest = rows.reduce((most, cells) => Math.max(most, cells[at]?.length ?? 0), name.length);
    return Math.round(Math.min(widest, Math.max(narrowest, longest * perCharacter + around)));
  });
}

/** The widths after one column was made wider by so many pixels, or narrower. */
export function resized(widths: readonly number[], column: number, by: number): readonly number[] {
  return widths.map((width, at) => (at === column ? Math.max(narrowest, width + by) : width));
}

/** Where each column begins, in pixels; the last number is where the last column ends. */
export function edgesOf(widths: readonly number[]): readonly number[] {
  const edges = [0];
  for (const width of widths) edges.push((edges.at(-1) ?? 0) + width);
  return edges;
}

/** The columns that a part of the grid shows, from `first` up to the one before `last`. */
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
