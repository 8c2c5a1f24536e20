import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { engineProcess } from '#language-server/engine/engine-process.ts';
import { format } from '#language-server/ide/format.ts';
import { dimensionTypeOf } from '#model/tables/dimension-type.ts';
import { generateCube } from '#model/tables/generate-cube.ts';
import { readTables } from '#model/tables/read-tables.ts';
import type { Table } from '#model/tables/table.ts';
import { fixture } from '#support/language/model.ts';
import { ROOT } from '#support/language/session.ts';
import { problems } from '#support/language/show.ts';
import { CATALOG, MANIFEST } from '#support/language/tables.ts';
import { bundledEngine } from '../../../support/bundled-engine.ts';

const isTaken = (): boolean => false;
const tableOf = (columns: Table['columns'], name = 'orders'): Table => ({ name, relation: 'orders', columns });
const textOf = (table: Table): string => generateCube(table, { isTaken }).text;

/** The problems of a generated file, and what the formatter would change in it. */
function shortcomings(text: string): readonly unknown[] {
  const model = fixture(`# file: cubes/a.yml\n${text}`);
  return [problems(model).drawn, format(model.opened)];
}

describe('a cube that is generated from a table', () => {
  const { catalog } = readTables({ manifest: MANIFEST, catalog: CATALOG });
  const orders = catalog?.find('shop.orders') ?? tableOf([]);

  it('has a dimension for each column, a count and the primary key', () => {
    expect(generateCube(orders, { isTaken, database: 'postgres' }).text).toMatchInlineSnapshot(`
      "cubes:
        - name: orders
          sql_table: '"analytics"."shop"."orders"'
          description: 'All orders, also "open" ones.'

          dimensions:
            - name: id
              sql: "{CUBE}.id"
              type: number
              primary_key: true
            - name: status
              sql: "{CUBE}.status"
              type: string
              description: "open, paid or (sent)"
            - name: created_at
              sql: "{CUBE}.created_at"
              type: time
              description: "When it was made."

          measures:
            - name: count
              type: count
      "
    `);
  });

  it('quotes names that the database would read differently', () => {
    const table = tableOf([{ name: 'Event ID' }, { name: 'createdAt' }, { name: 'order' }, { name: 'ID' }]);
    const sqlFor = (database: string): readonly string[] =>
      generateCube(table, { isTaken, database }).text.match(/(?<=sql: ).*/g) ?? [];
    expect(sqlFor('postgres')).toEqual([
      `'{CUBE}."Event ID"'`,
      `'{CUBE}."createdAt"'`,
      `'{CUBE}."order"'`,
      `'{CUBE}."ID"'`,
    ]);
    expect(sqlFor('bigquery')).toEqual([
      '"{CUBE}.`Event ID`"',
      '"{CUBE}.createdAt"',
      '"{CUBE}.`order`"',
      '"{CUBE}.ID"',
    ]);
    expect(sqlFor('snowflake')[3]).toBe('"{CUBE}.ID"');
  });

  it('takes no name that the model or another member has', () => {
    const taken = new Set(['orders', 'orders_2']);
    const table = tableOf([{ name: 'count' }, { name: 'a b' }, { name: 'a-b' }, { name: '1st' }, { name: 'from' }]);
    const { name, text } = generateCube(table, { isTaken: (candidate) => taken.has(candidate) });
    expect(name).toBe('orders_3');
    expect(text.match(/(?<= - name: ).*/g)).toEqual([
      'orders_3',
      'count',
      'a_b',
      'a_b_2',
      'column_1st',
      'column_from',
      'row_count',
    ]);
  });

  it('has the whole primary key that is declared, before what is called id', () => {
    const text = textOf(
      tableOf([{ name: 'id' }, { name: 'order_id', isPrimaryKey: true }, { name: 'line', isPrimaryKey: true }]),
    );
    expect(text.match(/- name: \w+\n.*\n.*\n *primary_key/g)?.map((each) => each.split('\n')[0])).toEqual([
      '- name: order_id',
      '- name: line',
    ]);
  });

  it('avoids a word that has no value in YAML', () => {
    expect(textOf(tableOf([{ name: 'null' }, { name: 'NULL' }])).match(/- name: .*null.*/g)).toEqual([
      '- name: column_null',
      '- name: column_null_2',
    ]);
  });

  it('avoids names that the engine uses itself', () => {
    const text = textOf(
      tableOf([{ name: 'sql' }, { name: 'sqlTable' }, { name: 'EXTENDS' }, { name: 'constructor' }], 'constructor'),
    );
    expect(text.match(/name: \w+/g)).toEqual([
      'name: table_constructor',
      'name: column_sql',
      'name: column_sql_table',
      'name: extended',
      'name: column_constructor',
      'name: count',
    ]);
  });

  it('has no primary key where none is sure', () => {
    const keys = (columns: Table['columns']): readonly string[] =>
      textOf(tableOf(columns)).match(/(?<=- name: )\w+(?=\n.*\n.*\n *primary_key: true)/g) ?? [];
    expect(keys([{ name: 'order_id' }, { name: 'customer_id' }])).toEqual([]);
    expect(keys([{ name: 'order_id', isKey: true }])).toEqual(['order_id']);
    expect(keys([{ name: 'uid', isKey: true }, { name: 'Id' }])).toEqual(['id']);
  });

  it.each([
    [
      'number',
      'INTEGER, bigint, NUMERIC(10, 2), Nullable(Decimal(9, 2)), FLOAT64, double precision, UInt8, int unsigned',
    ],
    ['time', 'date, TIMESTAMP_NTZ(9), timestamp(3) without time zone, DateTime64(3), datetime2(7), timestamptz'],
    ['boolean', 'BOOL, boolean, Nullable(Bool)'],
    [
      'string',
      'text, varchar(20), uuid, time, interval, int[], ARRAY<INT64>, struct<a int>, json, , LowCardinality(String)',
    ],
  ] as const)('maps types of columns to %s', (expected, types) => {
    for (const type of types.split(/, (?![^(]*\))/)) expect([type, dimensionTypeOf(type)]).toEqual([type, expected]);
  });

  it('has no problem in it, whatever the table is called and says', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom(...HOSTILE));
    const columns = fc.array(fc.record({ name: text, type: text, description: text }), { maxLength: 5 });
    fc.assert(
      fc.property(text, text, columns, (name, description, columns) => {
        const list = JSON.stringify({ tables: [{ schema: 's', name, description, columns }] });
        for (const table of readTables({ list }).catalog?.tables ?? [])
          expect(shortcomings(textOf(table))).toEqual(['nothing', []]);
      }),
    );
  });
});

/** Texts that mean something to YAML, to templates, to Python or to SQL. */
const HOSTILE = [
  'constructor',
  'sql',
  'sqlTable',
  'import',
  'extends',
  "it's",
  'a "quoted" one',
  '{{ x }}',
  '{% if %}',
  '{# note #}',
  '{CUBE}',
  '`${x}`',
  'a\\nb',
  'back\\',
  'true',
  '#',
  ': -',
  'a\nb',
  'from',
  '1',
  'Größe',
  '值',
  '%s',
  'f',
  'FR',
];

describe('the engine', async () => {
  const { options, remove } = await bundledEngine();
  afterAll(remove);

  it('accepts what is generated for every type and for names and texts of every kind', async () => {
    const types = 'int,date,timestamp,boolean,text,json,,Nullable(Float64)'.split(',');
    const tables = [
      ...HOSTILE.map((name) => ({ schema: 's', name, description: name, columns: [{ name, description: name }] })),
      ...HOSTILE.map((name) => ({ name, columns: [{ name }] })),
      {
        name: 'typed',
        columns: [...types, ...HOSTILE].map((type, at) => ({
          name: `c${at}`,
          type,
          description: type,
          primary_key: !at,
        })),
      },
      { name: 'empty' },
    ];
    const names = new Set<string>();
    const catalog = readTables({ list: JSON.stringify({ tables }) }).catalog;
    const files = (catalog?.tables ?? []).map((table) => {
      const { name, text } = generateCube(table, { isTaken: (candidate) => names.has(candidate) });
      names.add(name);
      return { fileName: `cubes/${name}.yml`, content: text };
    });
    expect(files.length).toBeGreaterThanOrEqual(12);
    expect(await engineProcess(options).check(ROOT, files)).toEqual([]);
  });
});
