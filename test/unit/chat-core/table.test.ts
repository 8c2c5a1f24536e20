import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csv, tsv } from '#base/row-text.ts';
import { chartRows } from '#chat-core/table.ts';

const columns = [
  { name: 'orders.status', type: 'string' },
  { name: 'orders.count', type: 'number' },
];

/** Reads CSV as RFC 4180 says, for comparison. */
function parseCsv(text: string): string[][] {
  const cells = [...text.replace(/^\u{feff}/u, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)];
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of cells) {
    lines.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

describe('csv', () => {
  it('reads back as it was, save for cells that would be formulas', () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('a,b', '"q"', 'x\r\ny', '=1+1', '-5', '-5+cmd', '@x', '+1.5e3'));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
        const [head, ...lines] = parseCsv(csv({ columns, rows }));
        expect(head).toEqual(['orders.status', 'orders.count']);
        const defused = (text: string): string =>
          /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? `'${text}` : text;
        expect(lines).toEqual(rows.map((row) => row.map((text) => defused(text))));
      }),
    );
  });

  it('leaves numbers alone, defuses formulas, and writes NULL as nothing', () => {
    expect(
      csv({
        columns,
        rows: [
          ['=HYPERLINK("x")', '-12.5'],
          [null, 7],
        ],
      }),
    ).toBe('\u{feff}orders.status,orders.count\r\n"\'=HYPERLINK(""x"")",-12.5\r\n,7\r\n');
  });
});

describe('tsv', () => {
  // @shows chat-complaint-14
  it('keeps a cell on its line and in its column', () => {
    expect(tsv({ columns, rows: [['a\tb\nc', '=1']] })).toBe("orders.status\torders.count\na b c\t'=1");
  });
});

describe('chartRows', () => {
  it('makes numbers of numbers and reaches a dotted column by its name and by its path', () => {
    expect(
      chartRows({
        columns,
        rows: [
          ['done', '245'],
          ['open', ''],
          [null, 'x'],
        ],
      }),
    ).toEqual([
      { 'orders.status': 'done', 'orders.count': 245, orders: { status: 'done', count: 245 } },
      { 'orders.status': 'open', 'orders.count': null, orders: { status: 'open', count: null } },
      { 'orders.status': null, 'orders.count': null, orders: { status: null, count: null } },
    ]);
  });

  it('reads truth values as databases write them, and makes up neither them nor numbers', () => {
    const rows = [
      ['TRUE', '1e999'],
      ['f', '1,234'],
      ['1', 'Infinity'],
      ['maybe', ' 7 '],
    ];
    const types = [
      { name: 'paid', type: 'boolean' },
      { name: 'count', type: 'number' },
    ];
    expect(chartRows({ columns: types, rows })).toEqual([
      { paid: true, count: null },
      { paid: false, count: null },
      { paid: true, count: null },
      { paid: null, count: 7 },
    ]);
  });

  it('does not touch prototypes, whatever the columns are called', () => {
    const names = ['__proto__.polluted', 'constructor.prototype.polluted', '__proto__'];
    chartRows({ columns: names.map((name) => ({ name, type: 'string' })), rows: [['a', 'b', 'c']] });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
