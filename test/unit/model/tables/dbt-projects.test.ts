import { beforeAll, describe, expect, it } from 'vitest';
import { generateCube } from '#model/tables/generate-cube.ts';
import { readTables } from '#model/tables/read-tables.ts';
import type { TableCatalog } from '#model/tables/table-catalog.ts';
import { type MatrixEngine, matrixEngine } from '#support/language/matrix/engine.ts';

let engine: MatrixEngine;
beforeAll(async () => {
  engine = await matrixEngine();
});

const model = { resource_type: 'model', database: 'db', schema: 's', name: 'orders', columns: {} };
const columns = { id: { name: 'id' }, status: { name: 'status', data_type: 'text' } };

interface Project {
  readonly version?: number;
  readonly type?: string | null;
  readonly nodes?: object;
  readonly sources?: object;
}

function manifest({ version = 12, type = 'postgres', nodes = {}, sources = {} }: Project): string {
  const schema = `https://schemas.getdbt.com/dbt/manifest/v${version}.json`;
  const metadata = { dbt_schema_version: schema, adapter_type: type };
  return JSON.stringify({ metadata, nodes, sources, macros: {}, disabled: { x: [model] } });
}

/** Returns the cubes that are generated for all tables, each as its table and its SQL, and checks that the engine compiles them. */
async function cubesOf(catalog: TableCatalog | undefined): Promise<readonly string[]> {
  const names = new Set<string>();
  const files = (catalog?.tables ?? []).map((table) => {
    const isTaken = (name: string): boolean => names.has(name);
    const { name, text } = generateCube(table, { isTaken, database: catalog?.database });
    names.add(name);
    return { fileName: `${name}.yml`, content: text };
  });
  expect(await engine.compile(files)).toEqual([]);
  return files.map(({ content }) =>
    [...content.matchAll(/sql(?:_table)?: (.*)/g)].map(([, sql = '']) => sql).join(' | '),
  );
}

describe('a manifest of dbt', () => {
  it.each([4, 5, 6, 7, 8, 9, 10, 11, 12, 20])('is read in version %i', async (version) => {
    const node = { ...model, relation_name: '"db"."s"."orders"', columns };
    const { catalog, problems } = readTables({ manifest: manifest({ version, nodes: { 'model.p.orders': node } }) });
    expect(problems).toEqual([]);
    expect(await cubesOf(catalog)).toEqual([`'"db"."s"."orders"' | "{CUBE}.id" | "{CUBE}.status"`]);
  });

  it.each<[string, string | null, object, readonly string[]]>([
    ['no columns', 'postgres', { ...model, columns: undefined }, ['s.orders']],
    ['columns as a list', 'postgres', { ...model, columns: [{ name: 'id' }] }, ['s.orders']],
    ['no schema', 'postgres', { ...model, schema: null, columns }, ['orders | "{CUBE}.id" | "{CUBE}.status"']],
    ['no relation', 'postgres', { ...model, relation_name: null }, ['s.orders']],
    ['a version', 'postgres', { ...model, version: 2, alias: 'orders_v2' }, ['s.orders_v2']],
    ['a seed', 'postgres', { ...model, resource_type: 'seed' }, ['s.orders']],
    ['a snapshot', 'postgres', { ...model, resource_type: 'snapshot' }, ['s.orders']],
    ['an ephemeral model', 'postgres', { ...model, config: { materialized: 'ephemeral' } }, []],
    ['a disabled model', 'postgres', { ...model, config: { enabled: false } }, []],
    ['a test', 'postgres', { ...model, resource_type: 'test' }, []],
    ['an operation', 'postgres', { ...model, resource_type: 'operation' }, []],
    ['no name', 'postgres', { ...model, name: null }, []],
    ['a reserved name', 'postgres', { ...model, name: 'order', schema: 'Sales' }, [`'"Sales"."order"'`]],
    [
      'a name with a quote',
      'postgres',
      { ...model, name: 'a"b', columns: { x: { name: 'c"d' } } },
      [`'s."a""b"' | '{CUBE}."c""d"'`],
    ],
    ['a name that no model can hold', 'postgres', { ...model, name: '{{ x }}' }, []],
    [
      'BigQuery',
      'bigquery',
      { ...model, relation_name: '`p-1`.`s`.`orders`', columns: { x: { name: 'a b' } } },
      ['"`p-1`.`s`.`orders`" | "{CUBE}.`a b`"'],
    ],
    [
      'Snowflake',
      'snowflake',
      { ...model, relation_name: 'DB.S.ORDERS', columns },
      ['DB.S.ORDERS | "{CUBE}.id" | "{CUBE}.status"'],
    ],
    ['Spark without a database', 'spark', { ...model, database: null, relation_name: 's.orders' }, ['s.orders']],
    ['an unknown database', null, { ...model, columns: { x: { name: 'Größe' } } }, [`s.orders | '{CUBE}."Größe"'`]],
  ])('with %s has the right tables, and cubes that the engine compiles', async (_, type, node, expected) => {
    const { catalog, problems } = readTables({ manifest: manifest({ type, nodes: { a: node } }) });
    expect(problems).toEqual([]);
    expect(await cubesOf(catalog)).toEqual(expected);
  });

  it('names a source as the database does', async () => {
    const source = { ...model, resource_type: 'source', name: 'orders', identifier: 'RAW Orders', relation_name: null };
    const quoted = {
      ...source,
      identifier: 'Orders',
      quoting: { identifier: true },
      relation_name: '"db"."s"."Orders"',
    };
    const { catalog } = readTables({ manifest: manifest({ sources: { a: source, b: quoted } }) });
    expect(await cubesOf(catalog)).toEqual([`'s."RAW Orders"'`, `'"db"."s"."Orders"'`]);
    expect(catalog?.find('s."RAW Orders"')?.name).toBe('RAW Orders');
  });

  it('with a catalog quotes what the database has in lower case, where it reads names in upper case', async () => {
    const found = (name: string, own: object): object => ({
      metadata: { database: 'DB', schema: 'S', name },
      columns: own,
    });
    const cases = { id: { name: 'id', index: 1 }, STATUS: { name: 'STATUS', index: 2 } };
    const nodes = { a: found('ORDERS', cases), b: found('events', cases) };
    const known = { ...model, relation_name: 'DB.S.ORDERS', columns: { status: { name: 'status' } } };
    const texts = {
      catalog: JSON.stringify({ nodes }),
      manifest: manifest({ type: 'snowflake', nodes: { a: known } }),
    };
    expect(await cubesOf(readTables(texts).catalog)).toEqual([
      `DB.S.ORDERS | '{CUBE}."id"' | "{CUBE}.STATUS"`,
      `'S."events"' | '{CUBE}."id"' | "{CUBE}.STATUS"`,
    ]);
  });
});

describe('a saved list', () => {
  it.each<[string, object, readonly string[]]>([
    [
      'the same column twice',
      { name: 't', columns: [{ name: 'id' }, { name: 'id' }, { name: 'ID' }] },
      [`t | "{CUBE}.id" | '{CUBE}."ID"'`],
    ],
    ['no names', { columns: [{ name: 'id' }] }, []],
    ['columns without names', { name: 't', columns: [{ type: 'int' }, 'id', null, { name: '' }, { name: 1 }] }, ['t']],
    ['dots in names', { schema: 'a.b', name: 'c.d', columns: [{ name: 'e.f' }] }, [`'"a.b"."c.d"' | '{CUBE}."e.f"'`]],
    ['words of SQL', { name: 'select', columns: [{ name: 'from' }] }, [`'"select"' | '{CUBE}."from"'`]],
    ['other letters', { name: '注文', columns: [{ name: 'größe' }] }, [`'"注文"' | '{CUBE}."größe"'`]],
    [
      'types that no one knows',
      {
        name: 't',
        columns: [
          { name: 'a', type: 'hllsketch' },
          { name: 'b', type: 7 },
        ],
      },
      ['t | "{CUBE}.a" | "{CUBE}.b"'],
    ],
  ])('with %s has the right tables, and cubes that the engine compiles', async (_, table, expected) => {
    const { catalog, problems } = readTables({ list: JSON.stringify({ database_type: 'postgres', tables: [table] }) });
    expect(problems).toEqual([]);
    expect(await cubesOf(catalog)).toEqual(expected);
  });

  it.each([
    ['größe', 'größe'],
    ['s.GRÖßE', 'größe'],
    ['"größe"', 'größe'],
    ['注文', '注文'],
    ['größer', undefined],
  ])('is searched for names in other letters: %s', (name, expected) => {
    const list = JSON.stringify({ tables: [{ schema: 's', name: 'größe' }, { name: '注文' }] });
    expect(readTables({ list }).catalog?.find(name)?.name).toBe(expected);
  });
});
