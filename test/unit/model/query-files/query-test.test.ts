import { describe, expect, it } from 'vitest';
import { parseQueryFile } from '#model/query-files/query-file.ts';
import { runQueryTest, type TestAnswer, type TestOutcome } from '#model/query-files/query-test.ts';
import { yaml } from '#support/language/raw.ts';

const now = Date.UTC(2026, 0, 10);
const QUERY = yaml`
  measures: [orders.count, orders.total]
    dimensions: [orders.status]`;
const ROWS = [
  { 'orders.status': 'paid', 'orders.count': '3', 'orders.total': '10.50' },
  { 'orders.status': null, 'orders.count': '1', 'orders.total': null },
];

/** Judges an answer by the one test that is written here. */
async function outcome(
  expectation: string,
  {
    rows = ROWS,
    query = QUERY,
    total = {},
    lastRefreshTime,
  }: Partial<TestAnswer> & { query?: string; total?: object } = {},
): Promise<TestOutcome & { readonly asked: readonly unknown[] }> {
  const text = `query:\n  ${query}\ntests:\n  - name: It\n    ${expectation}\n`;
  const file = parseQueryFile(text);
  expect(file.problems).toEqual([]);
  const asked: unknown[] = [];
  const ended = await runQueryTest(file.query ?? {}, file.tests[0]?.definition ?? {}, {
    now: () => now,
    run: (given, as) => {
      asked.push([given, as]);
      return Promise.resolve({ rows: asked.length > 1 ? [{ ...total }] : rows, lastRefreshTime });
    },
  });
  return { ...ended, asked };
}

/** Judges like `outcome`, without what was asked. */
const judged = async (...given: Parameters<typeof outcome>): Promise<TestOutcome> => {
  const { asked: _, ...result } = await outcome(...given);
  return result;
};
const states = async (...expectations: readonly string[]): Promise<readonly string[]> =>
  Promise.all(expectations.map(async (each) => (await outcome(each)).state));

describe('a test of a query', () => {
  it('counts rows', async () => {
    expect(
      await states('rowCount: 2', 'rowCount: { min: 1, max: 2 }', 'rowCount: { min: 3 }', 'rowCount: many'),
    ).toEqual(['passed', 'passed', 'failed', 'wrong']);
    expect(await judged('rowCount: { max: 1 }')).toEqual({
      state: 'failed',
      message: 'The number of rows is wrong.',
      expected: 'at most 1',
      actual: '2',
    });
  });

  it('compares rows in any order, unless the query has one, and shows both', async () => {
    const swapped = 'rows: [{ orders.status: null, orders.count: 1 }, { orders.status: paid, orders.total: 10.5 }]';
    expect((await outcome(swapped)).state).toBe('passed');
    const ordered = `${QUERY}\n  order: { orders.status: asc }`;
    expect(await judged(swapped, { query: ordered })).toEqual({
      state: 'failed',
      message: 'The rows are different.',
      expected:
        'orders.status: null, orders.count: 1, orders.total: null\norders.status: paid, orders.count: null, orders.total: 10.5',
      actual:
        'orders.status: paid, orders.count: 3, orders.total: 10.5\norders.status: null, orders.count: 1, orders.total: null',
    });
    expect(await judged('rows: [{ orders.status: paid, orders.count: 4 }]')).toEqual({
      state: 'failed',
      message: 'The rows are different.',
      expected: 'orders.status: paid, orders.count: 4',
      actual: 'orders.status: paid, orders.count: 3\norders.status: null, orders.count: 1',
    });
    expect((await outcome('rows: []', { rows: [] })).state).toBe('passed');
  });

  it('compares a value exactly, within a distance, and with a range', async () => {
    expect(
      await states(
        'value: { member: orders.total, is: 10.5 }',
        'value: { member: orders.total, is: 10, within: 0.5 }',
        'value: { member: orders.count, min: 3 }',
        'value: { member: orders.count, max: 2 }',
        'value: { member: orders.status, is: open }',
        'value: { member: orders.other, is: 1 }',
        'value: { member: orders.count }',
      ),
    ).toEqual(['passed', 'passed', 'passed', 'failed', 'failed', 'wrong', 'wrong']);
    expect(await judged('value: { member: orders.count, is: 1 }', { rows: [] })).toEqual({
      state: 'failed',
      message: 'There is no row.',
      expected: 'orders.count: 1',
      actual: '',
    });
  });

  it('finds values that repeat, and values that are missing', async () => {
    const rows = [...ROWS, { 'orders.status': 'paid', 'orders.count': '9' }];
    expect(await judged('unique: [orders.status]', { rows })).toEqual({
      state: 'failed',
      message: 'Several rows have the same values.',
      expected: 'each once',
      actual: 'orders.status: paid (2 rows)',
    });
    expect((await outcome('unique: [orders.status, orders.count]', { rows })).state).toBe('passed');
    expect(await judged('notNull: [orders.status]')).toEqual({
      state: 'failed',
      message: '1 of 2 rows lack a value.',
      expected: 'a value in every row',
      actual: 'orders.status: null, orders.count: 1, orders.total: null',
    });
    expect(await states('notNull: [orders.count]', 'notNull: [orders.other]', 'unique: []')).toEqual([
      'passed',
      'wrong',
      'wrong',
    ]);
  });

  it('compares with another query, by rows or by their number', async () => {
    const other = 'query: { measures: [sales.count] }';
    const query = 'measures: [orders.count]';
    const rows = [{ 'orders.count': '7.0' }];
    expect((await outcome(`compare: { ${other} }`, { query, rows, total: { 'sales.count': 7 } })).state).toBe('passed');
    expect(await judged(`compare: { ${other} }`, { query, rows, total: { 'sales.count': 8 } })).toEqual({
      state: 'failed',
      message: 'The rows of both queries differ.',
      expected: '8',
      actual: '7',
    });
    expect((await outcome(`compare: { ${other}, by: rowCount }`, { query, rows })).state).toBe('passed');
    expect((await outcome(`compare: { ${other}, by: rowCount }`, { query })).state).toBe('failed');
    expect((await outcome(`compare: { ${other} }`)).state).toBe('wrong');
  });

  it('adds rows up to the total of the same query without its groups', async () => {
    const query = `${QUERY}\n  limit: 9\n  timeDimensions: [{ dimension: orders.at, granularity: day, dateRange: today }]`;
    const fine = await outcome('noFanOut: [orders.count]', { query, total: { 'orders.count': 4 } });
    expect(fine.state).toBe('passed');
    expect(fine.asked[1]).toEqual([
      { measures: ['orders.count'], timeDimensions: [{ dimension: 'orders.at', dateRange: 'today' }] },
      undefined,
    ]);
    expect(await judged('noFanOut: [orders.count]', { total: { 'orders.count': 2 } })).toEqual({
      state: 'failed',
      message:
        'The rows of “orders.count” do not add up to its total: a join counts something twice, or leaves it out.',
      expected: '2',
      actual: '4',
    });
    expect((await outcome('noFanOut: [orders.count]', { query: `${QUERY}\n  limit: 2` })).state).toBe('wrong');
  });

  it('judges the age of the newest data', async () => {
    const rows = [{ 'orders.at': '2026-01-09T00:00:00.000' }, { 'orders.at': '2026-01-01T00:00:00.000' }];
    const fresh = (within: string): string => `freshness: { member: orders.at, within: ${within} }`;
    expect((await outcome(fresh('24 hours'), { rows })).state).toBe('passed');
    expect(await judged(fresh('90 minutes'), { rows })).toEqual({
      state: 'failed',
      message: 'The newest data is too old.',
      expected: 'at most 90 minutes',
      actual: '24 hours',
    });
    expect(await judged('freshness: { within: 1 day }')).toEqual({
      state: 'failed',
      message: 'The server does not say when it read the data.',
    });
    const lastRefreshTime = '2026-01-09T23:00:00.000Z';
    expect((await outcome('freshness: { within: 1 day }', { lastRefreshTime })).state).toBe('passed');
    expect((await outcome(fresh('soon'), { rows })).state).toBe('wrong');
  });

  it('runs under the security context that it names', async () => {
    const { asked } = await outcome(yaml`
      as: { role: admin }
          rowCount: 2`);
    expect(asked).toEqual([[expect.anything(), { role: 'admin' }]]);
    expect(
      await judged(yaml`
        as: admin
            rowCount: 2`),
    ).toEqual({ state: 'wrong', message: '“as” must be a security context: keys with values.' });
  });

  it('needs exactly one expectation', async () => {
    expect((await outcome('description: none')).state).toBe('wrong');
    expect(
      (
        await outcome(yaml`
          rowCount: 2
              unique: [orders.status]`)
      ).state,
    ).toBe('wrong');
  });
});

describe('a test of unlike values', () => {
  const values = async (expectation: string, ...cells: readonly unknown[]): Promise<string> =>
    (await outcome(expectation, { rows: cells.map((cell) => ({ 'orders.total': cell, 'orders.status': cell })) }))
      .state;

  it('keeps every digit of a number', async () => {
    const huge = 'value: { member: orders.total, is: "123456789012345678.10" }';
    expect(await values(huge, '123456789012345678.1')).toBe('passed');
    expect(await values(huge, '123456789012345679.10')).toBe('failed');
    const small = 'value: { member: orders.total, is: 0.00000010 }';
    expect(await values(small, '0.0000001000')).toBe('passed');
    expect(await values('value: { member: orders.total, is: 15000000000 }', '1.5E10')).toBe('passed');
    expect(await values('value: { member: orders.total, is: "007" }', '7')).toBe('failed');
  });

  it('asks for a long id as it is written, and compares it', async () => {
    const query = [
      'measures: [orders.total]',
      'dimensions: [orders.status]',
      'filters: [{ member: orders.status, operator: equals, values: [9007199254740993, 12, 0x1f, 1.50] }]',
    ].join('\n  ');
    const rows = [{ 'orders.total': '9007199254740993', 'orders.status': 'x' }];
    const is = (id: string): string => `value: { member: orders.total, is: ${id} }`;
    const { asked, state } = await outcome(is('9007199254740993'), { rows, query });
    const values = ['9007199254740993', 12, 31, 1.5];
    const filters = [{ member: 'orders.status', operator: 'equals', values }];
    expect(asked).toEqual([[{ measures: ['orders.total'], dimensions: ['orders.status'], filters }, undefined]]);
    expect(state).toBe('passed');
    expect((await outcome(is('9007199254740992'), { rows })).state).toBe('failed');
  });

  it('distinguishes no value from a text that resembles it', async () => {
    const isNull = 'value: { member: orders.status, is: null }';
    expect([await values(isNull, null), await values(isNull, 'null')]).toEqual(['passed', 'failed']);
    expect(await values('unique: [orders.status]', null, 'null')).toBe('passed');
    expect(await values('unique: [orders.status]', null, null)).toBe('failed');
  });

  it('tells values apart that contain what separates them', async () => {
    const rows = [{ 'orders.count': 'a, orders.total: b', 'orders.total': 'c' }];
    const more = [...rows, { 'orders.count': 'a', 'orders.total': 'b, orders.total: c' }];
    expect((await outcome('unique: [orders.count, orders.total]', { rows: more })).state).toBe('passed');
    const compared = 'compare: { query: { measures: [orders.count, orders.total], dimensions: [orders.status] } }';
    const total = { 'orders.status': 'x', 'orders.count': 'a, b', 'orders.total': 'c' };
    const other = [{ 'orders.status': 'x', 'orders.count': 'a', 'orders.total': 'b, c' }];
    expect((await outcome(compared, { rows: other, total })).state).toBe('failed');
    expect((await outcome(compared, { rows: [total], total })).state).toBe('passed');
  });

  it.each([
    '2026-01-10 00:30:00+01',
    '2026-01-09T23:30:00.123456+0000',
    '2026-01-09 23:30:00 UTC',
    '2026-01-10T05:00:00+05:30',
  ])('reads the zone of a time as databases write it: %s', async (time) => {
    expect(await values('freshness: { member: orders.status, within: 45 minutes }', time)).toBe('passed');
    expect(await values('freshness: { member: orders.status, within: 15 minutes }', time)).toBe('failed');
  });
});
