import { describe, expect, it } from 'vitest';
import { hover } from '#language-server/ide/hover.ts';
import { definition, references, workspaceSymbols } from '#language-server/ide/navigation.ts';
import { prepareUsedBy, usedBy, uses } from '#language-server/ide/used-by.ts';
import { fixture, textIn } from './fixture.ts';
import { SHOP, shopAt } from './shop.ts';

function definitionOf(text: string): string[] {
  const { opened, offset, workspace, file } = fixture(text);
  return definition(opened, offset, workspace).map(({ targetUri, targetSelectionRange }) => {
    const path = targetUri.replace('memory:///model/', '');
    return `${path}:${targetSelectionRange.start.line + 1} ${textIn(file(path), targetSelectionRange)}`;
  });
}

function referencesOf(text: string): string[] {
  const { opened, offset, workspace, file } = fixture(text);
  return references(opened, offset, workspace, true).map(({ uri, range }) => {
    const path = uri.replace('memory:///model/', '');
    return `${path}:${range.start.line + 1} ${textIn(file(path), range)}`;
  });
}

function hoverOf(text: string): string {
  const { opened, offset } = fixture(text);
  const found = hover(opened, offset);
  return found && typeof found.contents === 'object' && 'value' in found.contents ? found.contents.value : '';
}

describe('definition', () => {
  it.each([
    ['a member in SQL', 'cubes/orders.yml', '"{tot', 'cubes/orders.yml:29 total'],
    ['a member behind CUBE', 'cubes/orders.yml', '{CUBE.cou', 'cubes/orders.yml:26 count'],
    ['a member of another cube', 'cubes/orders.yml', '{users.i', 'cubes/users.yml:5 id'],
    ['a cube in a join', 'cubes/orders.yml', '- name: use', 'cubes/users.yml:2 users'],
    ['a cube in a path', 'cubes/orders.yml', 'status, use', 'cubes/users.yml:2 users'],
    ['a drill member', 'cubes/orders.yml', 'drill_members: [id, sta', 'cubes/orders.yml:16 status'],
    ['a pre-aggregation member', 'cubes/orders.yml', 'measures: [count, to', 'cubes/orders.yml:29 total'],
    ['a step of a join path', 'views/shop.yml', 'join_path: orders.us', 'cubes/users.yml:2 users'],
    ['an included member', 'views/shop.yml', '          - cou', 'cubes/orders.yml:26 count'],
    ['the name of an aliased one', 'views/shop.yml', '- name: tot', 'cubes/orders.yml:29 total'],
    ['an alias in a folder', 'views/shop.yml', '[users_city, reven', 'views/shop.yml:9 revenue'],
    ['a prefixed member in a folder', 'views/shop.yml', '[users_ci', 'cubes/users.yml:9 city'],
  ])('of %s', (_, file, before, expected) => {
    expect(definitionOf(shopAt(file, before))).toEqual([expected]);
  });

  it('follows extends and inherited members', () => {
    const text = `cubes:
  - name: base
    sql_table: t
    dimensions:
      - {name: id, sql: id, type: number}
  - name: child
    extends: base
    measures:
      - {name: m, type: sum, sql: "{CUBE.i$0d}"}
`;
    expect(definitionOf(text)).toEqual(['model.yml:5 id']);
    expect(definitionOf(text.replace('$0', '').replace('extends: ba', 'extends: ba$0'))).toEqual(['model.yml:2 base']);
  });

  it('crosses from JavaScript to YAML', () => {
    const text =
      '#- a.js\ncube(`a`, { sql: `select * from ${users.ci$0ty}`, measures: { n: { type: `count` } } });\n' + SHOP;
    expect(definitionOf(text)).toEqual(['cubes/users.yml:9 city']);
  });

  it('goes to a macro, here or in another template', () => {
    const text =
      '#- a.yml\n{% import "lib.jinja" as lib %}\ncubes:\n  - name: a\n    sql: "{{ lib.cen$0ts() }}"\n#- lib.jinja\n{% macro cents() %}x{% endmacro %}\n';
    expect(definitionOf(text)).toEqual(['lib.jinja:1 cents']);
  });

  it('finds nothing in plain SQL', () => {
    expect(definitionOf(shopAt('cubes/orders.yml', 'sql: amou'))).toEqual([]);
  });
});

describe('references', () => {
  it('of a member: SQL, drill members, pre-aggregations, joins, views, prefixed names', () => {
    expect(referencesOf(shopAt('cubes/users.yml', '- name: ci')).sort()).toEqual([
      'cubes/orders.yml:28 city',
      'cubes/orders.yml:39 city',
      'cubes/users.yml:9 city',
      'views/shop.yml:12 city',
      'views/shop.yml:15 users_city',
    ]);
  });

  it('of a cube: joins, paths, views', () => {
    expect(referencesOf(shopAt('cubes/users.yml', 'name: use')).length).toBe(7);
  });

  it('of an alias: only where the view calls it so', () => {
    expect(referencesOf(shopAt('views/shop.yml', 'alias: rev')).sort()).toEqual([
      'views/shop.yml:15 revenue',
      'views/shop.yml:9 revenue',
    ]);
  });
});

describe('hover', () => {
  it('tells type, description, SQL and uses of a member', () => {
    const text = hoverOf(shopAt('cubes/orders.yml', 'status, users.ci'));
    expect(text).toContain('**users.city** · dimension · string');
    expect(text).toContain('Where the user lives.');
    expect(text).toContain('{CUBE}.city');
    expect(text).toContain('4 uses');
    expect(text).toContain('users.yml');
  });

  it('tells joins and counts of a cube', () => {
    const text = hoverOf(shopAt('views/shop.yml', 'join_path: ord'));
    expect(text).toContain('**orders** · cube');
    expect(text).toContain('3 measures, 4 dimensions');
    expect(text).toContain('joins `users` (many_to_one)');
  });

  it('says where a member is inherited from', () => {
    expect(
      hoverOf(
        `cubes:\n  - name: base\n    sql_table: t\n    dimensions:\n      - {name: id, sql: id, type: number}\n  - name: child\n    extends: base\n    measures:\n      - {name: m, type: sum, sql: "{i$0d}"}\n`,
      ),
    ).toContain('Inherited from `base`');
  });
});

describe('workspace symbols', () => {
  it('match letters in order and carry their cube', () => {
    const { opened, workspace } = fixture(SHOP);
    const found = workspaceSymbols([opened.root], 'crat', workspace);
    expect(found.map(({ name, containerName }) => [name, containerName])).toEqual([['created_at', 'orders']]);
  });

  it('tell the very name first, also a whole one with its cube, where there are more than are told', () => {
    const { opened, workspace } = fixture(SHOP);
    const told = (query: string) =>
      workspaceSymbols([opened.root], query, workspace, 1).map(({ name, containerName = '' }) => [containerName, name]);
    expect(told('users.city')).toEqual([['users', 'city']]);
    expect(told('users')).toEqual([['', 'users']]);
    expect(told('USERS.CITY')).toEqual([['users', 'city']]);
    expect(told('users.nothing')).toEqual([]);
    expect(workspaceSymbols([opened.root], '', workspace, 3)).toHaveLength(3);
  });
});

describe('used by', () => {
  function tree(text: string): { readonly users: string[]; readonly used: string[] } {
    const { opened, offset, workspace } = fixture(text);
    const [item] = prepareUsedBy(opened, offset, workspace) ?? [];
    if (!item) return { users: [], used: [] };
    return {
      users: usedBy(item, [opened.root], workspace).map(({ from }) => from.name),
      used: uses(item, [opened.root], workspace).map(({ to }) => to.name),
    };
  }

  it('names the members, cubes and views that use a member', () => {
    expect(tree(shopAt('cubes/users.yml', '- name: ci')).users).toEqual(['orders.count', 'orders.main', 'shop']);
    expect(tree(shopAt('cubes/orders.yml', '- name: tot')).users).toEqual(['orders.average', 'orders.main', 'shop']);
  });

  it('names what a member uses', () => {
    expect(tree(shopAt('cubes/orders.yml', '- name: aver')).used).toEqual(['orders.total', 'orders.count']);
  });
});
