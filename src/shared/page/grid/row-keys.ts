import { useRef } from 'preact/hooks';

/** Which rows are drawn, up to the one before `last`, and what is added to the number of a row to get its key. */
export interface DrawnRows {
  readonly first: number;
  readonly last: number;
  readonly shift: number;
}

/**
 * The keys of the rows that are drawn next. A row that stays in sight keeps its key and so its elements. Where all rows are
 * others than before, they take the keys of those: changing the texts of elements costs a part of making elements.
 */
export function nextRows(before: DrawnRows, { first, last }: Pick<DrawnRows, 'first' | 'last'>): DrawnRows {
  const overlaps = first < before.last && last > before.first;
  return { first, last, shift: overlaps ? before.shift : before.shift + before.first - first };
}

/** Gives the key of each row that is drawn. */
export function useRowKeys(rows: Pick<DrawnRows, 'first' | 'last'>): (index: number) => number {
  const drawn = useRef<DrawnRows>({ first: 0, last: 0, shift: 0 });
  const next = nextRows(drawn.current, rows);
  drawn.current = next;
  return (index) => index + next.shift;
}
