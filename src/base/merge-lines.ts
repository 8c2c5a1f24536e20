import { append } from './long-lists.ts';
import { diffArrays } from 'diff';

/** The result of a three-way merge. */
export interface MergedLines {
  /** Both sides' changes; where both changed the same lines, the base's lines or, on request, mine. */
  readonly text: string;
  /** How many regions both sides changed differently. */
  readonly conflicts: number;
}

/** With more differing lines than this, common lines are sought between lines that both texts have once: all would cost too much. */
const mostEdits = 400;

/** A region of a three-way merge. */
export type ThreeWayRegion =
  /** Lines that no side changed, that one side changed, or that both changed alike. */
  | { readonly kind: 'merged'; readonly text: string }
  /** Lines that both sides changed differently. */
  | { readonly kind: 'conflict'; readonly base: string; readonly mine: string; readonly theirs: string };

/**
 * Merges three versions line by line (diff3): takes changes that only one side made and treats adjacent changes as one. Line
 * endings belong to their lines, so a side with different line endings differs everywhere.
 */
export function mergeLines(
  base: string,
  mine: string,
  theirs: string,
  atConflict: 'base' | 'mine' = 'base',
): MergedLines {
  const regions = mergeThreeWay(base, mine, theirs);
  return {
    text: regions.map((region) => (region.kind === 'merged' ? region.text : region[atConflict])).join(''),
    conflicts: regions.filter(({ kind }) => kind === 'conflict').length,
  };
}

/** Merges three versions as {@link mergeLines} does, and returns the regions in their order. */
export function mergeThreeWay(base: string, mine: string, theirs: string): readonly ThreeWayRegion[] {
  const [from, ours, others] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  const [toOurs, toOthers] = [matches(from, ours), matches(from, others)];
  const regions: ThreeWayRegion[] = [];
  let [a, b, c] = [0, 0, 0];
  const mergeUntil = (endA: number, endB: number, endC: number): void => {
    const old = from.slice(a, endA).join('');
    const here = ours.slice(b, endB).join('');
    const there = others.slice(c, endC).join('');
    [a, b, c] = [endA, endB, endC];
    if (here !== old && there !== old && here !== there)
      regions.push({ kind: 'conflict', base: old, mine: here, theirs: there });
    else if (here !== '' || there !== '') regions.push({ kind: 'merged', text: here === old ? there : here });
  };
  for (let at = 0; at < from.length; at += 1) {
    const [here, there] = [toOurs[at], toOthers[at]];
    if (here === undefined || there === undefined) continue;
    mergeUntil(at, here, there);
    mergeUntil(at + 1, here + 1, there + 1);
  }
  mergeUntil(from.length, ours.length, others.length);
  return regions;
}

/** A range of lines and their replacement. */
export interface LineChange {
  /** The first line that is removed, from 0; `end` is the line after the last one. */
  readonly start: number;
  readonly end: number;
  /** The lines that are inserted, with their line endings. */
  readonly lines: readonly string[];
}

/** Returns the changes that turn one text into another, line by line. */
export function lineChanges(before: string, after: string): readonly LineChange[] {
  const [from, to] = [linesOf(before), linesOf(after)];
  const matched = matches(from, to);
  const changes: LineChange[] = [];
  let [start, next] = [0, 0];
  const add = (end: number, at: number): void => {
    if (end > start || at > next) changes.push({ start, end, lines: to.slice(next, at) });
  };
  for (const [line, at] of matched.entries()) {
    if (at === undefined) continue;
    add(line, at);
    [start, next] = [line + 1, at + 1];
  }
  add(from.length, to.length);
  return changes;
}

/** Applies some of the changes to the text that they were computed for. */
export function withLineChanges(before: string, changes: readonly LineChange[]): string {
  const old = linesOf(before);
  const lines: string[] = [];
  let next = 0;
  for (const { start, end, lines: added } of [...changes].sort((a, b) => a.start - b.start)) {
    append(lines, old.slice(next, start));
    append(lines, added);
    next = end;
  }
  append(lines, old.slice(next));
  return lines.join('');
}

/** Returns the lines that two texts have in common, in order: the base of a merge when the real one is unknown. */
export function commonLines(a: string, b: string): string {
  const [from, to] = [linesOf(a), linesOf(b)];
  const matched = matches(from, to);
  return from.filter((_line, index) => matched[index] !== undefined).join('');
}

/** Splits a text into its lines, each with its line ending; the last one may have none. */
export function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Returns for each line of `from` the index of its equal in `to`, or `undefined` where it was changed. */
export function matches(from: readonly string[], to: readonly string[]): readonly (number | undefined)[] {
  const found: (number | undefined)[] = Array.from({ length: from.length });
  for (const [x, y] of pairsIn(from, to)) found[x] = y;
  slideDown(found, from, to);
  return found;
}

type Pair = readonly [from: number, to: number];

/** Returns pairs of equal lines in order: those at both ends, and those that a search finds between them. */
function pairsIn(from: readonly string[], to: readonly string[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let start = 0;
  for (; start < from.length && start < to.length && from[start] === to[start]; start += 1) pairs.push([start, start]);
  let [endFrom, endTo] = [from.length, to.length];
  while (endFrom > start && endTo > start && from[endFrom - 1] === to[endTo - 1]) {
    endFrom -= 1;
    endTo -= 1;
    pairs.push([endFrom, endTo]);
  }
  for (const [x, y] of middle(from.slice(start, endFrom), to.slice(start, endTo))) pairs.push([start + x, start + y]);
  return pairs;
}

/**
 * Moves pure insertions and pure deletions down as far as equal lines allow. An ambiguous change thus always gets the same
 * position, so that a change that both sides made is recognised as one.
 */
function slideDown(found: (number | undefined)[], from: readonly string[], to: readonly string[]): void {
  let [nextFrom, nextTo] = [from.length, to.length];
  for (let line = from.length - 1; line >= -1; line -= 1) {
    const at = line === -1 ? -1 : found[line];
    if (at === undefined) continue;
    const [gone, come] = [nextFrom - line - 1, nextTo - at - 1];
    let [first, then] = [line + 1, at + 1];
    if (gone === 0 && come > 0) {
      for (; found[first] === then + come && to[then] === from[first]; first += 1, then += 1) found[first] = then;
    } else if (come === 0 && gone > 0) {
      for (; found[first + gone] === then && from[first] === from[first + gone]; first += 1, then += 1) {
        found[first] = then;
        found[first + gone] = undefined;
      }
    }
    [nextFrom, nextTo] = [line, at];
  }
}

/** Returns as many pairs of equal lines as possible or, if the lists differ too much, those between lines that both have once. */
function middle(from: readonly string[], to: readonly string[]): readonly Pair[] {
  const changes = diffArrays([...from], [...to], { maxEditLength: mostEdits });
  if (!changes) return aroundAnchors(from, to);
  const pairs: Pair[] = [];
  let [x, y] = [0, 0];
  for (const { count, added, removed } of changes) {
    if (added) y += count;
    else if (removed) x += count;
    else for (const end = x + count; x < end; x += 1, y += 1) pairs.push([x, y]);
  }
  return pairs;
}

function aroundAnchors(from: readonly string[], to: readonly string[]): readonly Pair[] {
  const anchors = commonInOrder(from, to);
  if (anchors.length === 0) return [];
  const pairs: Pair[] = [...anchors];
  let [x, y] = [0, 0];
  for (const [endX, endY] of [...anchors, [from.length, to.length] as const]) {
    for (const [a, b] of pairsIn(from.slice(x, endX), to.slice(y, endY))) pairs.push([x + a, y + b]);
    [x, y] = [endX + 1, endY + 1];
  }
  return pairs;
}

/** Returns the most lines that occur once in each list and stand in the same order in both (patience diff). */
function commonInOrder(from: readonly string[], to: readonly string[]): readonly Pair[] {
  const [once, here] = [linesOnce(to), linesOnce(from)];
  interface Link {
    readonly pair: Pair;
    readonly before: Link | undefined;
  }
  // The chain at index n ends as early in `to` as a chain of n + 1 pairs can.
  const chains: Link[] = [];
  for (const [line, x] of here) {
    const y = once.get(line);
    if (y === undefined) continue;
    let [low, high] = [0, chains.length];
    while (low < high) {
      const half = (low + high) >>> 1;
      if ((chains[half]?.pair[1] ?? 0) < y) low = half + 1;
      else high = half;
    }
    chains[low] = { pair: [x, y], before: chains[low - 1] };
  }
  const pairs: Pair[] = [];
  for (let link = chains.at(-1); link; link = link.before) pairs.push(link.pair);
  return pairs.toReversed();
}

/** Returns the lines that occur once in a list, in its order, with their positions. */
function linesOnce(lines: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (found.has(line)) repeated.add(line);
    else found.set(line, index);
  }
  for (const line of repeated) found.delete(line);
  return found;
}
