import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { js, yaml } from '#support/language/raw.ts';
import { script } from '#support/language/script-cube.ts';

const CUBE = js`
  cube('orders', {
    sql_table: 'orders',
    dimensions: { id: { sql: 'id', type: 'number', primary_key: true }, status: { sql: 'status', type: 'string' } },
  });
`;

function view(keys: string): string {
  return `${CUBE}\nview('shop', { cubes: [{ join_path: orders, includes: '*' }], ${keys} });\nview_group('sales', { title: 'Sales' });\n`;
}

const filter = (keys: string): string => view(`default_filters: [{ operator: 'set', ${keys} }]`);
const policy = (member: string): string =>
  view(
    `access_policy: [{ group: 'a', member_level: { includes: '*' }, row_level: { filters: [{ member: ${member}, operator: 'set' }] } }]`,
  );

describe('a value of a view in a script', () => {
  // @shows no-false-errors, errors-of-the-engine
  it.each([
    ['a list for one group', view(`view_group: ['sales']`), false],
    ['the name of a group in place of a list', view(`view_groups: 'sales'`), false],
    ['a function for groups', view(`view_groups: () => 'sales'`), false],
    ['an unknown group in a list', view(`view_group: ['nothing']`), true],
    ['an unknown group in place of a list', view(`view_groups: 'nothing'`), true],
    ['an empty text among what lifts a filter', filter(`member: 'status', unless: ''`), false],
    ['a function for what lifts a filter', filter(`member: 'status', unless: () => [CUBE.status]`), false],
    ['an asynchronous function for a member', filter(`member: async () => 'status'`), false],
    ['a path to a member', filter(`member: CUBE.status`), false],
    ['a bare member', filter(`member: status`), true],
    ['a bare member among what lifts a filter', filter(`member: 'status', unless: [status]`), true],
    ['a bare member in a policy', policy('status'), true],
    ['a path to a member in a policy', policy('CUBE.status'), false],
    ['nothing between two commas in a policy', policy('[,]'), false],
    ['null in a list in a policy', policy('[null]'), true],
    [
      'an empty alias of a cube',
      `${CUBE}\nview('v', { cubes: [{ join_path: orders, alias: '', includes: '*' }] });`,
      true,
    ],
    ['an empty title of a group', `${view('')}view_group('other', { title: '', includes: [shop] });`, true],
    ['a setter in place of views', `${view('')}view_group('other', { set views(value) {} });`, false],
  ])('is judged as by the engine: %s', async (_, text, isRefused) => {
    expect(await verdict(script(text))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a value of a view in YAML', () => {
  const inView = (keys: string): string => yaml`
    # file: model/m.yml
    cubes:
      - name: orders
        sql_table: orders
        dimensions: [{name: status, sql: status, type: string}]
    views:
      - name: shop
        cubes: [{join_path: orders, includes: "*"}]
        ${keys}
    view_groups: [{name: sales, title: Sales}]
  `;

  it.each([
    ['a list for one group', 'view_group: [sales]', false],
    ['the name of a group in place of a list', 'view_groups: sales', false],
    ['an unknown group in place of a list', 'view_groups: nothing', true],
    ['an unknown group in a list for one', 'view_group: [nothing]', true],
    ['a path in braces', 'default_filters: [{member: "{CUBE.status}", operator: set}]', false],
    ['a path with only the cube in braces', 'default_filters: [{member: "{orders}.status", operator: set}]', false],
    ['a bare name in braces', 'default_filters: [{member: "{status}", operator: set}]', true],
    ['a path that begins with `CUBE`', 'default_filters: [{member: CUBE.status, operator: set}]', true],
    ['a path from an unknown cube', 'default_filters: [{member: status, unless: [x.status], operator: set}]', true],
    ['a path from its cube', 'default_filters: [{member: orders.status, operator: set}]', false],
  ])('is judged as by the engine: %s', async (_, keys, isRefused) => {
    expect(await verdict(inView(keys))).toEqual({ engine: isRefused, ours: isRefused });
  });
});
