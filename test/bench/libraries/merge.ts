import { diff3MergeRegions } from 'node-diff3';
import { mergeLines } from '#base/merge-lines.ts';
import type { Figure } from '../figures.ts';
import { sideBySide } from './side-by-side.ts';

/** Merges of a file in which each side changed its first and its last lines. */
export function mergeFigures(): readonly Figure[] {
  return [100, 400, 800].map((members) => {
    const base = modelOf(members);
    const mine = base.replace('a: 0\n', 'mine: 0\n').replace(`a: ${members - 1}\n`, 'mine\n');
    const theirs = base.replace('a: 2\n', 'theirs: 2\n').replace(`a: ${members - 3}\n`, 'theirs\n');
    return sideBySide(
      `merge ${members * 5} lines, most of them repeated`,
      'node-diff3',
      () => mergeLines(base, mine, theirs),
      () => diff3MergeRegions(mine.split('\n'), base.split('\n'), theirs.split('\n')),
    );
  });
}

/** Members with lines that are alike, as models have them. */
function modelOf(members: number): string {
  const lines = (member: number): string =>
    `      - name: a: ${member}\n        sql: column_${member}\n        type: number\n        public: true\n\n`;
  return Array.from({ length: members }, (_, member) => lines(member)).join('');
}
