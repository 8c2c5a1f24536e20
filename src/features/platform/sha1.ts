/** SHA-1, as the platform counts it. */
export async function sha1(bytes: Uint8Array): Promise<string> {
  // The DOM types want to know that the memory is not shared; it never is here.
  const digest = await crypto.subtle.digest('SHA-1', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
