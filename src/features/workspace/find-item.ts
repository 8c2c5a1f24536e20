import type { Paged } from '#features/platform/index.ts';

/** A page of a list, of what the server finds for `search` where that is given. */
export type ItemPage<T> = (request: {
  readonly search?: string | undefined;
  readonly after?: string | undefined;
}) => Promise<Paged<T>>;

/**
 * The item that fits, of a list that the platform searches by words only: among what it finds for each of the words, else
 * in the whole list, page by page. Who overwrites something by an id must have seen it first.
 */
export async function findItem<T>(
  page: ItemPage<T>,
  fits: (item: T) => boolean,
  words: readonly string[],
): Promise<T | undefined> {
  for (const search of new Set(words)) {
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
