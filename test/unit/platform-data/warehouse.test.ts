import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { generateShop, lastDay } from '#platform/data/warehouse/generate.ts';
import { createRandom, weighted } from '#platform/data/warehouse/random.ts';
import { openWarehouse, type Warehouse } from '#platform/data/warehouse/warehouse.ts';

const folder = mkdtempSync(join(tmpdir(), 'warehouse-'));
const warehouse = openWarehouse(join(folder, 'a.duckdb'), 6000);
afterAll(async () => {
  await (await warehouse).close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

async function one(sql: string, from: Promise<Warehouse> = warehouse): Promise<unknown> {
  return (await (await from).query(sql)).rows[0]?.[0];
}

const fingerprint = `SELECT md5(string_agg(md5(t::VARCHAR), '' ORDER BY t.id)) FROM`;

describe('the sample warehouse', () => {
  it('holds the same every time it is made', async () => {
    const other = openWarehouse(join(folder, 'b.duckdb'), 6000);
    for (const table of ['orders', 'line_items', 'customers', 'products', 'returns', 'stores', 'suppliers']) {
      expect(await one(`${fingerprint} ${table} t`, other)).toBe(await one(`${fingerprint} ${table} t`));
    }
    await (await other).close();
  });

  it('keeps its numbers: a change of the generator must be meant', async () => {
    expect(await one('SELECT count(*) FROM line_items')).toBe('6053');
    expect(await one('SELECT count(*) FROM orders')).toBe('2500');
  });

  it('holds together', async () => {
    expect(await one('SELECT count(*) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id WHERE c.id IS NULL')).toBe('0');
    expect(await one('SELECT count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.created_at > o.created_at + INTERVAL 1 DAY')).toBe('0');
    expect(await one('SELECT count(*) FROM orders WHERE id NOT IN (SELECT order_id FROM line_items)')).toBe('0');
    expect(await one('SELECT count(*) FROM line_items i JOIN products p ON p.id = i.product_id JOIN orders o ON o.id = i.order_id WHERE p.launched_at > o.created_at')).toBe('0');
    expect(await one('SELECT count(*) FROM returns r LEFT JOIN line_items i ON i.id = r.line_item_id WHERE i.id IS NULL')).toBe('0');
  }); // prettier-ignore

  it('answers exact numbers as text and times as ISO', async () => {
    const table = await (
      await warehouse
    ).query(
      "SELECT 1::BIGINT AS b, 1.50::DECIMAL(5,2) AS d, 1.5::DOUBLE AS f, TRUE AS t, NULL AS n, TIMESTAMP '2024-01-02 03:04:05.678' AS ts, DATE '2024-01-02' AS day WHERE 1 = ?",
      [1],
    );
    expect(table.rows).toEqual([['1', '1.50', 1.5, true, null, '2024-01-02T03:04:05.678', '2024-01-02T00:00:00.000']]);
    expect(table.columns.map(({ type }) => type).slice(0, 3)).toEqual(['BIGINT', 'DECIMAL(5,2)', 'DOUBLE']);
  });

  it('can only be read, and reads nothing but itself', async () => {
    const open = await warehouse;
    await expect(open.query('DELETE FROM orders')).rejects.toThrow(/read-only/);
    await expect(open.query("SELECT * FROM read_csv('/etc/hostname')")).rejects.toThrow(/disabled/);
    await expect(open.query("COPY orders TO '/tmp/out.csv'")).rejects.toThrow(/disabled/);
  });

  it('stops a query when its signal is aborted', async () => {
    const controller = new AbortController();
    const long = (await warehouse).query(
      'SELECT count(*) FROM line_items a, line_items b, line_items c WHERE a.id + b.id + c.id = -1',
      [],
      controller.signal,
    );
    controller.abort(new Error('enough'));
    await expect(long).rejects.toThrow('enough');
  });

  it('never opens a file that was left half-written', async () => {
    const target = join(folder, 'c.duckdb');
    writeFileSync(`${target}.${String(process.pid)}.building`, 'half');
    const made = openWarehouse(target, 200);
    expect(await one('SELECT count(*) > 0 FROM orders', made)).toBe(true);
    await (await made).close();
    expect(readdirSync(folder).filter((name) => name.includes('building'))).toEqual([]);
  });
});

describe('the generator', () => {
  it('grows with the size asked for', () => {
    const count = (size: number): number =>
      [...generateShop(size)].filter(({ table }) => table.name === 'line_items').length;
    expect(count(24)).toBeGreaterThanOrEqual(10);
    expect(Math.abs(count(2400) - 2400)).toBeLessThan(240);
  });

  it('ends with its last day', () => {
    const created = [...generateShop(500)]
      .filter(({ table }) => table.name === 'orders')
      .map(({ row }) => Number(row[5]));
    expect(Math.max(...created)).toBeLessThan(lastDay + 86_400);
  });

  it('draws within bounds and never what weighs nothing', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }), (seed, weights) => {
        fc.pre(weights.some((weight) => weight > 0));
        const random = createRandom(seed);
        const draw = weighted(random, weights);
        for (let times = 0; times < 50; times++) {
          expect(weights[draw()]).toBeGreaterThan(0);
          expect(random.between(3, 9)).toSatisfy((n: number) => Number.isInteger(n) && n >= 3 && n <= 9);
        }
      }),
    );
  });
});
