/** Resolves to a hash that identifies a text. Line endings and a byte order mark do not affect it, as in an editor. */
export async function contentHash(content: string): Promise<string> {
  const bytes = new TextEncoder().encode(content.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest.subarray(0, LENGTH), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Bytes of the hash that are used: enough that finding another text with the same hash is not feasible. */
const LENGTH = 20;
