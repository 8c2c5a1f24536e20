import { describe, expect, it } from 'vitest';
import { columnSource } from '#chat-core/sql-columns.ts';

describe('columnSource', () => {
  it.each([
    ['SELECT status, MEASURE(count) FROM orders GROUP BY 1', 'count', 1, 'MEASURE(count)', ['orders.count']],
    ['SELECT MEASURE(orders.total) AS revenue FROM orders', 'revenue', 0, 'MEASURE(orders.total)', ['orders.total']],
    ['select measure(o.total) as "Net" from orders as o', 'Net', 0, 'measure(o.total)', ['orders.total']],
    [
      "SELECT DATE_TRUNC('month', created_at) AS month, SUM(a, b) s FROM orders",
      'month',
      0,
      "DATE_TRUNC('month', created_at)",
      ['orders.created_at'],
    ],
    [
      'SELECT city, MEASURE(count) FROM orders CROSS JOIN customers GROUP BY 1 -- by city',
      'city',
      0,
      'city',
      ['orders.city', 'customers.city'],
    ],
    [
      "SELECT CASE WHEN status = 'x, y' THEN 1 ELSE 0 END AS done FROM orders",
      'done',
      0,
      "CASE WHEN status = 'x, y' THEN 1 ELSE 0 END",
      ['orders.status'],
    ],
    [
      'SELECT MEASURE(total) / MEASURE(count) FROM orders',
      'col_0',
      0,
      'MEASURE(total) / MEASURE(count)',
      ['orders.total', 'orders.count'],
    ],
  ])('reads of %j column %j at %i', (sql, name, at, expression, names) => {
    expect(columnSource(sql, { name, at })).toEqual({ expression, names });
  });

  it.each([
    'SELECT * FROM orders',
    'WITH x AS (SELECT 1) SELECT a FROM x',
    'SELECT a FROM b UNION SELECT c FROM d',
    'SELECT 1',
    '',
  ])('guesses nothing of %j', (sql) => {
    expect(columnSource(sql, { name: 'a', at: 0 })).toBeUndefined();
  });
});
