import { structuredPatch } from 'diff';
import type { DiffLine } from './messages.ts';

/** Lines that a page is sent at most. */
const most = 2000;
/** Lines around a change. */
const context = 3;
/** A difference in more than this many lines is not worked out: it would hold everything else up. */
const mostEdits = 5000;

/** What differs between two texts. */
export interface DiffLines {
  readonly lines: readonly DiffLine[];
  /** Lines beyond the first ones. */
  readonly more: number;
}

/** The lines that differ, each with three around it; `undefined` where the texts differ in too much to show. */
export function diffLines(before: string, after: string): DiffLines | undefined {
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: mostEdits });
  if (!patch) return undefined;
  const lines: DiffLine[] = [];
  let shown = 0;
  for (const { oldStart, oldLines, lines: hunk } of patch.hunks) {
    const start = oldStart - 1;
    const skipped = start - shown;
    if (skipped > 0) lines.push({ kind: 'skipped', text: `${skipped} unchanged line${skipped === 1 ? '' : 's'}` });
    shown = start + oldLines;
    for (const line of hunk) {
      const kind = kinds[line[0] ?? ''];
      if (kind) lines.push({ kind, text: line.slice(1) });
    }
  }
  return { lines: lines.slice(0, most), more: Math.max(0, lines.length - most) };
}

/** By the first character of a line of a patch; `\` says that the last line has no end, which is not a line. */
const kinds: Readonly<Record<string, DiffLine['kind']>> = { ' ': 'same', '+': 'added', '-': 'removed' };
