import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sqlLines } from '#features/data/sql-lines.ts';

describe('generated SQL in lines', () => {
  it('has clauses and columns on lines of their own, and inner queries indented', () => {
    const sql = `SELECT q."a, FROM b", sum(x, y) "s" FROM (SELECT a, b FROM t AS "t" LEFT JOIN u ON u.id = t.id WHERE (a = 1 AND b IN (1, 2)) GROUP BY 1, 2) AS q ORDER BY 1 LIMIT 10`;
    expect(sqlLines(sql)).toBe(`SELECT q."a, FROM b",
  sum(x, y) "s"
FROM (
  SELECT a,
    b
  FROM t AS "t"
  LEFT JOIN u ON u.id = t.id
  WHERE (a = 1 AND b IN (1, 2))
  GROUP BY 1, 2
) AS q
ORDER BY 1
LIMIT 10`);
  });

  it('changes nothing but white space', () => {
    const word = fc.constantFrom(
      'SELECT',
      'FROM',
      'a',
      ',',
      '(',
      ')',
      "'x  FROM'",
      '"a"',
      'LEFT JOIN',
      '-- note\n',
      '=',
      '1',
    );
    const plain = (text: string): string => text.replaceAll(/\s+/g, '');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const sql = words.join(' ');
        expect(plain(sqlLines(sql))).toBe(plain(sql));
        expect(sqlLines(sql).match(/'x {2}FROM'/g)?.length ?? 0).toBe(
          words.filter((each) => each.startsWith("'")).length,
        );
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});
