/** Eight hexadecimal digits for an account: addresses of documents carry no tenant. */
export function shortId(accountId: string): string {
  let hash = 0x81_1c_9d_c5;
  for (const byte of new TextEncoder().encode(accountId)) hash = Math.imul(hash ^ byte, 0x01_00_01_93) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
