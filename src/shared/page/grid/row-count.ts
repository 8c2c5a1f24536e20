import { plural } from '#base/words.ts';

/** The number of rows to show. */
export interface RowCount {
  /** Rows that pass the filter. */
  readonly count: number;
  /** Rows that have arrived. */
  readonly loaded: number;
  /** Whether the result has more rows than were loaded. */
  readonly isCut: boolean;
}

/** Describes the number of rows, and the limits of sorting and filtering, in a sentence without its period. */
export function rowCountText({ count, loaded, isCut }: RowCount): string {
  const rows = plural(loaded, 'row');
  const shown = count === loaded ? rows : `${count.toLocaleString('en')} of ${rows}`;
  return isCut ? `${shown} were loaded; the result has more. Sorting and filtering cover the loaded rows only` : shown;
}
