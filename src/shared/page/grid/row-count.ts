/** How many rows there are to show. */
export interface RowCount {
  /** Rows that the filter leaves. */
  readonly count: number;
  /** Rows that have arrived. */
  readonly loaded: number;
  /** Whether the result has more rows than are kept. */
  readonly isCut: boolean;
}

/** The number of rows as a sentence without its end, and what sorting and filtering do not know. */
export function rowCountText({ count, loaded, isCut }: RowCount): string {
  const rows = `${loaded.toLocaleString('en')} ${loaded === 1 ? 'row' : 'rows'}`;
  const shown = count === loaded ? rows : `${count.toLocaleString('en')} of ${rows}`;
  return isCut ? `${shown} were loaded; the result has more. Sorting and filtering cover the loaded rows only` : shown;
}
