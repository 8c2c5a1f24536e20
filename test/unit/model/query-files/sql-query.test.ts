import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTool } from '#chat-core/tool-result.ts';
import { buildQuery } from '#features/playground/build-query.ts';
import { columnsOf, type Condition, type Draft, emptyDraft } from '#features/playground/draft.ts';
import { draftOf } from '#features/playground/draft-of.ts';
import { sqlForm } from '#features/playground/sql-form.ts';
import { queryOfSql } from '#model/query-files/sql-query.ts';

const ALL = { limit: 50_000 };
const select = (rest: string): unknown => queryOfSql(`SELECT status, MEASURE(revenue) AS revenue FROM sales ${rest}`);
const basic = { measures: ['sales.revenue'], dimensions: ['sales.status'] };
const where = (condition: string): unknown => {
  const query = select(`WHERE ${condition} GROUP BY 1`);
  return query && (query as { filters?: unknown }).filters;
};

describe('a statement that the agent wrote', () => {
  it.each([
    [
      'by-month',
      {
        measures: ['sales.revenue'],
        timeDimensions: [{ dimension: 'sales.created_at', granularity: 'month' }],
        order: [['sales.created_at', 'asc']],
        ...ALL,
      },
    ],
    [
      'by-status',
      { measures: ['sales.order_count'], dimensions: ['sales.status'], order: [['sales.order_count', 'desc']], ...ALL },
    ],
  ])('is read as a query: %s', (name, query) => {
    const statements = recordedSql(name);
    expect(statements.length).toBeGreaterThan(0);
    for (const sql of statements) expect(queryOfSql(sql)).toEqual(query);
  });

  it('keeps its days, values and limit', () => {
    const sql = `SELECT
  DATE_TRUNC('month', orders.created_at) AS month,
  customers.city AS city,
  MEASURE(orders.count) AS count
FROM orders CROSS JOIN customers
WHERE orders.status IN ('paid', 'sent')
  AND orders.is_gift = TRUE
  AND orders.created_at >= '2026-01-01'
  AND orders.created_at <= '2026-03-31 23:59:59.999'
GROUP BY 1, 2
ORDER BY 3 DESC, 1
LIMIT 10`;
    expect(queryOfSql(sql)).toEqual({
      measures: ['orders.count'],
      dimensions: ['customers.city'],
      timeDimensions: [{ dimension: 'orders.created_at', granularity: 'month' }],
      filters: [
        { member: 'orders.status', operator: 'equals', values: ['paid', 'sent'] },
        { member: 'orders.is_gift', operator: 'equals', values: ['true'] },
        { member: 'orders.created_at', operator: 'afterOrOnDate', values: ['2026-01-01'] },
        { member: 'orders.created_at', operator: 'beforeOrOnDate', values: ['2026-03-31T23:59:59.999'] },
      ],
      order: [
        ['orders.count', 'desc'],
        ['orders.created_at', 'asc'],
      ],
      limit: 10,
    });
  });
});

describe('a statement', () => {
  it.each([
    ['GROUP BY 1', {}],
    ['GROUP BY status;', {}],
    ['GROUP BY sales.status -- by status', {}],
    ['AS s GROUP BY s.status', {}],
    ['group by 1 order by revenue desc', { order: [['sales.revenue', 'desc']] }],
    ['GROUP BY 1 ORDER BY MEASURE(revenue)', { order: [['sales.revenue', 'asc']] }],
    ['GROUP BY 1 ORDER BY 1 ASC LIMIT 5', { order: [['sales.status', 'asc']], limit: 5 }],
    ['WHERE large IS TRUE GROUP BY 1', { segments: ['sales.large'] }],
    [
      'GROUP BY 1 HAVING MEASURE(revenue) > -1.5 AND SUM(revenue) IS NOT NULL',
      {
        filters: [
          { member: 'sales.revenue', operator: 'gt', values: ['-1.5'] },
          { member: 'sales.revenue', operator: 'set' },
        ],
      },
    ],
  ])('is read with %s', (rest, more) => expect(select(rest)).toEqual({ ...basic, ...ALL, ...more }));

  it.each([
    ["status = 'it''s'", [{ member: 'sales.status', operator: 'equals', values: ["it's"] }]],
    [
      'status <> 3',
      [
        { member: 'sales.status', operator: 'notEquals', values: ['3'] },
        { member: 'sales.status', operator: 'set' },
      ],
    ],
    [
      "status NOT IN ('a', 'b')",
      [
        { member: 'sales.status', operator: 'notEquals', values: ['a', 'b'] },
        { member: 'sales.status', operator: 'set' },
      ],
    ],
    [
      "(status NOT IN ('a', 'b') OR status IS NULL)",
      [{ member: 'sales.status', operator: 'notEquals', values: ['a', 'b'] }],
    ],
    ["status ILIKE 'a\\%%'", [{ member: 'sales.status', operator: 'startsWith', values: ['a%'] }]],
    ["status LIKE '4\\%%'", [{ member: 'sales.status', operator: 'startsWith', values: ['4%'] }]],
    [
      "status NOT ILIKE '%a'",
      [
        { member: 'sales.status', operator: 'notEndsWith', values: ['a'] },
        { member: 'sales.status', operator: 'set' },
      ],
    ],
    ['status IS NULL', [{ member: 'sales.status', operator: 'notSet' }]],
    [
      'price BETWEEN 1 AND 2.5',
      [
        { member: 'sales.price', operator: 'gte', values: ['1'] },
        { member: 'sales.price', operator: 'lte', values: ['2.5'] },
      ],
    ],
    [
      "day BETWEEN '2026-01-01' AND DATE '2026-01-31'",
      [
        { member: 'sales.day', operator: 'afterOrOnDate', values: ['2026-01-01'] },
        { member: 'sales.day', operator: 'beforeOrOnDate', values: ['2026-01-31'] },
      ],
    ],
    [
      "(status = 'a' OR city = 'b') AND price < 3",
      [
        {
          or: [
            { member: 'sales.status', operator: 'equals', values: ['a'] },
            { member: 'sales.city', operator: 'equals', values: ['b'] },
          ],
        },
        { member: 'sales.price', operator: 'lt', values: ['3'] },
      ],
    ],
  ])('is filtered by %s', (condition, filters) => expect(where(condition)).toEqual(filters));

  it('is read where DISTINCT says what grouping would', () =>
    expect(queryOfSql('SELECT DISTINCT status, city FROM sales')).toEqual({
      dimensions: ['sales.status', 'sales.city'],
      ...ALL,
    }));
});

describe('what no query says', () => {
  it.each([
    'SELECT * FROM sales',
    'SELECT status FROM sales',
    'SELECT status, MEASURE(revenue) FROM sales',
    'SELECT DISTINCT status, MEASURE(revenue) FROM sales',
    'SELECT DISTINCT status, MEASURE(revenue) FROM sales GROUP BY 1',
    'SELECT COUNT(*) FROM sales',
    'SELECT MEDIAN(revenue) FROM sales',
    'SELECT ROUND(MEASURE(revenue)) FROM sales',
    'SELECT MEASURE(revenue) / 2 FROM sales',
    'SELECT MEASURE(revenue) - MEASURE(cost) AS profit FROM sales',
    'SELECT MEASURE(revenue) FILTER (WHERE status = 1) FROM sales',
    'SELECT SUM(DISTINCT revenue) FROM sales',
    'SELECT status, SUM(revenue) OVER (PARTITION BY status) FROM sales GROUP BY 1',
    "SELECT CASE WHEN status = 'a' THEN 1 END AS a FROM sales GROUP BY 1",
    "SELECT DATE_TRUNC('decade', day), MEASURE(revenue) FROM sales GROUP BY 1",
    "SELECT DATE_TRUNC('month', day), DATE_TRUNC('year', day), MEASURE(revenue) FROM sales GROUP BY 1, 2",
    "SELECT DATE_TRUNC('month', day) AS day, MEASURE(revenue) FROM sales GROUP BY day",
    'SELECT status AS city, city AS status FROM sales GROUP BY city, status',
    'SELECT status, status FROM sales GROUP BY 1, 2',
    'SELECT Status FROM sales GROUP BY 1',
    'SELECT `status` FROM sales GROUP BY 1',
    'SELECT public.sales.status FROM sales GROUP BY 1',
    'SELECT status FROM public.sales GROUP BY 1',
    'SELECT status FROM (SELECT status FROM sales) AS s GROUP BY 1',
    'WITH s AS (SELECT status FROM sales) SELECT status FROM s GROUP BY 1',
    'SELECT status FROM sales GROUP BY 1 UNION SELECT city FROM sales GROUP BY 1',
    'SELECT status FROM sales GROUP BY 1; DROP TABLE sales',
    'SELECT status FROM sales, users GROUP BY 1',
    'SELECT sales.status FROM sales CROSS JOIN users GROUP BY 1',
    'SELECT status FROM sales CROSS JOIN users GROUP BY 1',
    'SELECT sales.status, users.city FROM sales JOIN users ON sales.user_id = users.id GROUP BY 1, 2',
    'SELECT sales.status, users.city FROM sales LEFT JOIN users USING (id) GROUP BY 1, 2',
    "SELECT status FROM sales WHERE city = 'unfinished GROUP BY 1",
    '-- SQL has no “last month”. Choose the days of the range to see the query here.\n',
    '',
  ])('is refused: %s', (sql) => expect(queryOfSql(sql)).toBeUndefined());

  it.each([
    'GROUP BY 2',
    'GROUP BY 3',
    'GROUP BY 1, city',
    'GROUP BY ROLLUP(status)',
    'GROUP BY 1 ORDER BY city',
    'GROUP BY 1 ORDER BY 3',
    'GROUP BY 1 ORDER BY 2 DESC NULLS LAST',
    'GROUP BY 1 ORDER BY revenue * -1',
    'GROUP BY 1 HAVING status = 1',
    'GROUP BY 1 HAVING revenue > 1',
    'GROUP BY 1 HAVING MEASURE(revenue) > MEASURE(cost)',
    'GROUP BY 1 LIMIT 0',
    'GROUP BY 1 LIMIT 50001',
    'GROUP BY 1 LIMIT ALL',
    'GROUP BY 1 LIMIT 10 OFFSET 5',
  ])('is refused: … %s', (rest) => expect(select(rest)).toBeUndefined());

  it.each([
    'status = city',
    'status = NULL',
    "LOWER(status) = 'a'",
    "status = UPPER('a')",
    'MEASURE(revenue) > 1',
    'is_gift',
    'is_gift IS FALSE',
    'is_gift IS NOT TRUE',
    "NOT status = 'a'",
    "NOT (status = 'a')",
    "status > 'a'",
    'price > 1 + 1',
    'price NOT BETWEEN 1 AND 2',
    "status LIKE 'a%'",
    "status NOT LIKE '%A%'",
    "status = 1 OR city NOT IN ('a')",
    "status ILIKE 'a_c'",
    "status ILIKE 'abc'",
    "status ILIKE 'a%c'",
    "status LIKE '%'",
    "status ILIKE 'a%' ESCAPE '!'",
    'status IN (SELECT status FROM sales)',
    "status = 'a' OR (city = 'b' AND price = 3)",
    "status = 'a' OR city = 'b' AND price = 3",
    'status = 1 OR large IS TRUE',
    'status <> 1 OR city = 2',
    'day > CURRENT_DATE',
    "day >= CURRENT_DATE - INTERVAL '7 days'",
    "day < DATE '2026-01-31' + INTERVAL '1 day'",
    "day >= '2026-01-01' AND day < DATE '2026-01-31' + INTERVAL '1 month'",
    "day > '2026-01-01' AND day < DATE '2026-01-31' + INTERVAL '1 day'",
    "day >= '2026-01-01' AND other < DATE '2026-01-31' + INTERVAL '1 day'",
    "DATE_TRUNC('month', day) = '2026-01-01'",
    "day >= '2026-01-01'::timestamp",
  ])('is refused as a condition: %s', (condition) => expect(select(`WHERE ${condition} GROUP BY 1`)).toBeUndefined());
});

const measures = ['orders.count', 'orders.revenue', 'users.Largest "one"'];
const dimensions = ['orders.status', 'orders.created_at', 'users.city', 'users.where'];
const quoted = (values: readonly string[]): string =>
  values.map((value) => `"${value.replaceAll('"', '""')}"`).join(', ');
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const texts = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 });
const condition = (members: readonly string[]): fc.Arbitrary<Condition> => {
  const one = (operators: readonly Condition['operator'][], values: fc.Arbitrary<string>): fc.Arbitrary<Condition> =>
    fc.record({ member: fc.constantFrom(...members), operator: fc.constantFrom(...operators), values });
  return fc.oneof(
    one(['equals', 'notEquals', 'contains', 'notContains', 'startsWith'], texts.map(quoted)),
    one(['notStartsWith', 'endsWith', 'notEndsWith'], texts.map(quoted)),
    one(['gt', 'gte', 'lt', 'lte'], fc.constantFrom('0', '12', '-3.25', '1e6')),
    one(['beforeDate', 'beforeOrOnDate', 'afterDate', 'afterOrOnDate'], day),
    one(['inDateRange', 'notInDateRange'], fc.tuple(day, day).map(quoted)),
    one(['set', 'notSet'], fc.constant('')),
  );
};
const groups = (members: readonly string[]): fc.Arbitrary<Draft['filters']> =>
  fc.array(fc.array(condition(members), { minLength: 1, maxLength: 3 }), { maxLength: 3 });
const time: fc.Arbitrary<Draft['time']> = fc.oneof(
  fc.constant(emptyDraft.time),
  fc.record({
    dimension: fc.constantFrom('orders.created_at', 'users.born'),
    granularity: fc.constantFrom('day', 'month', 'year'),
    range: fc.constant(''),
    from: fc.constant(''),
    to: fc.constant(''),
  }),
  fc.record({
    dimension: fc.constantFrom('orders.created_at', 'users.born'),
    granularity: fc.constantFrom('', 'week', 'quarter'),
    range: fc.constant('between'),
    from: day,
    to: day,
  }),
);
const drafts: fc.Arbitrary<Draft> = fc
  .record({
    measures: fc.subarray(measures),
    dimensions: fc.subarray(dimensions),
    segments: fc.subarray(['orders.large', 'users.vip']),
    time,
    // The statement has conditions on measures behind the others.
    filters: fc.tuple(groups(dimensions), groups(measures)).map(([before, after]) => [...before, ...after]),
    limit: fc.integer({ min: 1, max: 50_000 }).map(String),
    descending: fc.array(fc.boolean(), { maxLength: 3 }),
  })
  .map(({ descending, ...draft }) => {
    const columns = columnsOf({ ...emptyDraft, ...draft });
    const order = columns
      .slice(0, descending.length)
      .map((member, at) => ({ member, descending: descending[at] ?? false }));
    return { ...emptyDraft, ...draft, order };
  })
  .filter((draft) => columnsOf(draft).length > 0);

describe('the SQL of the playground', () => {
  it('is read as the query that it was written for', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const query = queryOfSql(sqlForm(draft, (member) => measures.includes(member)));
        expect({ ...query, timezone: 'UTC' }).toEqual(buildQuery(draft));
      }),
      { numRuns: 1000 },
    );
  });

  it('is a query that the playground can show', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const query = queryOfSql(sqlForm(draft, (member) => measures.includes(member)));
        const read = draftOf(query ?? {});
        expect(read.ok && buildQuery(read.value)).toEqual(buildQuery(draft));
      }),
    );
  });
});

/** Returns the statements of a recorded answer. */
function recordedSql(name: string): readonly string[] {
  const lines = readFileSync(new URL(`../../../fixtures/chat/${name}.ndjson`, import.meta.url), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const { toolCall } = (line === '' ? {} : JSON.parse(line)) as { toolCall?: Parameters<typeof readTool>[0] };
    const reading = toolCall && readTool(toolCall);
    return reading?.kind === 'sql' && reading.result.sql !== '' ? [reading.result.sql] : [];
  });
}
