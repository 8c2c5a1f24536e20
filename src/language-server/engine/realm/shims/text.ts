/** UTF-8 in plain JavaScript, because the realm has no encoder of its own. */
export class Encoder {
  readonly encoding = 'utf-8';

  encode(text = ''): Uint8Array {
    // `unescape` turns the percent encoding back into one character per byte.
    const binary = unescape(encodeURIComponent(text.toWellFormed()));
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  }

  encodeInto(text: string, target: Uint8Array): { readonly read: number; readonly written: number } {
    const bytes = this.encode(text);
    target.set(bytes);
    return { read: text.length, written: bytes.length };
  }
}

const CHUNK = 8192;

export class Decoder {
  readonly encoding = 'utf-8';

  decode(bytes?: Uint8Array): string {
    if (!bytes) return '';
    let binary = '';
    for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
    return decodeURIComponent(escape(binary));
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Returns the bytes of a base64 text. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const values = new Uint8Array(128);
  for (let at = 0; at < ALPHABET.length; at++) values[ALPHABET.charCodeAt(at)] = at;
  const value = (at: number): number => values[text.charCodeAt(at)] ?? 0;
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let at = 0, to = 0; at < text.length; at += 4, to += 3) {
    const group = (value(at) << 18) | (value(at + 1) << 12) | (value(at + 2) << 6) | value(at + 3);
    bytes[to] = group >> 16;
    if (to + 1 < bytes.length) bytes[to + 1] = (group >> 8) & 255;
    if (to + 2 < bytes.length) bytes[to + 2] = group & 255;
  }
  return bytes;
}
