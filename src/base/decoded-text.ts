/**
 * The text of bytes in UTF-8, without a byte order mark; bytes that are not UTF-8 become U+FFFD. `undefined` where there are no
 * bytes.
 */
export function decodedText(bytes: Uint8Array): string;
export function decodedText(bytes: Uint8Array | undefined): string | undefined;
export function decodedText(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes);
}
