/** Whether bytes are text that can be edited and written back unchanged: UTF-8 without the character NUL. */
export function isText(bytes: Uint8Array | undefined): bytes is Uint8Array {
  if (bytes === undefined || bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
