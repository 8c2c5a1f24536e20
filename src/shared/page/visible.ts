import { STRAY } from '#base/stray-characters.ts';

/**
 * Characters that reverse or hide the text around them, or are not drawn at all (blanks without width, fillers, tags): shown by their code,
 * so that nothing reads other than it is. Line ends of other kinds are among them.
 */
const HIDDEN =
  /[[\p{DI}\p{Cc}\u{2028}\u{2029}\u{fff9}-\u{fffb}]--[\t\n\r\u{ad}\p{Join_Control}\p{Variation_Selector}]]/v;
/** A place to break a word is drawn nowhere else; within a name it only makes it another one. */
const SOFT_HYPHENS = /(?<=[\u{21}-\u{7e}])\u{ad}|\u{ad}(?=[\u{21}-\u{7e}])/v;
const ALL = new RegExp(`${HIDDEN.source}|${SOFT_HYPHENS.source}|${STRAY.source}`, 'gv');

/** Makes characters that reverse or hide text visible in text from the platform or its agent, for a text node. */
export function visible(text: string): string {
  return text.replace(ALL, codeOf);
}

/** Makes them visible in a name, with its tabs and line ends: drawn on one line, they would read as blanks. */
export function visibleName(name: string): string {
  return visible(name).replace(/[\t\n\r]/g, codeOf);
}

function codeOf(character: string): string {
  return `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase()}⟩`;
}
