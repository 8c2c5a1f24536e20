import { isPlatformError } from '#api/errors.ts';

/**
 * The rows of a list whose fields are not documented; `undefined` where the platform has no such list or answers rows that
 * cannot be read. What a user would choose from it can be typed then.
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
