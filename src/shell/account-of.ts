import { isObject } from '#api/schema.ts';

/** Finds the account id anywhere in what was stored of an account. */
export function accountOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { accountId } = value;
  if (typeof accountId === 'string') return accountId;
  return Object.values(value)
    .map((inner) => accountOf(inner))
    .find((found) => found !== undefined);
}
