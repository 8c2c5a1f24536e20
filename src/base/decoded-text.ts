/** Decodes UTF-8 and drops a byte order mark; invalid bytes become U+FFFD. Returns `undefined` for `undefined`. */
export function decodedText(bytes: Uint8Array): string;
export function decodedText(bytes: Uint8Array | undefined): string | undefined;
export function decodedText(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes);
}
