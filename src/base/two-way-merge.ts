import { unreachable } from './result.ts';
import { linesOf, matches } from './merge-lines.ts';

/** A region of two versions of a text whose common ancestor is not known. */
export type MergeRegion =
  /** Lines that both versions have. */
  | { readonly kind: 'common'; readonly text: string }
  /** The same lines with other line endings. */
  | { readonly kind: 'lineEndings'; readonly mine: string; readonly theirs: string }
  /** Lines that differ. One version may have none: without an ancestor, an addition looks like a deletion. */
  | { readonly kind: 'conflict'; readonly mine: string; readonly theirs: string };

/**
 * Compares two versions line by line, as Git does for a file that both sides added: common lines stand once, and each place where
 * the versions differ is a region of its own. Each version is the concatenation of its side of all regions
 * (docs/sync.md#conflicts).
 */
export function mergeTwoWay(mine: string, theirs: string): readonly MergeRegion[] {
  const [ours, others] = [linesOf(mine), linesOf(theirs)];
  const matched = matches(ours.map(withoutEnding), others.map(withoutEnding));
  const regions: MergeRegion[] = [];
  let [a, b] = [0, 0];
  const differ = (endA: number, endB: number): void => {
    if (a < endA || b < endB) {
      regions.push({ kind: 'conflict', mine: ours.slice(a, endA).join(''), theirs: others.slice(b, endB).join('') });
    }
  };
  for (const [line, at] of matched.entries()) {
    if (at === undefined) continue;
    differ(line, at);
    addMatch(regions, ours[line] ?? '', others[at] ?? '');
    [a, b] = [line + 1, at + 1];
  }
  differ(ours.length, others.length);
  return regions;
}

/** Returns the lines of `theirs` in a region, or `atConflict` in place of a conflict. */
function theirLines(region: MergeRegion, atConflict: string): string {
  switch (region.kind) {
    case 'common':
      return region.text;
    case 'lineEndings':
      return region.theirs;
    case 'conflict':
      return atConflict;
    default:
      return unreachable(region);
  }
}

/**
 * Returns a text that can stand in for the common ancestor of two versions: the lines of both, and a marker line wherever they
 * differ. In a three-way merge with it, each difference is a conflict, and one that was left open is visible in the result.
 * Line endings are those of `theirs`, so that mine count as the only change.
 */
export function standInBase(mine: string, theirs: string): string {
  let marker = '<<<<<<< Choose a version of these lines';
  while (mine.includes(marker) || theirs.includes(marker)) marker += '.';
  const ending = /\r?\n/.exec(theirs)?.[0] ?? '\n';
  const lines = mergeTwoWay(mine, theirs).map((region) => theirLines(region, marker + ending));
  return lines.map((text, index) => (index < lines.length - 1 && !text.endsWith('\n') ? text + ending : text)).join('');
}

/** Adds a line that both versions have to the last region, or to a new one. */
function addMatch(regions: MergeRegion[], mine: string, theirs: string): void {
  const last = regions.at(-1);
  if (mine === theirs) {
    if (last?.kind === 'common') regions.splice(-1, 1, { kind: 'common', text: last.text + mine });
    else regions.push({ kind: 'common', text: mine });
  } else if (last?.kind === 'lineEndings') {
    regions.splice(-1, 1, { kind: 'lineEndings', mine: last.mine + mine, theirs: last.theirs + theirs });
  } else {
    regions.push({ kind: 'lineEndings', mine, theirs });
  }
}

function withoutEnding(line: string): string {
  return line.replace(/\r?\n$/, '');
}
