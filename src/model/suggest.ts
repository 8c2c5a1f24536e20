/** Returns the candidate that the user most likely meant, if one is near enough. */
export function nearestName(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  const wanted = word.toLowerCase();
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), least);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best === word ? undefined : best;
}

/** Checks whether a word is a typo of one candidate, and no other candidate is as near. */
export function isSlip(word: string, meant: string, candidates: Iterable<string>): boolean {
  const wanted = word.toLowerCase();
  if (wanted.length < 4) return false;
  const near = new Set<string>();
  for (const candidate of candidates) if (editDistance(wanted, candidate.toLowerCase(), 2) < 2) near.add(candidate);
  return near.size === 1 && near.has(meant);
}

/** Counts the insertions, deletions, replacements and swaps of neighbors between two words; gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) value = Math.min(value, (before[j - 2] ?? 0) + 1);
      row.push(value);
    }
    if (Math.min(...row) >= limit) return limit;
    before = last;
    last = row;
  }
  return last[b.length] ?? limit;
}
