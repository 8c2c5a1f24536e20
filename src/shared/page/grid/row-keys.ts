import { useRef } from 'preact/hooks';

/** The drawn rows, from `first` up to but not including `last`, and the offset from a row's index to its key. */
export interface DrawnRows {
  readonly first: number;
  readonly last: number;
  readonly shift: number;
}

/**
 * Returns the rows to draw next, with their keys. A row that stays visible keeps its key and therefore its elements. If none
 * stays visible, the new rows reuse the keys: changing the text of elements is much cheaper than creating elements.
 */
export function nextRows(before: DrawnRows, { first, last }: Pick<DrawnRows, 'first' | 'last'>): DrawnRows {
  const overlaps = first < before.last && last > before.first;
  return { first, last, shift: overlaps ? before.shift : before.shift + before.first - first };
}

/** Returns a function that gives each drawn row its key. */
export function useRowKeys(rows: Pick<DrawnRows, 'first' | 'last'>): (index: number) => number {
  const drawn = useRef<DrawnRows>({ first: 0, last: 0, shift: 0 });
  const next = nextRows(drawn.current, rows);
  drawn.current = next;
  return (index) => index + next.shift;
}
