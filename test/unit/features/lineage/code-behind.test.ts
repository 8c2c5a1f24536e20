import { describe, expect, it } from 'vitest';
import { changeLine } from '#features/lineage/model-changes.ts';
import { impactOfFiles, modelImpact } from '#features/lineage/model-impact.ts';
import { js } from '#support/language/raw.ts';

const render = () => Promise.resolve(null);

const scripted = js`
  import { net } from './money';
  const table = 'shop.orders';
  /** Never zero. */
  function safe(sql) {
    return 'NULLIF(' + sql + ', 0)';
  }
  const times = ['day'];
  const base = { data_source: 'lake' };
  cube('orders', {
    ...base,
    sql_table: table,
    joins: { users: { relationship: 'many_to_one', sql: (CUBE) => ${'`${CUBE}.user_id = ${safe(1)}`'} } },
    dimensions: {
      id: { sql: 'id', type: 'number', primary_key: true },
      ...Object.fromEntries(times.map((name) => [name, { sql: name, type: 'time' }])),
    },
    measures: {
      total: { sql: (CUBE) => net(${'`${CUBE}.amount`'}), type: 'sum' },
      count: { type: 'count' },
    },
  });
`;
const money = js`
  import { rate } from './rates';
  const tax = rate * 2;
  export const net = (sql) => sql + ' * ' + tax;
  export const unused = 1;
`;
const rates = 'export const rate = 0.1;\n';
const people = 'cubes:\n  - name: users\n    sql_table: users\n';
type Scripts = Readonly<Record<'orders' | 'money' | 'rates', string>>;
const scripts: Scripts = { orders: scripted, money, rates };
const modelOf = (texts: Scripts): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(texts).map(([name, text]) => [`model/${name}.js`, text] as const),
    ['model/users.yml', people],
  ]);

describe('a definition in a script', () => {
  it.each<readonly [what: string, file: keyof Scripts, from: string, to: string, line: string]>([
    ['a function of its own file', 'orders', ', 0)', ', 1)', 'redefined cube orders: joins.users.sql'],
    ['a constant of its own file', 'orders', 'shop.orders', 'shop.sales', 'redefined cube orders: sql_table'],
    ['what is spread into it', 'orders', 'lake', 'pond', 'redefined cube orders: code'],
    ['what its members are made of', 'orders', "['day']", "['day', 'week']", 'redefined cube orders: code'],
    ['a function of another file', 'money', "' * '", "' + '", 'redefined measure sum orders.total: sql'],
    ['what that function uses', 'money', 'rate * 2', 'rate * 3', 'redefined measure sum orders.total: sql'],
    ['a third file', 'rates', '0.1', '0.2', 'redefined measure sum orders.total: sql'],
  ])('follows a script into %s', async (_, file, from, to, line) => {
    expect(scripts[file]).toContain(from);
    const after = { ...scripts, [file]: scripts[file].replace(from, to) };
    const impact = await modelImpact(modelOf(scripts), modelOf(after), render);
    expect(impact.changes.map(changeLine)).toEqual([line]);
    // On the page of a push, which has only the files that are pushed.
    const only = (texts: Scripts): ReadonlyMap<string, string> => new Map([[`model/${file}.js`, texts[file]]]);
    const pushed = await impactOfFiles(only(scripts), only(after), async () => Promise.resolve(modelOf(after)), render);
    expect(pushed.changes.map(changeLine)).toEqual([line]);
  });

  it.each<readonly [what: string, file: keyof Scripts, from: string, to: string]>([
    ['a comment above a function', 'orders', 'Never zero', 'Null for zero'],
    ['other quotes and a trailing comma', 'orders', "['day']", '["day",]'],
    ['the layout of a function', 'money', '(sql) => sql', '(sql) =>\n  sql'],
    ['a function that it does not use', 'money', 'unused = 1', 'unused = 2'],
    ['a new function', 'money', 'const tax', 'const more = 1;\nconst tax'],
  ])('does not take %s for another definition', async (_, file, from, to) => {
    expect(scripts[file]).toContain(from);
    const after = { ...scripts, [file]: scripts[file].replace(from, to) };
    expect((await modelImpact(modelOf(scripts), modelOf(after), render)).changes).toEqual([]);
  });
});
