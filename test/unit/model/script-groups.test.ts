import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { js } from '#support/language/raw.ts';
import { script } from '#support/language/script-cube.ts';

const model = (group: string, view = ''): string =>
  script(js`
    const VIEW = 'shop';
    const VIEWS = ['shop'];
    const GROUP = 'sales';
    const GROUPS = ['sales'];
    const NOTHING = 'nothing';
    const nothing = () => 'nothing';
    cube('orders', { sql_table: 'orders', dimensions: { id: { sql: 'id', type: 'number' } } });
    view('shop', { cubes: [{ join_path: 'orders', includes: '*' }] ${view} });
    view_group('sales', { ${group} });
  `);

const NONE = ['undefined', 'null', '5n', '/a/', '!0', '{}', '[]', 'new Date()', `''`, 'nothing'];
const UNKNOWN = [`'no' + 'thing'`, 'NOTHING', 'nothing()', '`${NOTHING}`', 'String(`nothing`)', `NOTHING || 'shop'`];

describe('what a script gives for the groups of a view', () => {
  const groups = (value: string): string => model(`title: 'Sales'`, `, view_groups: ${value}`);

  // @shows no-false-errors, errors-of-the-engine
  it.each([`GROUP`, `GROUPS`, `[GROUP]`, `[GROUPS]`, `() => GROUP`, `() => [GROUP]`, `['sa' + 'les']`, `[[GROUP]]`])(
    'names a group, as for the engine: %s',
    async (value) => {
      expect(await verdict(groups(value))).toEqual({ engine: false, ours: false });
      expect(await verdict(groups(value).replace('view_groups:', 'view_group:'))).toEqual({
        engine: false,
        ours: false,
      });
    },
  );

  it.each([...NONE, ...UNKNOWN])('names no group, as for the engine: %s', async (value) => {
    expect(await verdict(groups(`[${value}]`))).toEqual({ engine: true, ours: true });
    expect(await verdict(groups(`() => [${value}]`))).toEqual({ engine: true, ours: true });
    expect(await verdict(groups(`['sales', ${value}]`).replace('view_groups:', 'view_group:'))).toEqual({
      engine: true,
      ours: true,
    });
  });

  it.each(['nothing', 'class {}', `function () { return 'sales'; }`])(
    'is another kind of function, as for the engine: %s',
    async (value) => {
      expect(await verdict(groups(value))).toEqual({ engine: true, ours: true });
    },
  );
});

describe('what a script gives for the views of a group', () => {
  it.each(['VIEW', 'VIEWS', '[VIEW]', '[VIEWS]', `['sh' + 'op']`, '() => VIEW', '() => [VIEW]', '[[VIEW]]'])(
    'names a view, as for the engine: %s',
    async (value) => {
      expect(await verdict(model(`views: ${value}`))).toEqual({ engine: false, ours: false });
    },
  );

  it.each([...NONE, ...UNKNOWN])('names no view, as for the engine: %s', async (value) => {
    expect(await verdict(model(`views: [${value}]`))).toEqual({ engine: true, ours: true });
    expect(await verdict(model(`views: () => [${value}]`))).toEqual({ engine: true, ours: true });
  });
});

describe('what a script computes itself for groups and views', () => {
  const grouped = (keys: string): string => model(`title: 'Sales'`, `, ${keys}`);

  it.each<[string, string, boolean]>([
    ['a getter of a list of views', model(`get views() { return ['shop']; }`), false],
    ['a getter of the name of a view', model(`get views() { return 'shop'; }`), true],
    ['a method for views', model(`views() { return ['shop']; }`), true],
    ['a method for what is included', model(`includes() { return ['shop']; }`), false],
    ['a getter of a list of groups', grouped(`get view_groups() { return ['sales']; }`), false],
    ['a getter of one group in place of a list', grouped(`get viewGroups() { return 'sales'; }`), true],
    ['a getter of one group', grouped(`get view_group() { return 'sales'; }`), false],
    ['a getter of a list in place of one group', grouped(`get view_group() { return ['sales']; }`), true],
    ['a method for a group', grouped(`view_group() { return 'sales'; }`), true],
    ['a method for groups', grouped(`async view_groups() { return ['sales']; }`), true],
  ])('is judged as by the engine: %s', async (_, text, isRefused) => {
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('what a script gives for what a group includes', () => {
  it.each([
    '[VIEW]',
    '[VIEWS]',
    '() => VIEW',
    '() => [VIEW]',
    '() => VIEWS',
    '() => [5, null, VIEWS, () => VIEW]',
    '[() => VIEW]',
    `[{ name: 'inner', includes: () => [VIEW] }]`,
    `[{ name: 'inner', includes: [VIEW, () => VIEWS] }]`,
  ])('names a view, as for the engine: %s', async (value) => {
    expect(await verdict(model(`includes: ${value}`))).toEqual({ engine: false, ours: false });
  });

  it.each([
    ...UNKNOWN.map((value) => `[${value}]`),
    ...UNKNOWN.map((value) => `() => [${value}]`),
    ...UNKNOWN.map((value) => `[() => ${value}]`),
    `() => 'nothing'`,
    `() => ''`,
    '[nothing]',
    '[() => undefined]',
    `[{ name: 'inner', includes: [NOTHING] }]`,
  ])('names no view, as for the engine: %s', async (value) => {
    expect(await verdict(model(`includes: ${value}`))).toEqual({ engine: true, ours: true });
  });
});
