import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_TABLES, type Table } from '#model/tables/table.ts';
import { readTables, TABLE_FILES } from '#model/tables/read-tables.ts';
import { TableCatalog } from '#model/tables/table-catalog.ts';
import { json } from '#support/language/raw.ts';
import { CATALOG, LIST, MANIFEST } from '#support/language/tables.ts';

const drawn = (tables: readonly Table[] = []): readonly string[] =>
  tables.map(({ relation, columns }) => `${relation}: ${columns.map(drawnColumn).join(', ')}`);
const drawnColumn = ({ name, type, isKey, isPrimaryKey }: Table['columns'][number]): string =>
  `${name} ${type ?? '?'}${isPrimaryKey === true || isKey === true ? ' key' : ''}`;

describe('tables of files', () => {
  it('come from a manifest of dbt, without what no table is made of', () => {
    const { catalog, problems } = readTables({ manifest: MANIFEST });
    expect({ problems, database: catalog?.database, tables: drawn(catalog?.tables) }).toMatchInlineSnapshot(`
      {
        "database": "postgres",
        "problems": [],
        "tables": [
          ""analytics"."raw"."Customers": ",
          ""analytics"."shop"."orders": id ? key, status text",
          ""analytics"."shop"."countries": code varchar(2) key",
        ],
      }
    `);
  });

  it('take types and further columns and tables from the catalog of dbt', () => {
    const { catalog } = readTables({ manifest: MANIFEST, catalog: CATALOG });
    expect(drawn(catalog?.tables)).toMatchInlineSnapshot(`
      [
        ""analytics"."raw"."Customers": ",
        ""analytics"."shop"."orders": id bigint key, status character varying(20), created_at timestamp with time zone",
        ""analytics"."shop"."countries": code varchar(2) key",
        "raw.events: Event ID uuid",
      ]
    `);
    expect(catalog?.find('shop.orders')?.columns[1]?.description).toBe('open, paid or {sent}');
  });

  it('come from a catalog of dbt alone', () => {
    expect(drawn(readTables({ catalog: CATALOG }).catalog?.tables)).toMatchInlineSnapshot(`
      [
        "raw.events: Event ID uuid",
        "shop.orders: id bigint, status character varying(20), created_at timestamp with time zone",
      ]
    `);
  });

  it('come from a saved list, which wins over dbt', () => {
    const { catalog } = readTables({ list: LIST, manifest: MANIFEST });
    expect(catalog?.database).toBe('snowflake');
    expect(drawn(catalog?.tables).slice(0, 2)).toMatchInlineSnapshot(`
      [
        "ANALYTICS.SHOP.ORDERS: ORDER_ID NUMBER(38,0) key, STATUS VARCHAR",
        "loose: ",
      ]
    `);
  });

  it('are read as the page about them says', () => {
    const [, list = ''] = /```json\n([^]*?)```/.exec(readFileSync('docs/tables.md', 'utf8')) ?? [];
    const schema = JSON.parse(readFileSync('media/schema/tables.schema.json', 'utf8')) as object;
    const validate = new Ajv({ strictRequired: false }).compile(schema);
    expect([validate(JSON.parse(list)), validate.errors]).toEqual([true, null]);
    expect([validate(JSON.parse(LIST)), validate({ tables: [{ columns: [] }] })]).toEqual([true, false]);
    expect(drawn(readTables({ list }).catalog?.tables)).toEqual([
      'public.orders: id bigint key, created_at timestamp with time zone',
    ]);
  });

  it('have the composite key that a model of dbt declares', () => {
    const node = {
      resource_type: 'model',
      name: 'lines',
      schema: 's',
      columns: { A: { name: 'Order_Id' }, b: { name: 'line' }, c: { name: 'qty' } },
      constraints: [{ type: 'primary_key', columns: ['order_id', 'line'] }, { type: 'check' }],
    };
    const manifest = JSON.stringify({ metadata: {}, nodes: { 'model.x.lines': node } });
    const [table] = readTables({ manifest }).catalog?.tables ?? [];
    expect(table?.columns.map(({ name, isPrimaryKey }) => [name, isPrimaryKey])).toEqual([
      ['Order_Id', true],
      ['line', true],
      ['qty', false],
    ]);
  });

  it('have a key only where tests hold for all rows and refuse', () => {
    const weak = MANIFEST.replaceAll('"where": null', '"where": "id > 5"');
    expect(weak).not.toBe(MANIFEST);
    expect(drawn(readTables({ manifest: weak }).catalog?.tables)).toMatchInlineSnapshot(`
      [
        ""analytics"."raw"."Customers": ",
        ""analytics"."shop"."orders": id ?, status text",
        ""analytics"."shop"."countries": code varchar(2) key",
      ]
    `);
    const warning = MANIFEST.replaceAll('"severity": "ERROR"', '"severity": "warn"');
    expect(drawn(readTables({ manifest: warning }).catalog?.tables)).toMatchInlineSnapshot(`
      [
        ""analytics"."raw"."Customers": ",
        ""analytics"."shop"."orders": id ?, status text",
        ""analytics"."shop"."countries": code varchar(2) key",
      ]
    `);
  });

  it.each([
    ['no JSON', 'tables: []', 'it is not JSON'],
    ['another JSON', '{"nodes": []}', 'it is not a manifest of dbt'],
    ['a manifest of another tool', '{"manifest_version": 3, "name": "x"}', 'it is not a manifest of dbt'],
    ['half a manifest', MANIFEST.slice(0, 900), 'it is not JSON'],
    ['empty', '', 'it is not JSON'],
    ['UTF-16', Buffer.from(`\uFEFF${MANIFEST}`, 'utf16le').toString(), 'it is encoded as UTF-16; save it as UTF-8'],
    [
      'UTF-16 with the other byte first',
      Buffer.from(`\uFEFF${MANIFEST}`, 'utf16le').swap16().toString(),
      'it is encoded as UTF-16; save it as UTF-8',
    ],
    [
      'UTF-16 without a mark',
      Buffer.from('{"nodes": 1}', 'utf16le').toString(),
      'it is encoded as UTF-16; save it as UTF-8',
    ],
    ['too long', ' '.repeat(LONGEST_TABLES + 1), 'it is longer than 64 million characters'],
  ])('are left out with one message for a text that is %s', (_, manifest, why) => {
    const nothing = { list: undefined, manifest: undefined, catalog: undefined };
    expect(readTables({ manifest })).toEqual({
      catalog: undefined,
      read: nothing,
      problems: [`${TABLE_FILES.manifest} was not read: ${why}.`],
    });
  });

  it('are those of before while a file is being written', () => {
    const { read } = readTables({ list: LIST, manifest: MANIFEST, catalog: CATALOG });
    const before = drawn(readTables({ list: LIST, manifest: MANIFEST, catalog: CATALOG }).catalog?.tables);
    const half = { list: LIST.slice(0, 99), manifest: '', catalog: CATALOG.slice(0, -9) };
    const again = readTables(half, read);
    expect(drawn(again.catalog?.tables)).toEqual(before);
    expect(again.problems).toEqual([
      'modelbench.tables.json was not read again: it is not JSON.',
      'target/manifest.json was not read again: it is not JSON.',
      'target/catalog.json was not read again: it is not JSON.',
    ]);
    expect(drawn(readTables({ ...half, manifest: undefined }, again.read).catalog?.tables)).not.toContain(
      '"analytics"."shop"."countries": code varchar(2) key',
    );
    expect(readTables({}, read).catalog).toBeUndefined();
  });

  it('are read from a text with a byte order mark', () => {
    expect(readTables({ manifest: `\uFEFF${MANIFEST}` })).toEqual(readTables({ manifest: MANIFEST }));
  });

  it('are read from the other files where one cannot be read', () => {
    const { catalog, problems } = readTables({ list: '{"tables": 1}', manifest: MANIFEST });
    expect(problems).toEqual(['modelbench.tables.json was not read: it has no list “tables”.']);
    expect(catalog?.find('shop.orders')).toBeDefined();
  });

  it('are several where names of one source differ in case only, each with its own columns', () => {
    const column = (name: string): object => ({ name, description: `documented ${name}` });
    const node = (name: string): object => ({
      ...{ resource_type: 'model', name, schema: 's' },
      columns: { id: column('id'), ID: { ...column('ID'), quote: true } },
    });
    const manifest = JSON.stringify({ nodes: { a: node('orders'), b: node('Orders') } });
    const found = { id: { name: 'id', index: 1 }, ID: { name: 'ID', index: 2 } };
    const entry = (name: string): object => ({ metadata: { name, schema: 's' }, columns: found });
    const { catalog } = readTables({
      manifest,
      catalog: JSON.stringify({ nodes: { a: entry('orders'), b: entry('Orders') } }),
    });
    expect(catalog?.tables.map(({ name }) => name)).toEqual(['orders', 'Orders']);
    for (const { columns } of catalog?.tables ?? [])
      expect(columns.map(({ name, description }) => [name, description])).toEqual([
        ['id', 'documented id'],
        ['ID', 'documented ID'],
      ]);
    expect(catalog?.find('s."Orders"')?.name).toBe('Orders');
    expect(catalog?.find('S.ORDERS')?.name).toBe('orders');
  });

  it('never throw on any text', () => {
    const keys = fc.constantFrom(
      'nodes',
      'sources',
      'metadata',
      'columns',
      'name',
      'tables',
      'relation_name',
      'resource_type',
      'test_metadata',
      'config',
    );
    const { any } = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, 1, true, '', 'model', 'test', 'unique', 'id'),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(keys, fc.constant('__proto__')), tie('any'), { maxKeys: 5 }),
      ),
    }));
    const text = fc.oneof(
      any.map((value) => JSON.stringify(value)),
      fc.string(),
    );
    fc.assert(
      fc.property(text, text, text, (list, manifest, catalog) => {
        const known = readTables({ list, manifest, catalog });
        for (const { relation } of known.catalog?.tables ?? []) known.catalog?.find(relation);
        expect(known.problems.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe('a table', () => {
  const catalog = readTables({ manifest: MANIFEST, catalog: CATALOG }).catalog ?? new TableCatalog([]);

  it.each([
    'orders',
    'shop.orders',
    'ORDERS',
    '"analytics"."shop"."orders"',
    '`analytics.shop.orders`',
    '[shop].[orders]',
    ' other.shop.orders ',
  ])('is found by the name %s', (name) => {
    const found = catalog.find(name)?.name;
    expect(found).toBe(name.includes('other') ? undefined : 'orders');
  });

  it.each(['', 'order', 'elsewhere.orders', 'SELECT * FROM orders', 'orders o', '{x}.orders', 'a..orders', 'orders.'])(
    'is not found by %s',
    (name) => {
      expect(catalog.find(name)).toBeUndefined();
    },
  );

  it('is not found by a name that several have', () => {
    const two = readTables({
      list: json`{"tables": [{"schema": "a", "name": "t"}, {"schema": "b", "name": "t"}]}`,
    }).catalog;
    expect(two?.find('t')).toBeUndefined();
    expect(two?.find('b.t')?.schema).toBe('b');
  });

  it('is found by its own relation, whatever its names are', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
    const schema = fc.oneof(name, fc.constant(undefined));
    fc.assert(
      fc.property(schema, name, fc.constantFrom('postgres', 'bigquery', undefined), (of, table, type) => {
        const list = JSON.stringify({ database_type: type, tables: [{ schema: of, name: table }] });
        const known = readTables({ list }).catalog ?? new TableCatalog([]);
        for (const found of known.tables) expect(known.find(found.relation)).toBe(found);
      }),
      {
        examples: [
          [undefined, 'a.b', 'bigquery'],
          [undefined, 'a b', 'bigquery'],
          [' ', '.', 'bigquery'],
        ],
      },
    );
  });
});
