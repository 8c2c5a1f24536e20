/** The end of a text that grows, from position `at` on. */
export interface RecentText {
  readonly at: number;
  readonly text: string;
}

/** How long the end becomes before another one begins, in characters. */
const LONGEST = 4_096;

/** The end of `text` with `more` appended. */
export function withMore(recent: RecentText | undefined, text: string, more: string): RecentText {
  if (!recent || recent.text.length > LONGEST) return { at: text.length, text: more };
  return { at: recent.at, text: recent.text + more };
}

/**
 * `text` from a position on. Cutting a string that was put together piece by piece copies all of it, so the end is taken
 * where it is long enough: a long answer is not copied for each word.
 */
export function textFrom(text: string, from: number, recent: RecentText | undefined): string {
  return recent && from >= recent.at ? recent.text.slice(from - recent.at) : text.slice(from);
}
