interface Counts {
  /** Rows that the filter leaves. */
  readonly shown: number;
  /** Rows that the host holds. */
  readonly loaded: number;
  /** Rows that the query has. */
  readonly total: number;
}

/** How many rows there are and how many of them are here, so that loaded rows are not taken for all of them. */
export function rowCountText({ shown, loaded, total }: Counts): string {
  const isWhole = loaded >= total;
  if (shown < loaded) {
    return isWhole ? `${number(shown)} of ${rows(total)}` : `${number(shown)} of the ${rows(loaded)} loaded; ${scope}`;
  }
  return isWhole ? rows(total) : `${number(loaded)} of ${rows(total)} loaded; ${scope}`;
}

/** The same for the line above a result in its own order. */
export function loadedText(loaded: number, total: number): string {
  return loaded >= total ? rows(total) : `${number(loaded)} of ${rows(total)} loaded`;
}

const scope = 'sorting and filtering cover the loaded rows only';
const number = (count: number): string => count.toLocaleString('en');
const rows = (count: number): string => `${number(count)} ${count === 1 ? 'row' : 'rows'}`;
