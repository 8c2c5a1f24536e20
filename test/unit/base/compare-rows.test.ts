import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRows, rowDifferenceText } from '#base/compare-rows.ts';

const columns = [
  { name: 'status', type: 'string' },
  { name: 'count', type: 'number' },
];
type Rows = readonly (readonly unknown[])[];
const compare = (first: Rows, second: Rows) =>
  compareRows(columns, new Set(['status']), [first, second], ['main', 'dev']);

describe('the difference of two answers', () => {
  it('pairs rows by what they are grouped by, in any order', () => {
    const first = [
      ['paid', '3'],
      ['new', '4'],
      ['gone', '1'],
    ];
    const second = [
      ['new', '5'],
      [null, '2'],
      ['paid', '3.00'],
    ];
    const difference = compare(first, second);
    expect(difference).toMatchInlineSnapshot(`
      {
        "changed": 1,
        "columns": [
          {
            "name": "difference",
            "type": "string",
          },
          {
            "name": "status",
            "type": "string",
          },
          {
            "name": "count · main",
            "type": "number",
          },
          {
            "name": "count · dev",
            "type": "number",
          },
        ],
        "onlyFirst": 1,
        "onlySecond": 1,
        "rows": [
          [
            "changed",
            "new",
            "4",
            "5",
          ],
          [
            "only in main",
            "gone",
            "1",
            "—",
          ],
          [
            "only in dev",
            null,
            "—",
            "2",
          ],
        ],
        "same": 1,
      }
    `);
    expect(rowDifferenceText(difference, ['main', 'dev'])).toBe(
      '1 row changed, 1 row only in main, 1 row only in dev, 1 row the same.',
    );
  });

  it('keeps null, an empty text and the text null apart', () => {
    expect(compare([[null, '1']], [['', '1']])).toMatchObject({ onlyFirst: 1, onlySecond: 1 });
    expect(compare([['null', '1']], [[null, '1']])).toMatchObject({ onlyFirst: 1, onlySecond: 1 });
    expect(compare([['a', null]], [['a', '']])).toMatchObject({ changed: 1 });
  });

  it('compares long numbers digit by digit', () => {
    expect(compare([['a', '12345678901234567890.10']], [['a', '12345678901234567891.1']])).toMatchObject({
      changed: 1,
    });
    expect(compare([['a', '100']], [['a', '1']])).toMatchObject({ changed: 1 });
    expect(compare([['a', '100.00']], [['a', '100']])).toMatchObject({ same: 1 });
  });

  it('lists as many differences as a page can show, and counts all', () => {
    const many = Array.from({ length: 2_500 }, (_, at) => [String(at), '1']);
    const difference = compare(many, []);
    expect(difference.rows).toHaveLength(2_000);
    expect(rowDifferenceText(difference, ['main', 'dev'])).toBe(
      '2,500 rows only in main, 0 rows the same. The first 2,000 differences are listed.',
    );
  });

  it('counts every row of both answers once, and finds none between an answer and itself', () => {
    const cell = fc.oneof(fc.constant(null), fc.constantFrom('a', 'b', '1', '1.0'), fc.integer());
    const rows = fc.array(fc.tuple(cell, cell), { maxLength: 12 });
    fc.assert(
      fc.property(rows, rows, (first, second) => {
        const { same, changed, onlyFirst, onlySecond } = compare(first, second);
        expect([same + changed + onlyFirst, same + changed + onlySecond]).toEqual([first.length, second.length]);
        expect(compare(first, first)).toMatchObject({ same: first.length, rows: [] });
      }),
    );
  });
});
