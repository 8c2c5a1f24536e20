/** Resolves to the SHA-1 hash as the platform formats it. */
export async function sha1(bytes: Uint8Array): Promise<string> {
  // The DOM types require memory that is not shared, which is always the case here.
  const digest = await crypto.subtle.digest('SHA-1', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
