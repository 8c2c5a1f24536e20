import { describe, expect, it } from 'vitest';
import { actionTitles } from '#support/language/show.ts';
import { yaml } from '#support/language/raw.ts';

const titles = (sql: string): readonly string[] =>
  actionTitles(yaml`
    cubes:
      - name: orders
        sql_table: t
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
        measures:
          - name: x
            type: number
            sql: "${sql}"
  `).drawn.split('\n');

describe('creating what a reference names', () => {
  it.each(['MAX({customers.total})', '{customers.total}', '{customers.orders.id}', '{customers.items.total}'])(
    'creates a cube where a name follows: %s',
    (sql) => {
      expect(titles(sql)).toContain('Create the cube `customers`');
      expect(titles(sql).join()).not.toMatch(/Create the (?:dimension|measure)/);
    },
  );

  it.each(['MAX({paid_at})', 'MAX({paid_at.month})', 'MAX({CUBE.paid_at})', 'MAX({orders.paid_at})'])(
    'creates a member where none or a granularity follows: %s',
    (sql) => {
      expect(titles(sql)).toContain('Create the dimension `paid_at` in `orders`');
    },
  );
});
