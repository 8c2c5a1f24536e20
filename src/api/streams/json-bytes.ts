const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** Replaces a lone surrogate, as all text encodings do. */
const REPLACEMENT = 0xfffd;
/** The meaning of the letter after a backslash. */
const MEANINGS: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const SIGNS: ReadonlyMap<number, number> = new Map(
  Object.entries(MEANINGS).map(([letter, sign]) => [letter.charCodeAt(0), sign.charCodeAt(0)]),
);

/**
 * Converts a JSON string to UTF-8, given its bytes between the quotes, which are modified; returns undefined for an
 * invalid escape. It works in place, because a branch of ten thousand files would otherwise leave a gigabyte of strings
 * behind.
 */
export function unescapeBytes(bytes: Uint8Array): Uint8Array | undefined {
  let from = bytes.indexOf(BACKSLASH);
  if (from === -1) return bytes;
  // An escape is never shorter than its UTF-8 bytes.
  let to = from;
  while (from !== -1) {
    const escape = escapeAt(bytes, from);
    if (!escape) return undefined;
    to = write(bytes, to, escape.point);
    const rest = from + escape.length;
    from = bytes.indexOf(BACKSLASH, rest);
    const end = from === -1 ? bytes.length : from;
    bytes.copyWithin(to, rest, end);
    to += end - rest;
  }
  return bytes.subarray(0, to);
}

/** Returns the code point of an escape, or of a surrogate pair of two, and its length. */
function escapeAt(bytes: Uint8Array, at: number): { readonly point: number; readonly length: number } | undefined {
  const sign = SIGNS.get(bytes[at + 1] ?? 0);
  if (sign !== undefined) return { point: sign, length: 2 };
  const unit = unitAt(bytes, at);
  if (unit === undefined) return undefined;
  if (isLow(unit)) return { point: REPLACEMENT, length: 6 };
  if (!isHigh(unit)) return { point: unit, length: 6 };
  const low = unitAt(bytes, at + 6);
  if (low === undefined || !isLow(low)) return { point: REPLACEMENT, length: 6 };
  return { point: 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), length: 12 };
}

/** Returns the UTF-16 unit of a `\uXXXX` at a position; undefined if there is none. */
function unitAt(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U || at + 6 > bytes.length) return undefined;
  let unit = 0;
  for (let digit = at + 2; digit < at + 6; digit++) {
    const value = hexOf(bytes[digit] ?? 0);
    if (value === undefined) return undefined;
    unit = unit * 16 + value;
  }
  return unit;
}

function hexOf(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : undefined;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Writes a code point as UTF-8 and returns the position after it. */
function write(bytes: Uint8Array, at: number, point: number): number {
  if (point < 0x80) {
    bytes[at] = point;
    return at + 1;
  }
  const more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  const head = [0, 0xc0, 0xe0, 0xf0][more] ?? 0;
  bytes[at] = head | (point >> (6 * more));
  for (let left = more - 1; left >= 0; left--) bytes[at + more - left] = 0x80 | ((point >> (6 * left)) & 0x3f);
  return at + more + 1;
}
