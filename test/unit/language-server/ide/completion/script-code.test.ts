import { describe, expect, it } from 'vitest';
import type { Drawn } from '#support/language/drawn.ts';
import { js } from '#support/language/raw.ts';
import { completionItems, completions } from '#support/language/show.ts';

/** A script with a constant of each kind above a cube, and a cube to join to. */
const model = (cube: string): string =>
  `// file: a.js\n${js`
  import { rate } from './rates';
  const TABLE_NAME = 'orders';
  const SHARED = { tenant: { sql: 'tenant', type: 'string' } };
  const KEYS = ['id'];
  const IS_PUBLIC = false;
  function money(column) { return column; }
  cube('users', { sql_table: 'users', dimensions: { id: { sql: 'id', type: 'number', primary_key: true }, city: { sql: 'city', type: 'string' } } });
  ${cube}
  const LATER = 1;
`}`;

const orders = (rest: string): string =>
  model(
    `cube('orders', { sql_table: 'orders', joins: { users: { relationship: 'many_to_one', sql: \`\${CUBE}.u = \${users}.id\` } }, measures: { count: { type: 'count' } }, ${rest} });`,
  );

const dimension = (sql: string): string => orders(`dimensions: { at: { type: 'time', sql: ${sql} } }`);

const offered = (text: string): Drawn => completions(text);
const labels = (text: string): readonly string[] => completionItems(text).map(({ label }) => label);

describe('completion in the code of a script', () => {
  // @shows completion-of-members
  it.each([
    ['() => { const a = CUBE.$0; }'],
    ['() => CUBE.$0'],
    ['(CUBE) => { return CUBE?.$0 }'],
    ['CUBE.$0'],
    ['() => { if (true) { return money(CUBE["$0"]) } }'],
  ])('offers members behind the cube in SQL: %s', (sql) => {
    expect(labels(dimension(sql))).toEqual(expect.arrayContaining(['count', 'users']));
  });

  it('offers members of a cube to join to, and granularities', () => {
    expect(offered(dimension('() => { return users.$0 }'))).toMatchInlineSnapshot(`city, id`);
    expect(offered(dimension('() => CUBE.at.$0'))).toMatchInlineSnapshot(
      `second, minute, hour, day, week, month, quarter, year`,
    );
  });

  it('offers the names of the model first, then those of the script', () => {
    expect(offered(dimension('() => { const own = 1; return $0 }'))).toMatchInlineSnapshot(`
      CUBE, count, users, FILTER_PARAMS, FILTER_GROUP, SECURITY_CONTEXT, SQL_UTILS, COMPILE_CONTEXT,
      orders, IS_PUBLIC, KEYS, own, SHARED, TABLE_NAME, rate, money
    `);
    expect(offered(dimension('`${$0}`'))).toMatchInlineSnapshot(`
      CUBE, count, users, FILTER_PARAMS, FILTER_GROUP, SECURITY_CONTEXT, SQL_UTILS, COMPILE_CONTEXT,
      orders, TABLE_NAME, rate, money
    `);
  });

  it('offers what the variables of the engine have', () => {
    expect(offered(dimension('() => SECURITY_CONTEXT.tenant.$0'))).toMatchInlineSnapshot(
      `filter, requiredFilter, unsafeValue`,
    );
    expect(offered(dimension('`${FILTER_PARAMS.orders.at.$0}`'))).toMatchInlineSnapshot(`filter`);
    expect(offered(dimension('`${SQL_UTILS.$0}`'))).toMatchInlineSnapshot(`convertTz, urlEncode`);
  });

  it.each([
    ['a group of members', 'dimensions: $0', 'SHARED'],
    ['a boolean', 'public: $0', 'IS_PUBLIC'],
    ['an object that is spread', 'dimensions: { ...$0 }', 'SHARED'],
    ['an object that is spread, half typed', 'dimensions: { ...SH$0 }', 'SHARED'],
    ['a list that is spread', 'access_policy: [...$0]', 'KEYS'],
    ['a text', 'title: $0', 'TABLE_NAME'],
  ])('offers names of the script for a value that they can be: %s', (_, key, first) => {
    const own = labels(orders(key)).filter((label) => /^[A-Z_]+$|^rate$|^money$/.test(label));
    expect(own).toEqual([first, 'rate', 'money']);
  });

  it('offers no name inside quotes, and none that is declared below', () => {
    expect(labels(orders("title: '$0'"))).toEqual([]);
    expect(labels(orders('title: $0'))).not.toContain('LATER');
    expect(labels(orders('dimensions: helper({ $0 })'))).toEqual([]);
  });

  it('offers a whole definition behind its call', () => {
    const put = (call: string): unknown =>
      completionItems(`// file: a.js\n${call}`).map(({ textEdit }) => textEdit?.newText.split('\n')[0]);
    expect(put('cube($0)')).toEqual(['`${1:name}`, {']);
    expect(put('view(`shop`, $0')).toEqual(['{']);
    expect(put('helper($0)')).toEqual([]);
    expect(put('my.cube($0)')).toEqual([]);
  });
});
