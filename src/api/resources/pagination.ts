import { isEqual } from '#base/equal.ts';

/** One page of a list; `next` is the cursor of the following page, and missing on the last one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: string | undefined;
  /** The total number of items, if the server reports it. */
  readonly total?: number | undefined;
}

export interface PageRequest {
  readonly size: number;
  /** `next` of the previous page; undefined for the first page. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Loads a list page by page, whatever the server's way of paging: for trees, one call per page. */
export type PageLoader<T> = (page: PageRequest) => Promise<Page<T>>;

export interface ListOptions {
  /** The number of items per request; default 100. */
  readonly pageSize?: number | undefined;
  /** The maximum number of items that are read; default 100,000. */
  readonly maxItems?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const defaultPageSize = 100;
const defaultMaxItems = 100_000;

/** Yields every item of a list, and loads pages as needed. Returns whether the maximum cut it short. */
export async function* listItems<T>(load: PageLoader<T>, options: ListOptions = {}): AsyncGenerator<T, ListEnd> {
  const max = options.maxItems ?? defaultMaxItems;
  let left = max;
  for await (const page of listPages(load, options)) {
    for (const item of page.items) {
      if (left <= 0) return { truncated: true };
      left -= 1;
      yield item;
    }
    if (left <= 0) return { truncated: page.next !== undefined };
  }
  return { truncated: false };
}

export interface ListEnd {
  /** Whether there are more items than the maximum allows. */
  readonly truncated: boolean;
}

/** Yields every page of a list. A repeated cursor ends it, because the server is going in circles. */
async function* listPages<T>(load: PageLoader<T>, options: ListOptions = {}): AsyncGenerator<Page<T>, void> {
  const size = Math.min(options.pageSize ?? defaultPageSize, options.maxItems ?? defaultMaxItems);
  const seen = new Set<string>();
  let after: string | undefined;
  do {
    const page = await load({ size, after, signal: options.signal });
    yield page;
    after = page.next;
    if (after !== undefined && seen.has(after)) return;
    if (after !== undefined) seen.add(after);
  } while (after !== undefined);
}

/** Resolves to the whole list, up to the maximum. */
export async function collect<T>(
  load: PageLoader<T>,
  options: ListOptions = {},
): Promise<ListEnd & { readonly items: readonly T[] }> {
  const items: T[] = [];
  const list = listItems(load, options);
  for (;;) {
    const step = await list.next();
    if (step.done) return { items, truncated: step.value.truncated };
    items.push(step.value);
  }
}

interface OffsetAnswer<T> {
  readonly items: readonly T[];
  readonly pagination?: { readonly offset: number; readonly total: number } | undefined;
}

/**
 * Returns a loader for an offset list (docs/platform-api.md#lists): `load` gets `offset` and `limit`. Servers may send
 * fewer items than the limit, and no pagination block: such a list ends with a page without new items.
 */
export function offsetPages<T>(
  load: (window: { readonly offset: number; readonly limit: number }, signal?: AbortSignal) => Promise<OffsetAnswer<T>>,
): PageLoader<T> {
  let previous: readonly T[] = [];
  return async ({ size, after, signal }) => {
    const offset = after === undefined ? 0 : Number(after);
    const { items, pagination } = await load({ offset, limit: size }, signal);
    const isRepeated = !pagination && offset > 0 && isEqual(items, previous);
    previous = items;
    // A server without support for offsets sends everything again.
    if (isRepeated) return { items: [], next: undefined, total: undefined };
    const end = offset + items.length;
    const known = pagination !== undefined && pagination.offset === offset;
    const more = items.length > 0 && (known ? end < pagination.total : !pagination);
    return { items, next: more ? String(end) : undefined, total: pagination?.total };
  };
}

interface CursorAnswer<T> {
  readonly items: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined };
  /** Deprecated, but still a total where it is returned. */
  readonly count?: number | undefined;
}

/** Returns a loader for a cursor list (docs/platform-api.md#lists): `load` gets `first` and `after`. */
export function cursorPages<T>(
  load: (window: { readonly first: number; readonly after?: string }, signal?: AbortSignal) => Promise<CursorAnswer<T>>,
): PageLoader<T> {
  return async ({ size, after, signal }) => {
    const { items, pageInfo, count } = await load(
      after === undefined ? { first: size } : { first: size, after },
      signal,
    );
    const cursor = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined;
    return { items, next: cursor === '' || cursor === after ? undefined : cursor, total: count };
  };
}

interface ScimAnswer<T> {
  readonly Resources: readonly T[];
  readonly totalResults?: number | undefined;
}

/**
 * Returns a loader for a SCIM list (docs/platform-api.md#scim): `load` gets `count` and `startIndex`, which counts from
 * 1. Without `totalResults`, it ends with a page without new items.
 */
export function scimPages<T>(
  load: (
    window: { readonly count: number; readonly startIndex: number },
    signal?: AbortSignal,
  ) => Promise<ScimAnswer<T>>,
): PageLoader<T> {
  let previous: readonly T[] = [];
  return async ({ size, after, signal }) => {
    const startIndex = after === undefined ? 1 : Number(after);
    const { Resources: items, totalResults: total } = await load({ count: size, startIndex }, signal);
    const isRepeated = total === undefined && startIndex > 1 && isEqual(items, previous);
    previous = items;
    if (isRepeated) return { items: [], next: undefined, total };
    const next = startIndex + items.length;
    const more = items.length > 0 && (total === undefined || next <= total);
    return { items, next: more ? String(next) : undefined, total };
  };
}

/** Drops items whose key appeared before: an offset list that changes while it is read repeats some. */
export function distinct<T>(load: PageLoader<T>, keyOf: (item: T) => string): PageLoader<T> {
  let seen = new Set<string>();
  return async (page) => {
    if (page.after === undefined) seen = new Set();
    const answer = await load(page);
    const items = answer.items.filter((item) => {
      const key = keyOf(item);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    return { ...answer, items };
  };
}
