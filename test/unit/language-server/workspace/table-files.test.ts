import { describe, expect, it } from 'vitest';
import { knownTables, type KnownTablesResult } from '#features/language/messages.ts';
import { yaml } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { CATALOG, MANIFEST } from '#support/language/tables.ts';

describe('problems of SQL', () => {
  it('follow the kind of database that the table files name', async () => {
    const list = (type: string): string => JSON.stringify({ database_type: type, tables: [] });
    const files = {
      'model/a.yml': 'cubes:\n  - name: a\n    sql: SELECT id, FROM t\n',
      'modelbench.tables.json': list('postgres'),
    };
    const session = await Session.start(files, { roots: [`${ROOT}/model`], tableFolders: [ROOT] });
    const uri = await session.open('model/a.yml');
    const messages = (): readonly unknown[] | undefined =>
      session.diagnostics.get(uri)?.diagnostics.map(({ message }) => message);
    await expect.poll(messages).toEqual(['Nothing follows this comma in its list: remove it.']);
    const tables = `${ROOT}/modelbench.tables.json`;
    session.files.set(tables, list('bigquery'));
    await session.client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: tables, type: 2 }] });
    await expect.poll(messages).toEqual([]);
    session.dispose();
  });
});

describe('the files that say which tables there are', () => {
  const MODEL = yaml`
    cubes:
      - name: orders
        sql_table: shop.orders
        segments:
          - name: s
            sql: id
  `;
  const MODEL_FOLDER = `${ROOT}/model`;
  const start = (files: Readonly<Record<string, string>>, folder = ROOT): Promise<Session> =>
    Session.start({ 'model/orders.yml': MODEL, ...files }, { roots: [MODEL_FOLDER], tableFolders: [folder] });
  const labels = async (session: Session): Promise<readonly string[]> => {
    const uri = `${MODEL_FOLDER}/orders.yml`;
    const position = { line: 5, character: 15 };
    const { items } = await session.request<{ items: { label: string; sortText?: string }[] }>(
      'textDocument/completion',
      uri,
      { position },
    );
    return items.flatMap(({ label, sortText }) => (sortText?.startsWith('6') === true ? [label] : []));
  };

  it.each([
    ['the model', 'model/target/'],
    ['the project', 'target/'],
    ['a folder of dbt', 'dbt/target/'],
  ])('are read beside %s', async (_, folder) => {
    const session = await start({ [`${folder}manifest.json`]: MANIFEST, [`${folder}catalog.json`]: CATALOG });
    expect(await labels(session)).toEqual(['id', 'status', 'created_at']);
  });

  it('are not read outside of the folders of the client', async () => {
    expect(await labels(await start({ 'target/manifest.json': MANIFEST }, MODEL_FOLDER))).toEqual([]);
  });

  it('are read again when they change', async () => {
    const session = await start({});
    const uri = `${ROOT}/target/manifest.json`;
    expect(await labels(session)).toEqual([]);
    session.files.set(uri, MANIFEST);
    await session.client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 1 }] });
    await expect.poll(() => labels(session)).toEqual(['id', 'status']);
  });

  it('are left out with a message where they cannot be read', async () => {
    const session = await Session.start(
      { 'model/orders.yml': MODEL, 'target/manifest.json': '{', 'target/catalog.json': CATALOG },
      { roots: [MODEL_FOLDER], tableFolders: [ROOT] },
      [],
      undefined,
      { fileSize: (uri) => Promise.resolve(uri.endsWith('model/model/modelbench.tables.json') ? 1e9 : undefined) },
    );
    expect(await labels(session)).toEqual(['id', 'status', 'created_at']);
    const { problems } = await session.client.sendRequest<KnownTablesResult>(knownTables, { uri: MODEL_FOLDER });
    expect(problems).toEqual([
      'modelbench.tables.json was not read: it is larger than 64 MB.',
      'target/manifest.json was not read: it is not JSON.',
    ]);
  });

  it('are named where a file is there but cannot be opened', async () => {
    const session = await Session.start(
      { 'model/orders.yml': MODEL, 'target/catalog.json': CATALOG },
      { roots: [MODEL_FOLDER], tableFolders: [ROOT] },
      [],
      undefined,
      { fileSize: (uri) => Promise.resolve(uri === `${ROOT}/target/manifest.json` ? 1 : undefined) },
    );
    expect(await labels(session)).toEqual(['id', 'status', 'created_at']);
    const { problems } = await session.client.sendRequest<KnownTablesResult>(knownTables, { uri: MODEL_FOLDER });
    expect(problems).toEqual(['target/manifest.json was not read: it cannot be opened.']);
  });

  it('can be a list of the project and those of a dbt project in its subfolder', async () => {
    const list = JSON.stringify({ tables: [{ schema: 'other', name: 'more' }] });
    const session = await start({
      'modelbench.tables.json': list,
      'dbt/target/manifest.json': MANIFEST,
      'dbt/target/catalog.json': CATALOG,
    });
    expect(await labels(session)).toEqual(['id', 'status', 'created_at']);
    const { tables } = await session.client.sendRequest<KnownTablesResult>(knownTables, { uri: MODEL_FOLDER });
    expect(tables.map(({ relation }) => relation)).toEqual([
      'other.more',
      '"analytics"."raw"."Customers"',
      '"analytics"."shop"."orders"',
      '"analytics"."shop"."countries"',
      'raw.events',
    ]);
  });

  it('count as they were while a program writes them, until they are gone', async () => {
    const session = await start({ 'target/manifest.json': MANIFEST, 'modelbench.tables.json': '{"tables": []}' });
    const uri = `${ROOT}/target/manifest.json`;
    expect(await labels(session)).toEqual(['id', 'status']);
    const changed = async (): Promise<readonly string[]> => {
      await session.client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
      const { problems } = await session.client.sendRequest<KnownTablesResult>(knownTables, { uri: MODEL_FOLDER });
      return problems;
    };
    session.files.set(uri, MANIFEST.slice(0, 500));
    await expect.poll(changed).toEqual(['target/manifest.json was not read again: it is not JSON.']);
    expect(await labels(session)).toEqual(['id', 'status']);
    session.files.set(uri, MANIFEST.replaceAll('"id"', '"order_id"'));
    await expect.poll(changed).toEqual([]);
    expect(await labels(session)).toEqual(['order_id', 'status']);
    session.files.delete(uri);
    await expect.poll(async () => [await changed(), await labels(session)]).toEqual([[], []]);
  });
});
