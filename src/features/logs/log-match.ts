/** Runs work that may never terminate; returns `false` if it was stopped. The work done until then counts. */
export type Bounded = (work: () => void) => boolean;

/** The matches of an expression in a list of lines. */
export interface Tried {
  /** The number of lines that were searched; zero if the first one takes too long. */
  readonly seen: number;
  /** The indexes of the matching lines. */
  readonly hits: readonly number[];
}

/** How long to search lines before yielding to the host, in milliseconds. */
const slice = 10;

/** How often an expression may time out on one line before it is given up, because the machine may be busy. */
export const mostTries = 3;

/** The message for an expression that never terminates. */
export const tooSlow =
  'This expression is too slow for a line of this log and is not applied. Simplify it: nested repetitions such as (a+)+ are slow.';

/** Searches lines for an expression, starting with the first, for a short time. */
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

/**
 * Returns the matches of an expression in each line: start and end offsets in turn. Lines on which it never terminates have none.
 */
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
