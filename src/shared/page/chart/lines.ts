import { append } from '#base/long-lists.ts';
/** The average width of a letter in a title, and that of a wide one such as a Chinese letter, in pixels. */
const letter = 7.5;
const wideLetter = 14;
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]|\p{Extended_Pictographic}/u;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Breaks a text into lines that are at most `width` pixels wide: between words, and within a word only where it is longer than a
 * line, as texts are that have no spaces. Of more than `most` lines, the last one ends with an ellipsis.
 */
export function linesOf(text: string, width: number, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && fits(`${last} ${word}`, width)) lines[lines.length - 1] = `${last} ${word}`;
    else append(lines, brokenWord(word, width));
    if (lines.length > most) return [...lines.slice(0, most - 1), `${lines[most - 1]}…`];
  }
  return lines;
}

/** Breaks a word that is longer than a line, where possible between the words that its language does not separate by spaces. */
function brokenWord(word: string, width: number): readonly string[] {
  if (fits(word, width)) return [word];
  const pieces = segmentsOf(words, word).flatMap((piece) =>
    fits(piece, width) ? [piece] : segmentsOf(letters, piece),
  );
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && fits(last + piece, width)) lines[lines.length - 1] = last + piece;
    else lines.push(piece);
  }
  return lines;
}

function segmentsOf(segmenter: Intl.Segmenter, text: string): readonly string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

function fits(text: string, width: number): boolean {
  return segmentsOf(letters, text).reduce((sum, each) => sum + (wide.test(each) ? wideLetter : letter), 0) <= width;
}
