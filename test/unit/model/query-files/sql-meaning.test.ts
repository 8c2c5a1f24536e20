import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildQuery } from '#features/playground/build-query.ts';
import { type Condition, emptyDraft } from '#features/playground/draft.ts';
import { operatorsOf, valueCount } from '#features/playground/operators.ts';
import { sqlForm } from '#features/playground/sql-form.ts';
import { queryOfSql } from '#model/query-files/sql-query.ts';
import { openWarehouse, type Value, type Warehouse } from '#platform/data/warehouse/warehouse.ts';
import { realEngine } from '#support/real-engine.ts';
import { yaml } from '#support/language/raw.ts';

/** Rows with texts in both cases, with marks of patterns, at the ends of a range of days, and without a value in each column. */
const table = `(SELECT * FROM (VALUES
  (1, 'Ann', 1.5, TIMESTAMP '2026-01-01 00:00:00', TRUE),
  (2, 'ann', -2, TIMESTAMP '2026-01-31 00:00:00', FALSE),
  (3, 'ANNA', 0, TIMESTAMP '2026-01-31 23:59:59', NULL),
  (4, 'Bo', 1.5, TIMESTAMP '2026-02-01 00:00:00', TRUE),
  (5, '', 10, TIMESTAMP '2025-12-31 23:59:59', FALSE),
  (6, '42', 42, TIMESTAMP '2024-02-29 12:00:00', NULL),
  (7, NULL, NULL, NULL, NULL),
  (8, 'xANNx', NULL, TIMESTAMP '2026-01-15 08:00:00', TRUE),
  (9, 'é', 3, NULL, FALSE),
  (10, 'É', NULL, NULL, NULL)
) AS v(id, name, price, day, gift)) AS t`;
const model = yaml`
  cubes:
    - name: t
      sql: >
        SELECT * FROM ${table}
      measures:
        - name: rows
          type: count
        - name: total
          sql: price
          type: sum
      dimensions:
        - name: id
          sql: id
          type: number
          primary_key: true
          public: true
        - name: name
          sql: name
          type: string
        - name: price
          sql: price
          type: number
        - name: day
          sql: day
          type: time
        - name: gift
          sql: gift
          type: boolean
`;
const engine = realEngine();
const folder = mkdtempSync(join(tmpdir(), 'sql-meaning-'));
let warehouse: Warehouse;

beforeAll(async () => {
  warehouse = await openWarehouse(join(folder, 'shop.duckdb'), 100);
});

afterAll(async () => {
  await warehouse.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

const texts = ["'Ann'", "'ann'", "''", "'42'"];
const patterns = ["'ann%'", "'%ANN'", "'%nn%'", "'42%'", "'%4%'", "'É%'"];
const conditions = [
  ...texts.flatMap((text) => [`name = ${text}`, `name <> ${text}`, `name != ${text}`]),
  "name IN ('Ann', 'Bo')",
  "name NOT IN ('Ann', 'Bo')",
  "name NOT IN ('Ann')",
  "(name NOT IN ('Ann', 'Bo') OR name IS NULL)",
  "(name <> 'Ann' OR name IS NULL)",
  "name <> 'Ann' AND name <> 'Bo'",
  "name <> 'Ann' AND name IS NOT NULL",
  ...patterns.flatMap((text) => ['LIKE', 'NOT LIKE', 'ILIKE', 'NOT ILIKE'].map((each) => `name ${each} ${text}`)),
  ...patterns.flatMap((text) => ['LIKE', 'ILIKE'].map((each) => `(name NOT ${each} ${text} OR name IS NULL)`)),
  "(name ILIKE 'ann%' OR name ILIKE 'b%')",
  "(name NOT ILIKE 'ann%' AND name NOT ILIKE 'b%')",
  "(name NOT ILIKE 'ann%' AND name NOT ILIKE 'b%' OR name IS NULL)",
  "(name NOT ILIKE 'ann%' AND name <> 'Bo' OR name IS NULL)",
  "(name NOT ILIKE 'ann%' OR price IS NULL)",
  "(name NOT IN ('Ann') OR price = 1.5)",
  "(price = 1.5 OR (name NOT IN ('Ann') OR name IS NULL))",
  "(price = 1.5 OR name NOT ILIKE 'a%')",
  "(name <> 'Ann' AND name <> 'Bo' OR name IS NULL)",
  'name IS NULL',
  'name IS NOT NULL',
  ...['=', '<>', '>', '>=', '<', '<='].flatMap((sign) => [`price ${sign} 1.5`, `price ${sign} -2`, `price ${sign} 0`]),
  'price BETWEEN 0 AND 1.5',
  'price IN (1.5, 0)',
  'price NOT IN (1.5, 0)',
  'gift = TRUE',
  'gift = FALSE',
  'gift <> TRUE',
  'gift NOT IN (TRUE)',
  'gift IS NULL',
  ...['>', '>=', '<', '<='].flatMap((sign) => [`day ${sign} '2026-01-31'`, `day ${sign} DATE '2026-01-01'`]),
  "day > TIMESTAMP '2026-01-31 00:00:00'",
  "day BETWEEN '2026-01-01' AND '2026-01-31'",
  "day >= '2026-01-01' AND day < DATE '2026-01-31' + INTERVAL '1 day'",
  "NOT (day >= '2026-01-01' AND day < DATE '2026-01-31' + INTERVAL '1 day')",
  'day IS NULL',
];

describe('a statement that is read as a query', () => {
  it.each(conditions)('finds the rows that SQL finds, or is refused: %s', async (condition) => {
    const query = queryOfSql(`SELECT id FROM t WHERE ${condition} GROUP BY 1`);
    const rows = refused.includes(condition) ? undefined : await found(`SELECT id FROM ${table} WHERE ${condition}`);
    expect(query && (await rowsOf(query))).toEqual(rows);
  });

  it.each(['> 1', '<> 10', 'NOT IN (10, 3)', 'IS NULL', 'IS NOT NULL'])(
    'finds the groups that SQL finds: HAVING %s',
    async (condition) => {
      const having = (measure: string): string => `GROUP BY 1 HAVING ${measure} ${condition}`;
      const query = queryOfSql(`SELECT id FROM t ${having('MEASURE(total)')}`);
      expect(await rowsOf(query ?? {})).toEqual(await found(`SELECT id FROM ${table} ${having('sum(price)')}`));
    },
  );
});

/** Conditions that no query says; everything else must be read. */
const refused = [
  ...["'ann%'", "'%ANN'", "'%nn%'", "'É%'"].flatMap((text) => [
    `name LIKE ${text}`,
    `name NOT LIKE ${text}`,
    `(name NOT LIKE ${text} OR name IS NULL)`,
  ]),
  "(name NOT ILIKE 'ann%' AND name <> 'Bo' OR name IS NULL)",
  "(name NOT ILIKE 'ann%' OR price IS NULL)",
  "(name NOT IN ('Ann') OR price = 1.5)",
  "(price = 1.5 OR name NOT ILIKE 'a%')",
  "(name <> 'Ann' AND name <> 'Bo' OR name IS NULL)",
];

describe('the SQL of the playground', () => {
  const kinds = { name: 'text', price: 'number', day: 'time' } as const;
  const values = { name: ['Ann', 'ann', 'Ann, Bo', '42', '""'], price: ['1.5', '0', '0, 1.5'], day: ['2026-01-31'] };
  const cases = (['name', 'price', 'day'] as const).flatMap((name) =>
    operatorsOf(kinds[name]).flatMap(({ operator }) =>
      typed(operator, values[name]).map((text): Condition => ({ member: `t.${name}`, operator, values: text })),
    ),
  );

  it.each(cases)('finds the rows of the query: $member $operator $values', async (condition) => {
    const draft = { ...emptyDraft, dimensions: ['t.id'], filters: [[condition]], limit: '100' };
    const form = sqlForm(draft, () => false);
    const sql = form.replace('FROM "t"', `FROM ${table}`);
    expect(await found(sql)).toEqual(await rowsOf(buildQuery(draft)));
    expect({ ...queryOfSql(form), timezone: 'UTC' }).toEqual(buildQuery(draft));
  });
});

/** Returns the values that an operator takes. */
function typed(operator: Condition['operator'], values: readonly string[]): readonly string[] {
  const count = valueCount(operator);
  if (count === 'none') return [''];
  if (count === 'dates') return ['2026-01-01, 2026-01-31', '2026-01-31, 2026-01-31'];
  // A pattern of nothing is every text with a value; reading it back would be another query, so it is refused.
  const isFitting = (text: string): boolean =>
    text === '""' ? /equals$/i.test(operator) : count === 'some' || !text.includes(',');
  return values.filter((text) => isFitting(text));
}

async function rowsOf(query: object): Promise<readonly Value[]> {
  const empty = { measures: [], dimensions: [], timeDimensions: [], filters: [], segments: [], offset: 0 };
  const built = await engine.sql([{ fileName: 'model/t.yml', content: model }], {
    ...empty,
    timezone: 'UTC',
    limit: 100,
    ...query,
    order: [],
  });
  if (!built.ok) throw new Error(built.error);
  return found(built.value.sql, built.value.params);
}

async function found(sql: string, params: readonly Value[] = []): Promise<readonly Value[]> {
  const { rows } = await warehouse.query(sql, params);
  return rows.map(([id]) => Number(id)).toSorted((a, b) => a - b);
}
