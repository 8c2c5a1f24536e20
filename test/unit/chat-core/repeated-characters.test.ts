import { describe, expect, it } from 'vitest';
import { keepsDigits, readableCell } from '#base/cells.ts';
import { applyUnifiedDiff, isUnifiedDiff } from '#base/unified-diff.ts';
import { proposedBlocks } from '#chat-core/proposed-files.ts';
import { columnSource } from '#chat-core/sql-columns.ts';

/** A reader that tries each character more than once would need hours for so many. */
const MANY = 100_000;

describe('an answer with a character that is repeated very often', () => {
  it('may have it in a comment of a file, or in the line before it', () => {
    const comment = `//${'\t'.repeat(MANY)}>${'-='.repeat(MANY)}-"E`;
    const fileOf = (above: string): readonly (readonly [path: string, text: string])[] =>
      proposedBlocks(`${above}\n\`\`\`yaml\n${comment}\ncubes: []\n\`\`\`\n`).map(({ path, text }) => [path, text]);
    expect(fileOf(`\`model/a.yml\` ${')'.repeat(MANY)}x`)).toEqual([['model/a.yml', `${comment}\ncubes: []\n`]]);
    expect(fileOf(`${'`'.repeat(MANY)}x`)).toEqual([]);
  });

  it('may have it in the query of its result', () => {
    const sql = `select ${'0'.repeat(MANY)}${'\t'.repeat(MANY)}. , x from t`;
    expect(columnSource(sql, { name: 'x', at: 1 })).toEqual({ expression: 'x', names: ['t.x'] });
    expect(columnSource(`${'/*'.repeat(MANY)} select x from t`, { name: 'x', at: 0 })).toBeUndefined();
  });

  it('may begin many replacements and end none', () => {
    expect(isUnifiedDiff('<<<<<<< SEARCH\n'.repeat(MANY))).toBe(false);
    expect(applyUnifiedDiff('a\nb', '<<<<<<< SEARCH\na\n=======\nc\n>>>>>>> REPLACE\n')).toEqual({
      text: 'c\nb',
      removed: ['a'],
    });
  });

  it('may have it in a number or a time of a cell', () => {
    expect(keepsDigits(`1${'0'.repeat(MANY)}1`)).toBe(false);
    const time = `2024-01-01T00:00:01.1${'0'.repeat(MANY)}\n`;
    expect(readableCell(time, { name: 'a', type: 'time' })).toBe(time);
  });
});
