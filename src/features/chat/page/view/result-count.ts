import { plural } from '#base/words.ts';

interface Counts {
  /** The number of rows that pass the filter. */
  readonly shown: number;
  /** The number of rows that the host holds. */
  readonly loaded: number;
  /** The number of rows of the query. */
  readonly total: number;
}

/** Returns how many rows there are and how many of them are loaded, so that users do not mistake the loaded rows for all. */
export function resultCountText({ shown, loaded, total }: Counts): string {
  const isWhole = loaded >= total;
  if (shown < loaded) {
    return isWhole ? `${number(shown)} of ${rows(total)}` : `${number(shown)} of the ${rows(loaded)} loaded; ${scope}`;
  }
  return isWhole ? rows(total) : `${number(loaded)} of ${rows(total)} loaded; ${scope}`;
}

/** Returns the row count for the line above an unsorted, unfiltered result. */
export function loadedText(loaded: number, total: number): string {
  return loaded >= total ? rows(total) : `${number(loaded)} of ${rows(total)} loaded`;
}

const scope = 'sorting and filtering cover the loaded rows only';
const number = (count: number): string => count.toLocaleString('en');
const rows = (count: number): string => plural(count, 'row');
