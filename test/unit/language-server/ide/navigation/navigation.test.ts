import { describe, expect, it } from 'vitest';
import { highlights, workspaceSymbols } from '#language-server/ide/navigation/navigation.ts';
import { extended, extending, prepareExtends } from '#language-server/ide/navigation/type-hierarchy.ts';
import { prepareUsedBy, usedBy, uses as usesBelow } from '#language-server/ide/navigation/used-by.ts';
import { fixture } from '#support/language/model.ts';
import { jinja, js, yaml } from '#support/language/raw.ts';
import { SHOP, shopAt } from '#support/language/shop.ts';
import { definitions, hovered, uses } from '#support/language/show.ts';

describe('go to definition', () => {
  // @shows definition
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
  ])('finds %s', (_, file, before, expected) => {
    expect(definitions(shopAt(file, before)).drawn).toBe(expected);
  });

  // @shows definition
  it('follows extends and inherited members', () => {
    const member = yaml`
      cubes:
        - name: base
          sql_table: t
          dimensions:
            - {name: id, sql: id, type: number}
        - name: child
          extends: base
          measures:
            - {name: m, type: sum, sql: "{CUBE.i$0d}"}
    `;
    expect(definitions(member)).toMatchInlineSnapshot(`model.yml:5 id`);
    const parent = member.replace('$0', '').replace('extends: ba', 'extends: ba$0');
    expect(definitions(parent)).toMatchInlineSnapshot(`model.yml:2 base`);
  });

  // @shows definition, scripts
  it('crosses from JavaScript to YAML', () => {
    const text = js`
      // file: a.js
      cube(\`a\`, { sql: \`select * from \${users.ci$0ty}\`, measures: { n: { type: \`count\` } } });
      ${SHOP}
    `;
    expect(definitions(text)).toMatchInlineSnapshot(`cubes/users.yml:9 city`);
  });

  it('goes to a macro of another template', () => {
    const text = jinja`
      # file: a.yml
      {% import "lib.jinja" as lib %}
      cubes:
        - name: a
          sql: "{{ lib.cen$0ts() }}"
      # file: lib.jinja
      {% macro cents() %}x{% endmacro %}
    `;
    expect(definitions(text)).toMatchInlineSnapshot(`lib.jinja:1 cents`);
  });

  it('finds nothing in plain SQL', () => {
    expect(definitions(shopAt('cubes/orders.yml', 'sql: amou'))).toMatchInlineSnapshot(`nothing`);
  });
});

describe('find references', () => {
  // @shows references
  it('finds a member in SQL, drill members, pre-aggregations, joins, views and prefixed names', () => {
    expect(uses(shopAt('cubes/users.yml', '- name: ci'))).toMatchInlineSnapshot(`
      cubes/users.yml:9 city
      cubes/orders.yml:28 city
      cubes/orders.yml:39 city
      views/shop.yml:12 city
      views/shop.yml:15 users_city
    `);
  });

  // @shows references
  it('finds a cube in joins, paths and views', () => {
    expect(uses(shopAt('cubes/users.yml', 'name: use'))).toMatchInlineSnapshot(`
      cubes/users.yml:2 users
      cubes/orders.yml:5 users
      cubes/orders.yml:7 users
      cubes/orders.yml:28 users
      cubes/orders.yml:39 users
      views/shop.yml:10 users
      views/shop.yml:15 users_city
    `);
  });

  it('finds an alias only where the view uses it', () => {
    expect(uses(shopAt('views/shop.yml', 'alias: rev'))).toMatchInlineSnapshot(`
      views/shop.yml:9 revenue
      views/shop.yml:15 revenue
    `);
  });
});

describe('a hover', () => {
  // @shows hover
  it('shows type, description, SQL and uses of a member', () => {
    expect(hovered(shopAt('cubes/orders.yml', 'status, users.ci'))).toMatchInlineSnapshot(`
      **users.city** · dimension · string

      Where the user lives.

      \`\`\`sql
      {CUBE}.city
      \`\`\`

      4 uses

      Defined in users.yml
    `);
  });

  // @shows hover
  it('shows joins and numbers of members of a cube', () => {
    expect(hovered(shopAt('views/shop.yml', 'join_path: ord'))).toMatchInlineSnapshot(`
      **orders** · cube

      3 measures, 4 dimensions, 0 segments
      - joins \`users\` (many_to_one)

      \`\`\`sql
      public.orders
      \`\`\`

      Defined in orders.yml
    `);
  });

  // @shows hover
  it('shows where a member is inherited from', () => {
    const text = yaml`
      cubes:
        - name: base
          sql_table: t
          dimensions:
            - {name: id, sql: id, type: number}
        - name: child
          extends: base
          measures:
            - {name: m, type: sum, sql: "{i$0d}"}
    `;
    expect(hovered(text)).toMatchInlineSnapshot(`
      **base.id** · dimension · number

      Inherited from \`base\`.

      \`\`\`sql
      id
      \`\`\`

      1 use

      Defined in model.yml
    `);
  });
});

describe('a value of the language', () => {
  const cube = (member: string): string => yaml`
    cubes:
      - name: orders
        sql_table: t
        joins:
          - {name: users, relationship: ${member === 'join' ? 'many_$0to_one' : 'many_to_one'}, sql: "{CUBE}.a = {users.id}"}
        dimensions:
          - name: created_at
            sql: a
            type: ${member === 'type' ? 'ti$0me' : 'time'}
            granularities:
              - {name: ${member === 'defined' ? 'fis$0cal' : 'fiscal'}, interval: 1 year, origin: "2024-04-01", title: Fiscal year}
          - {name: plain, sql: "{created_at.${member === 'named' ? 'fis$0cal' : 'fiscal'}}", type: time}
        segments:
          - {name: paid, sql: paid}
        pre_aggregations:
          - name: ${member === 'rollup' ? 'ma$0in' : 'main'}
            time_dimension: created_at
            granularity: ${member === 'beside' ? 'fis$0cal' : 'fiscal'}
            partition_granularity: ${member === 'partition' ? 'mon$0th' : 'month'}
            dimensions:
              - plain
            refresh_key: {every: 1 day}
  `;

  // @shows hover
  it.each([
    ['join', '**many_to_one** · `relationship`\n\nMany rows here belong to one row there.'],
    ['type', '**time** · `type`\n\nA point in time; can be grouped by granularity.'],
    ['partition', '**month** · `partition_granularity`\n\nOne partition per month.'],
  ])('is explained by a hover: %s', (where, text) => {
    expect(hovered(cube(where)).drawn).toBe(text);
  });

  it.each([
    ["relationship: 'many$0ToOne'", '**manyToOne** · `relationship`\n\nMany rows here belong to one row there.'],
    [
      'relationship: `belongs$0To`',
      '**belongsTo** · `relationship`\n\nOld name of `many_to_one`. Deprecated: write `many_to_one`.',
    ],
  ])('is explained in a script in its other spelling: %s', (relationship, text) => {
    const script = `// file: m.js\ncube('orders', { sql_table: 't', joins: { users: { ${relationship}, sql: \`1 = 1\` } } });`;
    expect(hovered(script).drawn).toBe(text);
  });

  // @shows hover, definition, references
  it.each(['defined', 'named', 'beside'])('leads from a granularity to its definition and uses: %s', (where) => {
    const text = cube(where);
    expect(hovered(text)).toMatchInlineSnapshot(`
      **fiscal** · granularity of \`orders.created_at\`

      *Fiscal year*

      - interval: 1 year
      - origin: 2024-04-01

      Defined in model.yml
    `);
    expect(definitions(text)).toMatchInlineSnapshot(`model.yml:11 fiscal`);
    expect(uses(text)).toMatchInlineSnapshot(`
      model.yml:11 fiscal
      model.yml:12 fiscal
      model.yml:18 fiscal
    `);
  });

  // @shows hover
  it('shows what a pre-aggregation holds', () => {
    expect(hovered(cube('rollup'))).toMatchInlineSnapshot(`
      **orders.main** · pre-aggregation

      - dimensions: plain
      - time dimension: created_at by fiscal
      - partitions by: month
      - refresh: {every: 1 day}

      0 uses

      Defined in model.yml
    `);
  });
});

describe('workspace symbols', () => {
  // @shows symbols
  it('match letters in order and carry their cube', () => {
    const { opened, workspace } = fixture(SHOP);
    const found = workspaceSymbols([opened.root], 'crat', workspace);
    expect(found.map(({ name, containerName }) => [name, containerName])).toEqual([['created_at', 'orders']]);
  });

  // @shows symbols
  it('list the exact name first, also a whole one with its cube, where there are more than are listed', () => {
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

describe('the uses in a file', () => {
  // @shows highlight
  it('are marked with the definition, and those of other files are not', () => {
    const { opened, offset, workspace } = fixture(shopAt('cubes/orders.yml', '- name: tot'));
    const lines = highlights(opened, offset, workspace).map(({ range }) => range.start.line + 1);
    const text = opened.file.text.split('\n');
    expect(lines.map((line) => `${line}: ${text[line - 1]?.trim()}`)).toMatchInlineSnapshot(`
      [
        "29: - name: total",
        "34: sql: "{total} / NULLIF({CUBE.count}, 0)"",
        "38: measures: [count, total]",
      ]
    `);
  });

  it('are none where the cursor is at nothing', () => {
    const { opened, offset, workspace } = fixture(shopAt('cubes/orders.yml', 'sql_ta'));
    expect(highlights(opened, offset, workspace)).toEqual([]);
  });
});

describe('what extends what', () => {
  const MODEL = yaml`
    # file: base.yml
    cubes:
      - name: base
        sql_table: t
        dimensions:
          - {name: id, sql: id, type: number}
    # file: more.yml
    cubes:
      - name: child
        extends: base
      - name: other
        extends: base
      - name: grandchild
        extends: child
  `;
  const names = (items: readonly { readonly name: string }[]): string[] => items.map(({ name }) => name);
  function tree(text: string): readonly [root: string[], above: string[], below: string[]] {
    const { opened, offset, workspace } = fixture(text);
    const items = prepareExtends(opened, offset, workspace) ?? [];
    const [item] = items;
    if (!item) return [[], [], []];
    const roots = [opened.root];
    return [names(items), names(extended(item, roots, workspace)), names(extending(item, roots, workspace))];
  }

  // @shows extends
  it('is a tree from a cube, in both directions and over files', () => {
    expect(tree(MODEL.replace('- name: base', '- name: b$0ase'))).toEqual([['base'], [], ['child', 'other']]);
    expect(tree(MODEL.replace('- name: child', '- name: ch$0ild'))).toEqual([['child'], ['base'], ['grandchild']]);
  });

  it('begins at the cube of a member, and at nothing elsewhere', () => {
    expect(tree(MODEL.replace('{name: id', '{name: i$0d'))[0]).toEqual(['base']);
    expect(tree(MODEL.replace('sql_table', 'sql_$0table'))[0]).toEqual([]);
  });
});

describe('used by', () => {
  function tree(text: string): { readonly users: string[]; readonly used: string[] } {
    const { opened, offset, workspace } = fixture(text);
    const [item] = prepareUsedBy(opened, offset, workspace) ?? [];
    if (!item) return { users: [], used: [] };
    return {
      users: usedBy(item, [opened.root], workspace).map(({ from }) => from.name),
      used: usesBelow(item, [opened.root], workspace).map(({ to }) => to.name),
    };
  }

  // @shows used-by
  it('names the members, cubes and views that use a member', () => {
    expect(tree(shopAt('cubes/users.yml', '- name: ci')).users).toEqual(['orders.count', 'orders.main', 'shop']);
    expect(tree(shopAt('cubes/orders.yml', '- name: tot')).users).toEqual(['orders.average', 'orders.main', 'shop']);
  });

  // @shows used-by
  it('names what a member uses', () => {
    expect(tree(shopAt('cubes/orders.yml', '- name: aver')).used).toEqual(['orders.total', 'orders.count']);
  });
});
