import { describe, expect, it } from 'vitest';
import { cubeOfTable, type CubeOfTable, knownTables, type KnownTablesResult } from '#features/language/messages.ts';
import { yaml } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { LIST, MANIFEST } from '#support/language/tables.ts';

const MODEL = `${ROOT}/model`;
const ORDERS = '"analytics"."shop"."orders"';
const OTHER = yaml`
  cubes:
    - name: other
      sql_table: t
`;

async function start(files: Readonly<Record<string, string>>): Promise<Session> {
  return Session.start({ 'target/manifest.json': MANIFEST, ...files }, { roots: [MODEL], tableFolders: [ROOT] });
}
const tablesOf = async (session: Session, uri: string): Promise<KnownTablesResult> =>
  session.client.sendRequest(knownTables, { uri });
const cubeOf = async (session: Session, uri = MODEL, relation = ORDERS): Promise<CubeOfTable | null> =>
  session.client.sendRequest(cubeOfTable, { uri, relation });

/** Returns the file that a new cube of the table is written to, and its name. */
async function target(session: Session, uri = MODEL): Promise<readonly unknown[]> {
  const cube = await cubeOf(session, uri);
  return [cube?.uri, cube?.name];
}

describe('the tables that a model can have cubes on', () => {
  // @shows tables (server)
  it('are those that are known', async () => {
    const session = await start({ 'model/a.yml': OTHER });
    const known = await tablesOf(session, MODEL);
    expect(known.tables[1]).toEqual({
      relation: ORDERS,
      description: 'All orders,\nalso "open" ones.',
      columns: 2,
    });
    expect(await tablesOf(session, `${MODEL}/a.yml`)).toEqual(known);
    expect(await tablesOf(session, ROOT)).toEqual(known);
  });

  it('are none where no file says any, which a file that cannot be read explains', async () => {
    const session = await start({ 'target/manifest.json': '[]' });
    expect(await tablesOf(session, MODEL)).toEqual({
      hasModel: true,
      tables: [],
      problems: ['target/manifest.json was not read: it is not a manifest of dbt.'],
    });
    expect(await tablesOf(session, 'memory:///elsewhere')).toEqual({ hasModel: false, tables: [], problems: [] });
    expect(await cubeOf(session)).toBeNull();
  });
});

describe('a generated cube', () => {
  it('lies in the folder of cubes, of a model without files as well', async () => {
    const inCubes = [`${MODEL}/cubes/orders.yml`, 'orders'];
    expect(await target(await start({}))).toEqual(inCubes);
    expect(await target(await start({ 'model/cubes/a.yml': OTHER }))).toEqual(inCubes);
  });

  it('lies beside the other files where there is no such folder, and in the folder that is named', async () => {
    const session = await start({ 'model/a.yml': OTHER });
    expect(await target(session)).toEqual([`${MODEL}/orders.yml`, 'orders']);
    expect(await target(session, `${MODEL}/a.yml`)).toEqual([`${MODEL}/orders.yml`, 'orders']);
    expect(await target(session, `${MODEL}/finance`)).toEqual([`${MODEL}/finance/orders.yml`, 'orders']);
  });

  it('takes neither a file nor a name that is there', async () => {
    const session = await start({
      'model/cubes/orders.yml': OTHER,
      'model/cubes/b.yml': OTHER.replace('other', 'orders'),
      'model/cubes/ORDERS_2.yml': OTHER,
    });
    const cube = await cubeOf(session);
    expect([cube?.uri, cube?.name]).toEqual([`${MODEL}/cubes/orders_2_2.yml`, 'orders_2']);
    expect(cube?.text).toMatchInlineSnapshot(`
      "cubes:
        - name: orders_2
          sql_table: '"analytics"."shop"."orders"'
          description: 'All orders, also "open" ones.'

          dimensions:
            - name: id
              sql: "{CUBE}.id"
              type: string
              primary_key: true
            - name: status
              sql: "{CUBE}.status"
              type: string
              description: "open, paid or (sent)"

          measures:
            - name: count
              type: count
      "
    `);
    const beside = await start({ 'model/a.yml': OTHER, 'model/orders.yml': 'not read as a model' });
    expect(await target(beside)).toEqual([`${MODEL}/orders_2.yml`, 'orders']);
  });

  it('takes neither a file nor a name of an editor that was not saved, nor one in other letter case', async () => {
    const session = await start({ 'model/cubes/a.yml': OTHER.replace('other', 'Orders') });
    await session.open('model/cubes/orders_2.yml', OTHER.replace('other', 'ORDERS_2'));
    expect(await target(session)).toEqual([`${MODEL}/cubes/orders_3.yml`, 'orders_3']);
  });

  it('has the line endings of the other files', async () => {
    const session = await start({ 'model/a.yml': OTHER.replaceAll('\n', '\r\n') });
    const { text = '' } = (await cubeOf(session)) ?? {};
    expect(text.match(/\r?\n/g)).toEqual(text.match(/\r\n/g));
  });

  it('is made for the table that was chosen among those of one name', async () => {
    const table = (database: string, name: string): object => ({
      metadata: { database, schema: 's', name },
      columns: { [database]: { name: database } },
    });
    const nodes = [table('a', 'orders'), table('b', 'orders'), table('b', 'ORDERS')];
    const session = await start({
      'target/manifest.json': '{"nodes": {}}',
      'target/catalog.json': JSON.stringify({ nodes: Object.fromEntries(nodes.entries()) }),
    });
    const known = (await tablesOf(session, MODEL)).tables.map(({ relation }) => relation);
    expect(known).toEqual(['a.s.orders', 'b.s.orders', 's.ORDERS']);
    for (const relation of known) {
      const cube = await cubeOf(session, MODEL, relation);
      const column = relation.replace('s.O', 'b').slice(0, 1);
      expect(cube?.text).toBe(yaml`
        cubes:
          - name: orders
            sql_table: ${relation}

            dimensions:
              - name: ${column}
                sql: "{CUBE}.${column}"
                type: string

            measures:
              - name: count
                type: count
      `);
    }
  });

  it('is made for the database that the list names', async () => {
    const session = await start({ 'modelbench.tables.json': LIST });
    const cube = await cubeOf(session, MODEL, 'ANALYTICS.SHOP.ORDERS');
    expect(cube?.text).toMatchInlineSnapshot(`
      "cubes:
        - name: orders
          sql_table: ANALYTICS.SHOP.ORDERS
          description: "All orders."

          dimensions:
            - name: order_id
              sql: "{CUBE}.ORDER_ID"
              type: number
              primary_key: true
            - name: status
              sql: "{CUBE}.STATUS"
              type: string
              description: "Where it is."

          measures:
            - name: count
              type: count
      "
    `);
  });

  it('is none for a table that is not known', async () => {
    expect(await cubeOf(await start({}), MODEL, 'unknown')).toBeNull();
  });
});
