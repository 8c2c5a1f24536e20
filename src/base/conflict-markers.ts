import { largest } from './long-lists.ts';
import type { ThreeWayRegion } from './merge-lines.ts';
import type { MergeRegion } from './two-way-merge.ts';

/** The names of the two sides, as Git writes them behind its markers. */
interface MarkerLabels {
  readonly mine: string;
  readonly theirs: string;
}

/** Git's length of a marker; longer ones are used where a version has such lines itself. */
export const usualSize = 7;

/** Returns the length of markers that no line of the versions begins with. */
export function markerSize(...versions: readonly string[]): number {
  const runs = versions.flatMap((version) => version.match(/^([<=>])\1{6,}/gm) ?? []);
  return largest([usualSize, ...runs.map(({ length }) => length + 1)]);
}

/** Whether a line of a text is a marker of this length: a merge that is not finished. */
export function hasMarkers(text: string, size: number): boolean {
  return new RegExp(`^(?:<{${size}} |={${size}}\\r?$|>{${size}} )`, 'm').test(text);
}

/**
 * Returns a text in which both versions stand wherever they are in conflict, between the markers that Git and editors know. Every
 * line of both versions that the merge did not replace is in it.
 */
export function withMarkers(
  regions: readonly (ThreeWayRegion | MergeRegion)[],
  size: number,
  { mine, theirs }: MarkerLabels,
): string {
  const ending = regions.some((region) => 'mine' in region && region.mine.includes('\r\n'))
    ? '\r\n'
    : firstEnding(regions);
  const whole = (text: string): string => (text === '' || text.endsWith('\n') ? text : text + ending);
  const marker = (sign: string, label: string): string => `${sign.repeat(size)}${label}${ending}`;
  let marked = '';
  for (const region of regions) {
    if (region.kind !== 'conflict') marked += region.kind === 'lineEndings' ? region.mine : region.text;
    else
      marked = [
        whole(marked),
        marker('<', ` ${mine}`) + whole(region.mine),
        marker('=', '') + whole(region.theirs),
        marker('>', ` ${theirs}`),
      ].join('');
  }
  return marked;
}

function firstEnding(regions: readonly (ThreeWayRegion | MergeRegion)[]): string {
  for (const region of regions) {
    const text = 'text' in region ? region.text : region.mine || region.theirs;
    const found = /\r?\n/.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return '\n';
}
