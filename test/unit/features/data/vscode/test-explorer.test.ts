import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SqlBatch } from '#api/data/sql-batches.ts';
import { DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { QueryOutcome, QueryOptions } from '#features/data/query-service.ts';
import type { BuildFinished } from '#features/platform/build-watch.ts';
import { TestWindow } from '#support/test-explorer.ts';
import { yaml } from '#support/language/raw.ts';

let window = new TestWindow();
beforeEach(() => {
  vi.resetModules();
  window = new TestWindow();
  vi.doMock('vscode', () => window.module);
});
afterAll(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

const path = '/shop/queries/orders.query.yml';
const orders = (count: number): string => `title: Orders
query:
  measures: [orders.count]
tests:
  - name: There is one row
    rowCount: 1
  - name: The count is right
    value: { member: orders.count, is: ${count} }
  - name: Ada sees one
    as: { user: ada }
    value: { member: orders.count, is: 1 }
`;

type Answer = (query: object, options: QueryOptions) => QueryOutcome | Promise<QueryOutcome>;
const counted: Answer = (_, { securityContext }) => rows(securityContext ? 1 : 3);
const rows = (count: number): QueryOutcome => ({
  kind: 'rows',
  rows: [{ 'orders.count': String(count) }],
  annotation: { measures: {}, dimensions: {}, timeDimensions: {} },
  facts: { source: 'Shop · dev-ada', milliseconds: 1, preAggregations: [] },
});

interface Opening {
  readonly answer?: Answer;
  readonly isTrusted?: boolean;
  readonly target?: object | undefined;
}

/** The Test Explorer of a window with the files that `window` has. */
async function open({ answer = counted, isTrusted = true, ...given }: Opening = {}) {
  const asked: (readonly [object, QueryOptions])[] = [];
  /** The folders whose queries were run, as choices name them, and as their branches are found. */
  const where: unknown[] = [];
  const target = 'target' in given ? given.target : { kind: 'environment', accountId: 'a', deploymentId: '1' };
  const queries = {
    choices: {
      whereFor: async (folder: string, branch: unknown) => {
        where.push([folder, branch]);
        return target;
      },
    },
    nameOf: async () => 'Shop · dev-ada',
    run: async (_: object, query: object, options: QueryOptions) => {
      asked.push([query, options]);
      return answer(query, options);
    },
    client: () => ({
      cubeSql: async function* (statement: string): AsyncGenerator<SqlBatch> {
        yield { kind: 'schema', columns: [{ name: 'n', type: 'Int32' }] };
        yield { kind: 'rows', rows: [[await Promise.resolve(String(statement.length))]] };
      },
    }),
  };
  const finished = new Emitter<BuildFinished>();
  const { openTestExplorer } = await import('#features/data/vscode/test-explorer.ts');
  const explorer = await openTestExplorer({
    queries: async () => queries as never,
    branchOf: ({ path: about }) => about as never,
    builds: { onDidFinish: finished.event },
    isTrusted: new Store(isTrusted),
    logger: silentLogger,
  });
  const build = (phase: 'built' | 'failed', isNews = true): void =>
    finished.fire({ target: {}, state: { phase }, isNews } as never);
  return { explorer, asked, build, where };
}

describe('the Test Explorer of queries', () => {
  it('lists the tests of query files, also as they are typed', async () => {
    window.files.set(path, orders(3));
    window.files.set('/shop/queries/plain.query.yml', 'query: { measures: [orders.count] }\n');
    window.files.set(
      '/shop/queries/empty.query.yml',
      yaml`
        tests:
          - name: It
            rowCount: 1
      `,
    );
    await open();
    expect(window.tree).toEqual([
      'shop/queries/orders.query.yml | Orders',
      '  There is one row',
      '  The count is right',
      '  Ada sees one',
      'shop/queries/empty.query.yml | This file has no query that its tests could judge.',
      '  It',
    ]);
    const first = window.items.get(`file://${path}`);
    window.edit(
      path,
      yaml`
        query: { measures: [orders.count] }
        tests: [{ name: Twice, rowCount: 1 }, { name: Twice, rowCount: 2 }]`,
    );
    expect(window.tree.slice(0, 3)).toEqual(['shop/queries/orders.query.yml', '  Twice', '  Twice']);
    expect(window.items.get(`file://${path}`)).toBe(first);
    window.remove(path);
    expect(window.tree).toHaveLength(2);
    window.create('/shop/new.query.yml', orders(1));
    await expect.poll(() => window.tree).toContain('shop/new.query.yml | Orders');
  });

  it('lists what comes with a folder, of which VS Code names only the folder, and forgets what goes', async () => {
    await open();
    window.createFolder('/shop/queries', { 'orders.query.yml': orders(3) });
    await expect.poll(() => window.tree).toContain('shop/queries/orders.query.yml | Orders');
    window.removeFolder('/shop/queries');
    await expect.poll(() => window.tree).toEqual([]);
  });

  it('is opened once a folder comes with the first query file of a window', async () => {
    const { testsContribution } = await import('#features/data/vscode/lazy-tests.ts');
    const store = new DisposableStore();
    const deps = {
      queries: () => Promise.reject(new Error('Nothing is run.')),
      branchOf: () => undefined,
      builds: { onDidFinish: new Emitter<BuildFinished>().event },
      isTrusted: new Store(true),
      logger: silentLogger,
    };
    await testsContribution(deps).register(store);
    window.createFolder('/shop/queries', { 'orders.query.yml': orders(3) });
    await expect.poll(() => window.tree).toContain('shop/queries/orders.query.yml | Orders');
    store.dispose();
  });

  it('lists the queries beside a folder that is a model itself, and runs them where the model is', async () => {
    window.folders = ['/shop/model', '/crm/semantic', '/notes'];
    const files = ['/shop/queries/a.query.yml', '/crm/queries/semantic/b.query.yml', '/crm/queries/others/c.query.yml'];
    for (const file of files) window.files.set(file, orders(3));
    const { where } = await open();
    const listed = ['shop/queries/a.query.yml | Orders', 'crm/queries/semantic/b.query.yml | Orders'];
    expect(window.tree.filter((line) => line.includes('|'))).toEqual(listed);
    await window.run().done;
    expect(where).toEqual([
      ['file:///shop/model', '/shop/model'],
      ['file:///crm/semantic', '/crm/semantic'],
    ]);
    expect(window.reported.filter((line) => line.startsWith('passed'))).toHaveLength(6);
  });

  it('lists a query beside a model once, where the folder with both is open too', async () => {
    window.folders = ['/shop', '/shop/model'];
    window.files.set(path, orders(3));
    await open();
    expect(window.tree).toHaveLength(4);
  });

  it('follows what is saved beside a folder that is a model itself, and a folder that is opened later', async () => {
    window.folders = ['/shop/model', '/crm/semantic'];
    await open();
    // VS Code names the new folder, and the files of one that it watches already.
    window.createFolder('/shop/queries', { 'a.query.yml': orders(3) });
    await expect.poll(() => window.tree).toContain('shop/queries/a.query.yml | Orders');
    window.create('/shop/queries/b.query.yml', orders(3));
    await expect.poll(() => window.tree).toContain('shop/queries/b.query.yml | Orders');
    window.createFolder('/crm/queries/semantic', { 'c.query.yml': orders(3) });
    await expect.poll(() => window.tree).toContain('crm/queries/semantic/c.query.yml | Orders');
    window.remove('/shop/queries/a.query.yml');
    await expect.poll(() => window.tree).not.toContain('shop/queries/a.query.yml | Orders');
    window.files.set('/bank/queries/d.query.yml', orders(3));
    window.openFolder('/bank/schema');
    await expect.poll(() => window.tree).toContain('bank/queries/d.query.yml | Orders');
  });

  it('runs the tests on the branch, each query once for each identity, and compares what they expect', async () => {
    window.files.set(path, orders(4));
    const { asked } = await open();
    await window.run().done;
    expect(window.reported).toEqual([
      'Tests of shop/queries/orders.query.yml run on Shop · dev-ada.',
      'passed: There is one row',
      'failed: The count is right: “orders.count” is wrong. (4 ≠ 3)',
      'passed: Ada sees one',
    ]);
    expect(asked.map(([, { securityContext }]) => securityContext)).toEqual([undefined, { user: 'ada' }]);
    expect(window.ended).toBe(1);
  });

  it('lists and runs the tests of hundreds of files, each against its own query', async () => {
    const paths = Array.from({ length: 400 }, (_, at) => `/shop/queries/${at % 20}/q${at}.query.yml`);
    for (const [at, each] of paths.entries())
      window.files.set(each, orders(3).replaceAll('orders.count', `orders.count_${at}`));
    const { asked } = await open({
      answer: (query) => {
        const [measure = ''] = (query as { readonly measures: readonly string[] }).measures;
        const found = rows(3);
        return found.kind === 'rows' ? { ...found, rows: [{ [measure]: '3' }] } : found;
      },
    });
    await window.run().done;
    const ends = Map.groupBy(window.reported, (line) => line.replace(/:.*/, ''));
    expect([ends.get('passed')?.length, ends.get('failed')?.length]).toEqual([800, 400]);
    // One answer serves the tests of a file that have the same identity.
    expect(asked).toHaveLength(800);
    expect(window.ended).toBe(1);
  });

  it('judges SQL like other queries', async () => {
    const tests = 'tests: [{ name: Eight, rows: [{ n: 8 }] }, { name: Nine, value: { member: n, is: 9 } }]';
    window.files.set(path, `sql: SELECT 1\n${tests}\n`);
    const { asked } = await open();
    await window.run().done;
    expect(window.reported.slice(1)).toEqual(['passed: Eight', 'failed: Nine: “n” is wrong. (9 ≠ 8)']);
    expect(asked).toEqual([]);
  });

  it('runs only what was chosen', async () => {
    window.files.set(path, orders(3));
    await open();
    const test = window.items.get(`file://${path}`)?.children.get(`file://${path}#There is one row`);
    await window.run({ include: test ? [test] : [] }).done;
    expect(window.reported.slice(1)).toEqual(['passed: There is one row']);
  });

  it.each<[string, Opening, string]>([
    [
      'a server that refuses the query',
      { answer: () => ({ kind: 'wrongQuery', message: 'No “orders.count”.' }) },
      'failed: There is one row: No “orders.count”.',
    ],
    [
      'no environment',
      { answer: () => ({ kind: 'unavailable', message: 'Start dev mode.' }) },
      'errored: There is one row: Start dev mode.',
    ],
    ['nowhere to run', { target: undefined }, 'errored: There is one row: No Cube Core server answers on this machine'],
    [
      'a window that is not trusted',
      { isTrusted: false },
      'errored: There is one row: This window is in Restricted Mode',
    ],
  ])('reports %s at each test', async (_, opening, expected) => {
    window.files.set(path, orders(3));
    const { asked } = await open(opening);
    await window.run().done;
    expect(window.reported.find((line) => line.includes('There is one row'))).toContain(expected);
    expect(window.ended).toBe(1);
    expect(asked).toHaveLength('answer' in opening ? 2 : 0);
  });

  it('stops the query that is running when the run is cancelled, and begins no other', async () => {
    window.files.set(path, orders(3));
    const begun = Promise.withResolvers<void>();
    const { asked } = await open({
      answer: (_, { signal }) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve({ kind: 'cancelled' }));
          begun.resolve();
        }),
    });
    const run = window.run();
    await begun.promise;
    run.cancel();
    await run.done;
    expect(window.reported.slice(1)).toEqual([
      'skipped: There is one row',
      'skipped: The count is right',
      'skipped: Ada sees one',
    ]);
    expect(asked).toHaveLength(1);
  });

  it('runs again after a save of the file and a build, without questions, until it is stopped', async () => {
    window.files.set(path, orders(3));
    const { asked, build } = await open();
    const run = window.run({ continuous: true });
    await run.done;
    expect(window.ended).toBe(0);
    window.save(path);
    await expect.poll(() => window.ended).toBe(1);
    build('built');
    await expect.poll(() => window.ended).toBe(2);
    build('failed');
    build('built', false);
    window.save('/shop/model/orders.yml');
    run.cancel();
    build('built');
    window.save(path);
    await window.run().done;
    expect(window.ended).toBe(3);
    expect(asked.map(([, { mayAsk }]) => mayAsk)).toEqual([false, false, false, false, true, true]);
  });

  it('runs again after a save of the model where a server on this machine answers', async () => {
    window.files.set(path, orders(3));
    await open({ target: { kind: 'cubeCore', restUrl: 'http://localhost:4000/cubejs-api/v1' } });
    await window.run({ continuous: true }).done;
    window.save('/shop/notes.md');
    window.save('/shop/model/orders.yml');
    await expect.poll(() => window.ended).toBe(1);
  });

  it('reports a fault of its own at the test and still ends the run', async () => {
    window.files.set(path, orders(3));
    await open({
      answer: () => {
        throw new Error('out of order');
      },
    });
    await window.run().done;
    expect(window.reported[1]).toBe('errored: There is one row: Something went wrong: out of order');
    expect(window.ended).toBe(1);
  });
});
