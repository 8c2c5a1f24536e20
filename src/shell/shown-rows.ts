import { isPlatformError } from '#api/errors.ts';

/**
 * Resolves to the rows of a list whose fields are not documented, or to `undefined` if the platform has no such list or returns
 * rows that cannot be parsed. The user can then type a value instead of choosing one.
 */
export async function shownRows<T>(
  list: () => Promise<{ readonly data: readonly T[] }>,
): Promise<readonly T[] | undefined> {
  try {
    return (await list()).data;
  } catch (error) {
    if (isPlatformError(error, 'notFound') || isPlatformError(error, 'invalidResponse')) return undefined;
    throw error;
  }
}
