/** A text with the cursor behind a part of one word, and the text that its completion must give. */
export interface Cut {
  readonly what: string;
  readonly word: string;
  readonly text: string;
  readonly sound: string;
}

/** Yields each word between `‹` and `›` of a text cut back to some of its characters. */
export function* cutsOf(marked: string): Iterable<Cut> {
  const plain = (text: string): string => text.replaceAll(/[‹›]/g, '');
  const sound = plain(marked);
  for (const { 1: word = '', index, 0: whole } of marked.matchAll(/‹([^›\n]+)›/g)) {
    const before = plain(marked.slice(0, index));
    const after = plain(marked.slice(index + whole.length));
    for (const length of new Set([0, 1, Math.floor(word.length / 2)])) {
      const typed = before + word.slice(0, length);
      const what = `${typed.slice(typed.lastIndexOf('\n') + 1).trim()}|${after.split('\n')[0] ?? ''}`;
      yield { what, word, text: `${typed}$0${after}`, sound };
    }
  }
}
