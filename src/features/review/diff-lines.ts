import { structuredPatch } from 'diff';
import { plural } from '#base/words.ts';
import type { DiffLine } from './messages.ts';

/** The most lines to send to a page. */
const most = 2000;
/** The most characters of a line to send: generated files may have all their content in one line. */
const mostCharacters = 2000;
/** The number of unchanged lines around a change. */
const context = 3;
/** The most changed lines of a difference; a larger one would block the host. */
const mostEdits = 5000;

/** The differences between two texts. */
export interface DiffLines {
  readonly lines: readonly DiffLine[];
  /** The number of lines that are left out. */
  readonly more: number;
}

/** Returns the lines that differ, each with three around it; `undefined` if the texts differ too much to show. */
export function diffLines(before: string, after: string): DiffLines | undefined {
  if (before === '' || after === '') return wholeText(before === '' ? 'added' : 'removed', before || after);
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: mostEdits });
  if (!patch) return undefined;
  const lines: DiffLine[] = [];
  let shown = 0;
  for (const { oldStart, oldLines, lines: hunk } of patch.hunks) {
    const start = oldStart - 1;
    const skipped = start - shown;
    if (skipped > 0) lines.push({ kind: 'skipped', text: plural(skipped, 'unchanged line') });
    shown = start + oldLines;
    for (const line of hunk) {
      const kind = kinds[line[0] ?? ''];
      if (kind) lines.push({ kind, text: cut(line.slice(1)) });
    }
  }
  return { lines: lines.slice(0, most), more: Math.max(0, lines.length - most) };
}

/** Returns all lines of a file that is new or deleted, which needs no comparison however many there are. */
function wholeText(kind: 'added' | 'removed', text: string): DiffLines {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return {
    lines: lines.slice(0, most).map((line) => ({ kind, text: cut(line) })),
    more: Math.max(0, lines.length - most),
  };
}

function cut(line: string): string {
  const more = line.length - mostCharacters;
  return more > 0 ? `${line.slice(0, mostCharacters)} … ${plural(more, 'more character')}` : line;
}

/** By the first character of a line in a patch; `\` marks a missing final line break and is not a line. */
const kinds: Readonly<Record<string, DiffLine['kind']>> = { ' ': 'same', '+': 'added', '-': 'removed' };
