import type { Paged } from '#features/platform/index.ts';

/** Reads a page of a list, or of the server's results for `search` if that is given. */
export type ItemPage<T> = (request: {
  readonly search?: string | undefined;
  readonly after?: string | undefined;
}) => Promise<Paged<T>>;

/**
 * Finds an item in a list that the platform can only search by text: in the results for each of `words`, or else in the whole
 * list, page by page. Code that overwrites an item by its id must have read it first.
 */
export async function findItem<T>(
  page: ItemPage<T>,
  fits: (item: T) => boolean,
  terms: readonly string[],
): Promise<T | undefined> {
  for (const search of new Set(terms)) {
    const found = (await page({ search })).items.find((item) => fits(item));
    if (found !== undefined) return found;
  }
  let after: string | undefined;
  do {
    const { items, next } = await page({ after });
    const found = items.find((item) => fits(item));
    if (found !== undefined) return found;
    after = next;
  } while (after !== undefined);
  return undefined;
}
