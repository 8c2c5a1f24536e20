import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsInSight, edgesOf, fittingWidths, resized } from '#shared/page/grid/columns.ts';
import { moved } from '#shared/page/grid/keys.ts';
import { rowCountText } from '#shared/page/grid/row-count.ts';

describe('columnsInSight', () => {
  it('names every column that is seen and no other', () => {
    const widths = fc.array(fc.integer({ min: 48, max: 320 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(widths, fc.nat(5_000), fc.integer({ min: 1, max: 900 }), (each, left, width) => {
        const edges = edgesOf(each);
        fc.pre(left < (edges.at(-1) ?? 0));
        const seen = each.flatMap((_, at) =>
          (edges[at + 1] ?? 0) > left && (edges[at] ?? 0) < left + width ? [at] : [],
        );
        const { first, last } = columnsInSight(edges, { left, width });
        expect(Array.from({ length: last - first }, (_, at) => first + at)).toEqual(seen);
      }),
    );
  });

  it('has nothing to name without columns', () => {
    expect(columnsInSight(edgesOf([]), { left: 0, width: 800 })).toEqual({ first: 0, last: 0 });
  });
});

describe('widths of columns', () => {
  it('fit the name and the rows, within bounds', () => {
    const columns = ['n', 'a longer name', 'text'].map((name) => ({ name, type: 'string' }));
    expect(fittingWidths(columns, [['1', null, 'x'.repeat(900)]])).toEqual([48, 139, 320]);
  });

  it('fit wide letters and bold names, which take more than those of rows', () => {
    const columns = ['orders.completed_count', '订单.已完成的数量'].map((name) => ({ name, type: 'string' }));
    expect(fittingWidths(columns, [['1', '客户的名字和地址以及电话号码']])).toEqual([215, 238]);
  });

  it('never shrink to nothing', () => {
    expect(resized([100, 100], 1, -500)).toEqual([100, 48]);
    expect(resized([100, 100], 0, 16)).toEqual([116, 100]);
  });
});

describe('keys of the grid', () => {
  const size = { rows: 100, columns: 5, page: 10 };
  const press = (key: string, ctrlKey = false) => moved({ row: 4, column: 2 }, { key, ctrlKey, metaKey: false }, size);

  it.each([
    ['ArrowUp', false, { row: 3, column: 2 }],
    ['ArrowRight', true, { row: 4, column: 4 }],
    ['Home', false, { row: 4, column: 0 }],
    ['Home', true, { row: -1, column: 0 }],
    ['End', true, { row: 99, column: 4 }],
    ['PageUp', false, { row: -1, column: 2 }],
    ['PageDown', false, { row: 14, column: 2 }],
    ['a', false, undefined],
  ])('%s (Ctrl: %s) leads to %j', (key, ctrlKey, position) => {
    expect(press(key, ctrlKey)).toEqual(position);
  });

  it('never leave the grid', () => {
    const key = fc.constantFrom('ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.boolean())),
        fc.nat(30),
        fc.integer({ min: 1, max: 6 }),
        (keys, rows, columns) => {
          let at = { row: 0, column: 0 };
          for (const [pressed, ctrlKey] of keys) {
            at = moved(at, { key: pressed, ctrlKey, metaKey: false }, { rows, columns, page: 7 }) ?? at;
            expect(at.row >= -1 && at.row < Math.max(rows, 1) && at.column >= 0 && at.column < columns).toBe(true);
          }
        },
      ),
    );
  });
});

describe('rowCountText', () => {
  it('distinguishes shown rows from loaded ones, and loaded ones from all', () => {
    expect(rowCountText({ count: 1, loaded: 1, isCut: false })).toBe('1 row');
    expect(rowCountText({ count: 12, loaded: 50_001, isCut: false })).toBe('12 of 50,001 rows');
    expect(rowCountText({ count: 100_000, loaded: 100_000, isCut: true })).toBe(
      '100,000 rows were loaded; the result has more. Sorting and filtering cover the loaded rows only',
    );
  });
});
