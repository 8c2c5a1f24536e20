import { isDynamic } from './syntax/tree.ts';

/** Returns the candidate that the user most likely meant, if one is near enough. */
export function nearestName(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  const wanted = word.toLowerCase();
  for (const candidate of candidates) {
    // A name of which a template computes a part is none that can be written.
    if (Math.abs(candidate.length - word.length) >= least || isDynamic(candidate)) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), least);
    // Short names that have little in common are different names.
    if (distance < least && 2 * distance <= Math.max(word.length, candidate.length)) {
      best = candidate;
      least = distance;
    }
  }
  return best === word ? undefined : best;
}

/** Checks whether a word is a typo of one candidate, and no other candidate is as near. */
export function isTypo(word: string, meant: string, candidates: Iterable<string>): boolean {
  const wanted = word.toLowerCase();
  if (wanted.length < 4) return false;
  const near = new Set<string>();
  for (const candidate of candidates) if (editDistance(wanted, candidate.toLowerCase(), 2) < 2) near.add(candidate);
  return near.size === 1 && near.has(meant);
}

type Row = Uint32Array;

/** Rows of the table, which grow with the longest word: a model with one wrong name can compare hundreds of thousands of pairs. */
let rows: readonly [Row, Row, Row] = rowsFor(64);

function rowsFor(length: number): readonly [Row, Row, Row] {
  return [new Uint32Array(length + 1), new Uint32Array(length + 1), new Uint32Array(length + 1)];
}

/** Counts the insertions, deletions, replacements and swaps of neighbors between two words; gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (rows[0].length <= b.length) rows = rowsFor(2 * b.length);
  let [before, last, row] = rows;
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (isSwap(a, i, b, j)) value = Math.min(value, (before[j - 2] ?? 0) + 1);
      row[j] = value;
      least = Math.min(least, value);
    }
    if (least >= limit) return limit;
    [before, last, row] = [last, row, before];
  }
  return last[b.length] ?? limit;
}

/** Whether the two letters before `i` and before `j` are the same in the other order. */
function isSwap(a: string, i: number, b: string, j: number): boolean {
  return i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
}
