/** Encodes a text as UTF-8, with a byte order mark if the file that it replaces begins with one (`decodedText` drops it). */
export function encodedText(text: string, replaced: Uint8Array): Uint8Array {
  return new TextEncoder().encode(hasMark(replaced) ? `\uFEFF${text}` : text);
}

function hasMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}
