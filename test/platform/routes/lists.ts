import { invalid } from '../core/refusal.ts';

export interface OffsetQuery {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** One page of an offset list (docs/platform-api.md#lists and 8: defaults 0 and 20). */
export function offsetPage<T>(
  rows: readonly T[],
  query: OffsetQuery,
): { readonly rows: readonly T[]; readonly pagination: { offset: number; limit: number; total: number } } {
  const offset = query.offset ?? 0;
  const limit = query.limit ?? 20;
  return { rows: rows.slice(offset, offset + limit), pagination: { offset, limit, total: rows.length } };
}

/** What a cursor list is sorted by: a row's value, and its id where values are equal. */
export interface SortKey {
  readonly value: string;
  readonly id: number;
}

export interface CursorQuery {
  readonly first?: number | undefined;
  readonly after?: string | undefined;
}

/**
 * One page of a cursor list with the deprecated `data` and `count` beside it (docs/platform-api.md#lists). The cursor holds a sort
 * key, not a position: what is added or deleted in between neither repeats nor hides a row.
 * @param rows sorted ascending by `keyOf`
 */
export function cursorPage<Row>(
  rows: readonly Row[],
  query: CursorQuery,
  keyOf: (row: Row) => SortKey,
  toItem: (row: Row) => object,
): object {
  const after = query.after === undefined ? undefined : decodeCursor(query.after);
  const rest = after === undefined ? rows : rows.filter((row) => compare(keyOf(row), after) > 0);
  const page = rest.slice(0, query.first ?? 50);
  const last = page.at(-1);
  const items = page.map(toItem);
  return {
    items,
    pageInfo: {
      hasNextPage: page.length < rest.length,
      endCursor: last === undefined ? null : Buffer.from(JSON.stringify(keyOf(last))).toString('base64url'),
    },
    data: items,
    count: rows.length,
  };
}

/** Orders sort keys as SQLite's binary collation does. */
export function compare(a: SortKey, b: SortKey): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return a.id - b.id;
}

function decodeCursor(cursor: string): SortKey {
  try {
    const key = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as Partial<SortKey>;
    if (typeof key.value === 'string' && typeof key.id === 'number') return { value: key.value, id: key.id };
  } catch {
    // Refused below, like a cursor of another list.
  }
  throw invalid('after: must be an endCursor of this list');
}
