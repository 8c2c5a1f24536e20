import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planSql } from '#platform/data/cubesql/plan.ts';
import { render, tokenize } from '#platform/data/cubesql/tokens.ts';
import { openWarehouse, type Warehouse } from '#platform/data/warehouse/warehouse.ts';
import type { CubeMeta } from '#platform/engine/index.ts';
import { realEngine } from '#support/real-engine.ts';
import { sampleModel } from '#support/mounted-apis.ts';

const engine = realEngine();
const folder = mkdtempSync(join(tmpdir(), 'cubesql-'));
const files = sampleModel();
let warehouse: Warehouse;
let meta: readonly CubeMeta[];

beforeAll(async () => {
  warehouse = await openWarehouse(join(folder, 'shop.duckdb'), 6000);
  const compiled = await engine.compile(files, { groups: ['support'] });
  if (!compiled.ok) throw new Error(compiled.errorText);
  ({ meta } = compiled);
});

afterAll(async () => {
  await warehouse.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

async function plan(sql: string): ReturnType<typeof planSql> {
  const now = Date.UTC(2026, 10, 1);
  return planSql(sql, { meta, now, generate: (query) => engine.sql(files, query, { groups: ['support'] }) });
}

/** Rows as text, so that `1` and `1.0` of different plans compare by value. */
async function rows(sql: string, params: Parameters<Warehouse['query']>[1] = []): Promise<unknown> {
  const { rows: found } = await warehouse.query(sql, params);
  return found.map((row) =>
    row.map((value) => (value !== null && !Number.isNaN(Number(value)) ? Number(Number(value).toFixed(4)) : value)),
  );
}

async function planned(sql: string): Promise<unknown> {
  const result = await plan(sql);
  if (!result.ok) throw new Error(result.error);
  return rows(result.value.sql, result.value.params);
}

const revenue = 'i.unit_price * i.quantity * (1 - i.discount)';
const items =
  'line_items i JOIN orders o ON o.id = i.order_id JOIN customers c ON c.id = o.customer_id JOIN products p ON p.id = i.product_id JOIN product_categories k ON k.id = p.category_id';

describe('SQL over the model answers what plain SQL answers', () => {
  const pairs: readonly (readonly [model: string, plain: string])[] = [
    ['SELECT count(*) FROM orders', 'SELECT count(*) FROM orders'],
    [
      'SELECT status, MEASURE(count) AS n FROM orders GROUP BY 1 ORDER BY 2 DESC, 1',
      'SELECT status, count(*) FROM orders GROUP BY 1 ORDER BY 2 DESC, 1',
    ],
    [
      'SELECT category, MEASURE(revenue) FROM sales GROUP BY category ORDER BY 2 DESC LIMIT 3 OFFSET 1',
      `SELECT k.name, sum(${revenue}) FROM ${items} GROUP BY 1 ORDER BY 2 DESC LIMIT 3 OFFSET 1`,
    ],
    [
      "SELECT DATE_TRUNC('month', created_at) AS m, MEASURE(revenue), MEASURE(order_count) FROM sales WHERE customers_country = 'Germany' AND created_at >= '2025-01-01' AND created_at < DATE '2026-01-01' GROUP BY 1 ORDER BY 1",
      `SELECT date_trunc('month', o.created_at), sum(${revenue}), count(DISTINCT o.id) FROM ${items} WHERE c.country = 'Germany' AND o.created_at >= '2025-01-01' AND o.created_at < '2026-01-01' GROUP BY 1 ORDER BY 1`,
    ],
    [
      "SELECT s.category FROM sales AS s WHERE s.category LIKE 'B%' OR NOT (s.category IN ('Ski', 'Tents') OR s.category <> 'Kitchen') GROUP BY 1 ORDER BY 1",
      "SELECT name FROM product_categories WHERE name LIKE 'B%' OR name = 'Kitchen' ORDER BY 1",
    ],
    [
      'SELECT status, count(*) AS n FROM orders GROUP BY status HAVING count(*) > 50 ORDER BY n',
      'SELECT status, count(*) AS n FROM orders GROUP BY status HAVING count(*) > 50 ORDER BY n',
    ],
    ['SELECT DISTINCT status FROM orders ORDER BY 1', 'SELECT DISTINCT status FROM orders ORDER BY 1'],
    [
      'SELECT count(DISTINCT customers_country), max(created_at) FROM sales',
      `SELECT count(DISTINCT c.country), max(o.created_at) FROM ${items}`,
    ],
    [
      'SELECT status, ROUND(MEASURE(count) / 10.0, 1) + 1 AS x FROM orders GROUP BY status ORDER BY status',
      'SELECT status, round(count(*) / 10.0, 1) + 1 FROM orders GROUP BY 1 ORDER BY 1',
    ],
    [
      'SELECT customers.country, orders.count FROM orders CROSS JOIN customers GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 4',
      'SELECT c.country, count(*) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 4',
    ],
    [
      'SELECT id, status FROM orders WHERE id BETWEEN 10 AND 12 ORDER BY id DESC',
      'SELECT id, status FROM orders WHERE id BETWEEN 10 AND 12 ORDER BY id DESC',
    ],
    [
      'SELECT count(*) FROM orders WHERE completed_at IS NULL AND open = TRUE',
      "SELECT count(*) FROM orders WHERE completed_at IS NULL AND status IN ('processing', 'shipped')",
    ],
    [
      'WITH t AS (SELECT category, MEASURE(revenue) AS r FROM sales GROUP BY 1) SELECT count(*), max(r) FROM t',
      `SELECT count(*), max(r) FROM (SELECT k.name, sum(${revenue}) AS r FROM ${items} GROUP BY 1)`,
    ],
    [
      "SELECT x.n FROM (SELECT status, count(*) AS n FROM orders WHERE status = 'cancelled' GROUP BY 1) x UNION ALL SELECT count(*) FROM orders WHERE status = 'shipped'",
      "SELECT count(*) FROM orders WHERE status = 'cancelled' UNION ALL SELECT count(*) FROM orders WHERE status = 'shipped'",
    ],
    [
      "SELECT count(*) FROM orders WHERE DATE_TRUNC('quarter', created_at) = '2025-04-01'",
      "SELECT count(*) FROM orders WHERE date_trunc('quarter', created_at) = '2025-04-01'",
    ],
    [
      "SELECT count(*) FROM orders WHERE created_at > CURRENT_DATE - INTERVAL '2 months'",
      "SELECT count(*) FROM orders WHERE created_at > DATE '2026-09-01'",
    ],
    [
      'SELECT EXTRACT(YEAR FROM created_at) AS y, count(*) FROM orders GROUP BY 1 ORDER BY 1',
      'SELECT year(created_at), count(*) FROM orders GROUP BY 1 ORDER BY 1',
    ],
  ];
  for (const [model, plain] of pairs) {
    it(model, async () => {
      expect(await planned(model)).toEqual(await rows(plain));
    });
  }

  it('names its columns', async () => {
    const result = await plan('SELECT status, MEASURE(count), count(*) AS "how many" FROM orders GROUP BY 1 LIMIT 1');
    if (!result.ok) throw new Error(result.error);
    const { columns } = await warehouse.query(result.value.sql, result.value.params);
    expect(columns.map(({ name }) => name)).toEqual(['status', 'count', 'how many']);
  });

  it('expands * to what the caller may see', async () => {
    const result = await plan('SELECT * FROM customers LIMIT 1');
    if (!result.ok) throw new Error(result.error);
    const { columns } = await warehouse.query(result.value.sql, result.value.params);
    expect(columns.map(({ name }) => name)).toContain('email');
    expect(columns.map(({ name }) => name)).not.toContain('birth_year');
  });
});

describe('what SQL over the model refuses', () => {
  const refused: readonly (readonly [sql: string, message: RegExp])[] = [
    ['SELECT nope FROM orders', /Column 'nope' not found/],
    ['SELECT orders.nope FROM orders', /Column 'orders.nope' not found/],
    ['SELECT birth_year FROM customers', /Column 'birth_year' not found/],
    ['SELECT * FROM returns_raw', /Table or CTE with name 'returns_raw' not found/],
    ["SELECT * FROM read_csv('/etc/passwd')", /'read_csv' not found/],
    ["SELECT * FROM orders, read_csv('/etc/passwd')", /'read_csv' not found/],
    ['SELECT count(*) FROM orders WHERE id IN (SELECT id FROM raw_orders)', /'raw_orders' not found/],
    ['DELETE FROM orders', /Only SELECT/],
    ['SELECT avg(revenue) FROM sales', /aggregation type doesn't match/],
    ['SELECT category, MEASURE(revenue) FROM sales', /must be in GROUP BY/],
    ['SELECT category FROM sales WHERE revenue > 5 GROUP BY 1', /is a measure: filter it with HAVING/],
    ['SELECT count(*) FROM orders WHERE upper(status) = status', /Cannot understand/],
    ['SELECT count(*) FROM orders WHERE status = size', /fixed value/],
    ['SELECT count(*) FROM orders WHERE (status = \'a\'', /parenthesis is not closed/],
    ['SELECT status, count(*) FROM orders GROUP BY 3', /no column number 3/],
    ['SELECT count(DISTINCT status), MEASURE(count) FROM orders', /cannot be in one SELECT/],
    ['SELECT open FROM orders', /is a segment/],
    ['SELECT count(*) FROM orders WHERE status LIKE \'a%b\'', /not supported/],
    ['SELECT `x` FROM orders', /Unexpected character/],
  ]; // prettier-ignore
  for (const [sql, message] of refused) {
    it(sql, async () => {
      const result = await plan(sql);
      expect(result.ok ? 'planned' : result.error).toMatch(message);
    });
  }
});

describe('tokens', () => {
  it('mean the same after being written again', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'SELECT',
        'a.b',
        '"a b"',
        "'it''s'",
        '1.5',
        '(',
        ')',
        '::',
        '<=',
        'x',
        ',',
        '-- note\n',
        '/* c */',
      ),
      fc.string({ maxLength: 5 }).map((text) => `'${text.replaceAll("'", "''")}'`),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const tokens = tokenize(parts.join(' '));
        expect(tokenize(render(tokens))).toEqual(tokens);
      }),
    );
  });
});
