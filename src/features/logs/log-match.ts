/** Runs work that may never end; false where it was stopped. What it has done until then counts. */
export type Bounded = (work: () => void) => boolean;

/** What an expression finds among lines. */
export interface Tried {
  /** Lines that were searched; none where the first of them takes too long. */
  readonly seen: number;
  /** Those that have it, by their index. */
  readonly hits: readonly number[];
}

/** How long lines are searched before the host does something else, in milliseconds. */
const slice = 10;

/** How often an expression may run out of time on one line before it is given up: the machine may be busy. */
export const mostTries = 3;

/** What is said about an expression that does not end. */
export const tooSlow =
  'This expression is too slow for a line of this log and is not applied. Simplify it: nested repetitions such as (a+)+ are slow.';

/** Searches lines for an expression, from the first on, for a short while. */
export function tryLines(bounded: Bounded, pattern: RegExp, lines: readonly string[]): Tried {
  const hits: number[] = [];
  let seen = 0;
  bounded(() => {
    const end = Date.now() + slice;
    while (seen < lines.length && (seen === 0 || Date.now() <= end)) {
      if (pattern.test(lines[seen] ?? '')) hits.push(seen);
      seen += 1;
    }
  });
  // The work may have been stopped between a hit and its count.
  return { seen, hits: hits.filter((hit) => hit < seen) };
}

/** Where an expression is in each line: beginning and end in turn. Lines on which it does not end have none. */
export function marksIn(
  bounded: Bounded,
  pattern: RegExp | undefined,
  lines: readonly string[],
): readonly (readonly number[])[] {
  const marks: (readonly number[])[] = [];
  if (pattern) {
    const everywhere = new RegExp(pattern.source, `${pattern.flags}g`);
    bounded(() => {
      for (const line of lines) marks.push(marksOf(everywhere, line));
    });
  }
  return lines.map((_, at) => marks[at] ?? []);
}

function marksOf(pattern: RegExp, line: string): readonly number[] {
  const marks: number[] = [];
  for (const { 0: found, index } of line.matchAll(pattern)) {
    if (found !== '') marks.push(index, index + found.length);
  }
  return marks;
}
