/** The text of bytes in UTF-8, without a byte order mark; `undefined` where there are none. */
export function decodedText(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes);
}
