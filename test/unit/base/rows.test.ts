import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNumberType, readableCell, type Row } from '#base/cells.ts';
import { filtered, type RowCondition } from '#base/row-filter.ts';
import { ordered } from '#base/row-order.ts';
import { json, markdown, rowsAs } from '#base/row-text.ts';

const columns = [
  { name: 'name', type: 'string' },
  { name: 'amount', type: 'number' },
];
const amounts = (values: readonly unknown[]): Row[] => values.map((value) => ['x', value]);
const sortedAmounts = (values: readonly unknown[], descending = false): unknown[] =>
  ordered(amounts(values), columns, { column: 1, descending }).map(([, value]) => value);

describe('isNumberType', () => {
  it.each(['number', 'Int64', 'UInt8', 'BIGINT', 'double precision', 'Decimal(10, 2)', 'decimal128(38)', 'Float64'])(
    'takes %s for numbers',
    (type) => expect(isNumberType(type)).toBe(true),
  );
  it.each(['string', 'interval', 'Interval(DayTime)', 'point', 'time', 'realm', 'boolean'])(
    'takes %s for something else',
    (type) => expect(isNumberType(type)).toBe(false),
  );
});

describe('ordered', () => {
  it('orders whole numbers of any length by their exact value', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })), (numbers) => {
        const exact = numbers.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String);
        expect(sortedAmounts(numbers.map(String))).toEqual(exact);
      }),
    );
  });

  it('compares fractions and exponents by value, and puts other text behind numbers and NULL last', () => {
    const values = ['1e2', null, '', 'n/a', '99.10000000000000000002', '-3', 0, '99.10000000000000000001'];
    const [least, ...rest] = sortedAmounts(values);
    expect(least).toBe('-3');
    expect(rest).toEqual([0, '99.10000000000000000001', '99.10000000000000000002', '1e2', '', 'n/a', null]);
    expect(sortedAmounts(['1', null, '2'], true)).toEqual(['2', '1', null]);
  });

  it('keeps all rows, equal ones as they came, and its result when it is ordered again', () => {
    const cell = fc.oneof(fc.constant(null), fc.string(), fc.integer(), fc.double().map(String));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), fc.nat(1), fc.boolean(), (rows, column, descending) => {
        const once = ordered(rows, columns, { column, descending });
        expect(new Set(once)).toEqual(new Set(rows));
        expect(ordered(once, columns, { column, descending })).toEqual(once);
      }),
    );
  });

  it('leaves rows as they are where there is no such column', () => {
    const rows = amounts([2, 1]);
    expect(ordered(rows, columns, { column: 7, descending: false })).toBe(rows);
  });
});

describe('readableCell', () => {
  const shown = (text: string, name = 'orders.created_at', type = 'time'): string => readableCell(text, { name, type });

  it('writes a time without T and without milliseconds of zero', () => {
    expect(shown('2026-01-31T23:30:00.000')).toBe('2026-01-31 23:30:00');
    expect(shown('2026-01-31T23:30:00.250')).toBe('2026-01-31 23:30:00.250');
    expect(shown('2026-01-31T00:00:00.000Z')).toBe('2026-01-31 00:00:00Z');
    expect(shown('2026-01-31T23:30:00+02:00', 'at', 'Timestamp')).toBe('2026-01-31 23:30:00+02:00');
  });

  it('writes only the day of a time that is grouped by days or more', () => {
    expect(shown('2026-01-01T00:00:00.000', 'orders.created_at.month')).toBe('2026-01-01');
    expect(shown('2026-01-01T00:00:00.000', 'orders.created_at.hour')).toBe('2026-01-01 00:00:00');
  });

  it('leaves everything else as it is', () => {
    expect(shown('2026-01-01T00:00:00.000', 'orders.note', 'string')).toBe('2026-01-01T00:00:00.000');
    expect(shown('soon')).toBe('soon');
  });

  it('lets a filter find a time as it is shown and as the server wrote it', () => {
    const columns = [{ name: 'orders.created_at', type: 'time' }];
    const rows = [['2026-01-31T23:30:00.000'], ['2026-02-01T23:30:00.000']];
    const found = (condition: RowCondition, value: string) => filtered(rows, columns, { condition, value });
    expect(found('contains', '31 23:30')).toEqual([rows[0]]);
    expect(found('contains', '31T23:30')).toEqual([rows[0]]);
    expect(found('equals', '2026-01-31 23:30:00')).toEqual([rows[0]]);
    expect(found('differs', '2026-01-31 23:30:00')).toEqual([rows[1]]);
  });
});

describe('filtered', () => {
  const rows: Row[] = [
    ['Paid', '10'],
    ['', '9'],
    [null, '0'],
    ['open', null],
  ];
  const left = (condition: RowCondition, value: string, column?: number): number[] =>
    filtered(rows, columns, { condition, value, column }).map((row) => rows.indexOf(row));

  it('distinguishes NULL, empty text and 0', () => {
    expect(left('null', '', 0)).toEqual([2]);
    expect(left('equals', '', 0)).toEqual([1]);
    expect(left('equals', '0', 1)).toEqual([2]);
    expect(left('present', '')).toEqual([0, 1]);
  });

  it('compares numbers as numbers, and finds text whatever its case', () => {
    expect(left('above', '9', 1)).toEqual([0]);
    expect(left('below', '10.0', 1)).toEqual([1, 2]);
    expect(left('equals', '10.00', 1)).toEqual([0]);
    expect(left('contains', 'PA')).toEqual([0]);
    expect(left('contains', '')).toEqual([0, 1, 2, 3]);
  });

  it('leaves each row with exactly one of two opposite conditions', () => {
    const cell = fc.oneof(fc.constant(null), fc.string({ maxLength: 3 }), fc.integer({ max: 9 }));
    const pairs = fc.constantFrom<readonly [RowCondition, RowCondition]>(
      ['contains', 'excludes'],
      ['equals', 'differs'],
      ['null', 'present'],
    );
    const column = fc.constantFrom(undefined, 0, 1);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell)),
        pairs,
        column,
        fc.string({ minLength: 1, maxLength: 2 }),
        (some, pair, at, value) => {
          const [one, other] = pair.map((condition) => filtered(some, columns, { condition, value, column: at }));
          expect(some.filter((row) => one?.includes(row) === other?.includes(row))).toEqual([]);
        },
      ),
    );
  });
});

describe('rowsAs', () => {
  const table = {
    columns,
    rows: [
      ['a|b\n<c>', null],
      ['', 0],
      ['=1+1', '12345678901234567890.10'],
    ],
  };

  it('writes a Markdown table in which text stays text', () => {
    expect(markdown(table).split('\n')).toEqual([
      '| name | amount |',
      '| --- | --- |',
      String.raw`| a\|b<br>\<c> | *NULL* |`,
      '|  | 0 |',
      '| =1+1 | 12345678901234567890.10 |',
    ]);
  });

  it('writes JSON with the values as they came, and both columns of one name', () => {
    const twice = { columns: [columns[0], columns[0]].flatMap((column) => column ?? []), rows: [['x', null]] };
    expect(JSON.parse(json(twice))).toEqual([{ name: 'x', 'name (2)': null }]);
    expect(JSON.parse(rowsAs('json', table))).toMatchObject([{ amount: null }, { name: '', amount: 0 }, {}]);
  });

  it('writes an empty text as a cell and NULL as nothing in CSV', () => {
    expect(rowsAs('csv', { columns, rows: [['', null]] })).toBe('\u{feff}name,amount\r\n"",\r\n');
  });

  it('never begins a cell of a spreadsheet with a formula', () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('=1', '+cmd', '@x', '\t=1', '-2+3'));
    fc.assert(
      fc.property(cell, (text) => {
        const [, line = ''] = rowsAs('tsv', { columns: [{ name: 'n', type: 'string' }], rows: [[text]] }).split('\n');
        expect(/^[=+\-@]/.test(line) && Number.isNaN(Number(line))).toBe(false);
      }),
    );
  });
});
