import { textHash } from '#base/text-hash.ts';

/** Returns eight hexadecimal digits that stand for an account, because document URIs must not contain the tenant. */
export function shortId(accountId: string): string {
  return textHash(accountId).toString(16).padStart(8, '0');
}
