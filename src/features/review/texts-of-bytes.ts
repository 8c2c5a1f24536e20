import { decodedText } from '#base/decoded-text.ts';
import { isText } from '#base/is-text.ts';
import { formatBytes } from '#base/words.ts';
import type { RowTexts } from './source.ts';

/**
 * Returns both texts of a file for its difference; `undefined`: there is no such file on this side. Content that is not UTF-8 has
 * no lines to compare: two versions of it could look the same although they are not.
 */
export function textsOfBytes(before: Uint8Array | undefined, after: Uint8Array | undefined): RowTexts {
  if (![before, after].every((bytes) => bytes === undefined || isText(bytes))) {
    return { before: undefined, after: undefined, note: noteOf(before, after) };
  }
  const texts = { before: decodedText(before), after: decodedText(after) };
  const isMark = before && after && texts.before === texts.after && !isSame(before, after);
  return isMark ? { ...texts, note: 'Only the byte order mark differs.' } : texts;
}

function noteOf(before: Uint8Array | undefined, after: Uint8Array | undefined): string {
  if (before && after && isSame(before, after)) return 'The content is the same.';
  const sizes = [before, after].flatMap((bytes) => (bytes ? [formatBytes(bytes.length)] : []));
  return `This file is not UTF-8 text, so its difference is not shown (${sizes.join(' → ')}).`;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
