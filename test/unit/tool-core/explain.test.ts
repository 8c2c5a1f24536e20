import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { ModelIndex } from '#model/index.ts';
import { js, yaml } from '#support/language/raw.ts';
import { SHOP } from '#support/language/shop.ts';
import { runOn, snapshotOf } from '#support/tool-run.ts';
import { graph } from '#tools/graph/graph.ts';
import { read } from '#tools/model/read.ts';
import { search } from '#tools/model/search.ts';
import { tools } from '#tools/tools.ts';

describe('search', () => {
  it('finds names of cubes, views and members, the best first', async () => {
    expect((await runOn(SHOP, search, { query: 'count' })).render('text')).toMatchInlineSnapshot(`
      "orders.count (measure count)  model/cubes/orders.yml:26
      users.count (measure count)  model/cubes/users.yml:14
      shop.count (measure count)  model/cubes/orders.yml:26"
    `);
  });

  it('finds what only a description says', async () => {
    const { value } = await runOn(SHOP, search, { query: 'where the user', kind: 'dimension' });
    expect(value).toMatchInlineSnapshot(`
      {
        "matches": [
          {
            "column": 15,
            "description": "Where the user lives.",
            "endColumn": 19,
            "endLine": 9,
            "kind": "dimension",
            "line": 9,
            "name": "users.city",
            "path": "model/cubes/users.yml",
            "type": "string",
          },
          {
            "column": 15,
            "description": "Where the user lives.",
            "endColumn": 19,
            "endLine": 9,
            "kind": "dimension",
            "line": 9,
            "name": "shop.users_city",
            "path": "model/cubes/users.yml",
            "type": "string",
          },
        ],
        "omitted": 0,
      }
    `);
  });

  it('lists no more than asked and says how many are left out', async () => {
    const { value } = await runOn(SHOP, search, { query: '', limit: 2 });
    expect(value).toMatchObject({ matches: [{}, {}], omitted: 16 });
  });

  it('collects the names of a model once, for every search in it', async () => {
    const members = vi.spyOn(ModelIndex.prototype, 'membersOf');
    try {
      const snapshot = snapshotOf(SHOP);
      const searched = async (query: string): Promise<number> => {
        members.mockClear();
        await runOn(snapshot, search, { query });
        return members.mock.calls.length;
      };
      expect(await searched('count')).toBeGreaterThan(0);
      expect(await searched('total')).toBe(0);
    } finally {
      members.mockRestore();
    }
  });

  it('says that nothing matches', async () => {
    expect((await runOn(SHOP, search, { query: 'zebra' })).render('text')).toBe('No name of the data model matches.');
  });

  it('keeps a description of several lines in its line', async () => {
    const model = yaml`
      cubes:
        - name: a
          sql_table: t
          description: "x\norders (measure)  y.yml:1"
    `;
    expect((await runOn(model, search, { query: 'a' })).render('text').split('\n')).toHaveLength(1);
  });
});

describe('read', () => {
  it('shows the text of a member and where it is used', async () => {
    expect((await runOn(SHOP, read, { name: 'orders.total' })).render('text')).toMatchInlineSnapshot(`
      "orders.total (measure sum)  model/cubes/orders.yml:29

      name: total
      sql: amount
      type: sum
      format: currency

      3 uses:
        model/cubes/orders.yml:34:16: sql of orders
        model/cubes/orders.yml:38:27: measures of orders
        model/views/shop.yml:8:19: name of shop"
    `);
  });

  it('shows a view with the members that it includes', async () => {
    expect((await runOn(SHOP, read, { name: 'shop' })).render('text')).toMatchInlineSnapshot(`
      "shop (view)  model/views/shop.yml:2

      name: shop
      cubes:
        - join_path: orders
          includes:
            - count
            - status
            - name: total
              alias: revenue
        - join_path: orders.users
          prefix: true
          includes: [city]
      folders:
        - name: Where
          includes: [users_city, revenue]

      4 members:
        count (measure count)
        status (dimension string)
        revenue (measure sum)
        users_city (dimension string)

      Nothing in the model uses it."
    `);
  });

  it('follows a name that only the view has', async () => {
    const { value } = await runOn(SHOP, read, { name: 'shop.revenue' });
    expect(value).toMatchInlineSnapshot(`
      {
        "definition": {
          "column": 15,
          "endColumn": 20,
          "endLine": 29,
          "kind": "measure",
          "line": 29,
          "name": "shop.revenue",
          "path": "model/cubes/orders.yml",
          "type": "sum",
        },
        "members": [],
        "omitted": 0,
        "source": "name: total
      sql: amount
      type: sum
      format: currency",
        "uses": [
          {
            "column": 32,
            "endColumn": 39,
            "endLine": 15,
            "in": "shop",
            "key": "includes",
            "line": 15,
            "path": "model/views/shop.yml",
          },
        ],
      }
    `);
    expect(value).toMatchObject({ uses: [{ in: 'shop', key: 'includes', path: 'model/views/shop.yml' }] });
  });

  it('names the nearest name for one that does not exist', async () => {
    await expect(runOn(SHOP, read, { name: 'orders.totl' })).rejects.toThrow('Did you mean “orders.total”?');
  });

  it('shows a definition of a script', async () => {
    const model = js`
      // file: a.js
      cube(\`a\`, {
        sql_table: \`t\`,
        measures: {
          m: { type: \`count\` },
        },
      });
    `;
    expect((await runOn(model, read, { name: 'a.m' })).value).toMatchInlineSnapshot(`
      {
        "definition": {
          "column": 5,
          "endColumn": 6,
          "endLine": 4,
          "kind": "measure",
          "line": 4,
          "name": "a.m",
          "path": "model/a.js",
          "type": "count",
        },
        "members": [],
        "omitted": 0,
        "source": "m: { type: \`count\` }",
        "uses": [],
      }
    `);
  });
});

describe('graph', () => {
  it('lists the joins of all cubes', async () => {
    expect((await runOn(SHOP, graph)).render('text')).toMatchInlineSnapshot(`
      "orders → users (many_to_one)
      1 join, 2 names."
    `);
  });

  it('lists what a measure is made of and what uses it', async () => {
    expect((await runOn(SHOP, graph, { of: 'orders.total' })).render('text')).toMatchInlineSnapshot(`
      "orders.average → orders.total
      orders.main → orders.total
      shop → orders.total
      shop → shop.revenue
      shop.revenue → orders.total
      5 steps, 5 names."
    `);
    expect((await runOn(SHOP, graph, { of: 'shop.revenue' })).value).toMatchObject({
      edges: expect.arrayContaining([{ from: 'shop.revenue', to: 'orders.total', kind: 'uses' }]) as unknown,
    });
  });

  it('ends for a model whose names depend on each other in a circle', async () => {
    const model = yaml`
      cubes:
        - name: a
          sql_table: t
          measures:
            - {name: x, type: number, sql: "{y}"}
            - {name: y, type: number, sql: "{x}"}
    `;
    expect((await runOn(model, graph, { of: 'a.x' })).value).toMatchInlineSnapshot(`
      {
        "edges": [
          {
            "from": "a.x",
            "kind": "uses",
            "to": "a.y",
          },
          {
            "from": "a.y",
            "kind": "uses",
            "to": "a.x",
          },
        ],
        "incomplete": false,
        "nodes": [
          {
            "kind": "measure",
            "name": "a.x",
          },
          {
            "kind": "measure",
            "name": "a.y",
          },
        ],
        "shows": "lineage",
      }
    `);
  });

  it('draws for Mermaid, whatever a name holds', async () => {
    const odd = yaml`
      cubes:
        - {name: "a\"] click x", sql_table: t}
    `;
    expect((await runOn(odd, graph)).render('mermaid')).toBe('flowchart LR\n  n0["a#34;#93; click x"]');
    expect((await runOn(SHOP, graph)).render('mermaid')).toMatchInlineSnapshot(`
      "flowchart LR
        n0["orders"]
        n1["users"]
        n0 -->|many_to_one| n1"
    `);
  });
});

describe('every tool', () => {
  // Those that ask the platform are played against one in their own tests, as are those that change files.
  const readsFolder = tools.filter(({ reach, risk }) => reach === 'folder' && risk === 'read');
  it.each(readsFolder.map((tool) => [tool.name, tool] as const))(
    'answers as its output schema says: %s',
    async (_, tool) => {
      const input = Object.fromEntries(
        tool.positional.filter((name) => ['query', 'name'].includes(name)).map((name) => [name, 'orders']),
      );
      const { value } = await runOn(SHOP, tool, input);
      expect(v.is(tool.output, value)).toBe(true);
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    },
  );

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'refuses an input that it does not have: %s',
    async (name, tool) => {
      const [known = ''] = Object.keys(tool.input.entries);
      await expect(runOn(SHOP, tool, { [`${known}x`]: 'a' })).rejects.toThrow(
        `“${name}” has no input “${known}x”. Did you mean “${known}”?`,
      );
    },
  );

  it.each(
    tools
      // Without a version, “restore” only lists them.
      .filter(({ name, reach, risk }) => reach === 'folder' && risk !== 'read' && name !== 'restore')
      .map((tool) => [tool.name, tool] as const),
  )('refuses to change a file that is not named: %s', async (_, tool) => {
    await expect(runOn(SHOP, tool, {})).rejects.toThrow(/^“(?:path|token)” is missing/);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('describes each field of its input: %s', (_, tool) => {
    for (const schema of Object.values(tool.input.entries)) {
      const inner =
        schema.type === 'optional' ? (schema as v.OptionalSchema<v.GenericSchema, unknown>).wrapped : schema;
      expect(v.getDescription(inner as v.GenericSchema)).toMatch(/^[A-Z].*\.$/);
    }
    expect(tool.examples.length).toBeGreaterThan(0);
  });
});
