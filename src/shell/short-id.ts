import { textHash } from '#base/text-hash.ts';

/** Eight hexadecimal digits for an account: addresses of documents carry no tenant. */
export function shortId(accountId: string): string {
  return textHash(accountId).toString(16).padStart(8, '0');
}
