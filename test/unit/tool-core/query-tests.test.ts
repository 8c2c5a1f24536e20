import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelFolder } from '#cli/model-folder.ts';
import { demo } from '#platform/seed/names.ts';
import { openPlatform as openLocalPlatform } from '#support/platform.ts';
import { noCompiler, noConfirmation, noEdits, noSync } from '#support/tool-run.ts';
import { openPlatform } from '#tools/platform/open-platform.ts';
import type { ModelSnapshot } from '#tools/ports.ts';
import { test } from '#tools/queries/test.ts';
import { yaml } from '#support/language/raw.ts';

const tenantUrl = 'https://platform.test';
const link = { tenantUrl, deploymentId: String(demo.shop) };

const ORDERS = yaml`
  query:
    measures: [orders.count]
  tests:
    - name: There are three
      rowCount: 1
    - name: The count is right
      value: { member: orders.count, is: 3 }
    - name: Ada sees one
      as: { user: ada }
      value: { member: orders.count, is: 1 }
`;

function snapshot(queries: Readonly<Record<string, string>>): ModelSnapshot {
  return {
    root: 'model/',
    files: new Map(),
    queries: new Map(Object.entries(queries)),
    globals: undefined,
    isMixed: false,
  };
}

/** Runs the tests of query files; `load` answers for the data API, given the security context of the token. */
async function run(queries: Readonly<Record<string, string>>, load: (user: unknown) => Response, input: object = {}) {
  const platform = await openLocalPlatform();
  const variables = { MODELBENCH_API_KEY: platform.apiKey, MODELBENCH_TENANT_URL: tenantUrl };
  const { signal } = new AbortController();
  const ports = {
    model: () => Promise.resolve(snapshot(queries)),
    revision: () => Promise.reject(new Error('There is no revision.')),
    compile: noCompiler,
    sync: noSync,
    ...noEdits,
    platform: () =>
      Promise.resolve(
        openPlatform(variables, link, {
          signal,
          userAgent: 'modelbench/test',
          fetch: (address, init) => {
            const request = new Request(address, init);
            if (!/\/(?:load|cubesql)$/.test(request.url)) return platform.fetch(request);
            const [, claims = ''] = (request.headers.get('authorization') ?? '').split('.');
            const text = Buffer.from(claims, 'base64url').toString();
            return Promise.resolve(load(/"user":\s*"(\w+)"/.exec(text)?.[1]));
          },
        }),
      ),
  };
  return test.run(ports, input, { signal, progress: () => undefined, confirm: noConfirmation });
}

const counted = (count: number): Response => Response.json({ data: [{ 'orders.count': String(count) }] });

describe('the tests of query files', () => {
  it('run with a token for each identity, and say what they expected and found', async () => {
    const answer = await run({ 'queries/orders.query.yml': ORDERS }, (user) => counted(user === 'ada' ? 1 : 4));
    expect(answer.hasFindings).toBe(true);
    expect(answer.render('text')).toBe(
      [
        'queries/orders.query.yml:4: passed: There are three',
        'queries/orders.query.yml:6: failed: The count is right',
        '  “orders.count” is wrong.',
        '  expected',
        '    3',
        '  actual',
        '    4',
        'queries/orders.query.yml:8: passed: Ada sees one',
        '1 of 3 tests failed.',
      ].join('\n'),
    );
    const right = await run({ 'a.query.yml': ORDERS }, (user) => counted(user === 'ada' ? 1 : 3));
    expect(right.hasFindings).toBe(false);
    expect(right.render('text')).toMatch(/3 tests passed\.$/);
  });

  it('judge SQL like other queries', async () => {
    const saved = yaml`
      sql: SELECT 1
      tests:
        - name: It is one
          rows: [{ n: 1 }]
    `;
    const lines = [{ schema: [{ name: 'n', column_type: 'Int32' }] }, { data: [['1']] }];
    const streamed = () => new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const answer = await run({ 'queries/one.query.yml': saved }, streamed);
    expect(answer.render('text')).toBe('queries/one.query.yml:3: passed: It is one\n1 test passed.');
  });

  it('fail where the server refuses the query, and end where there is nothing to run', async () => {
    const refused = await run({ 'a.query.yml': ORDERS }, () =>
      Response.json({ error: 'No such cube.' }, { status: 400 }),
    );
    expect(refused.value).toMatchObject({ passed: false, tests: [{ state: 'failed' }, {}, {}] });
    await expect(run({ 'a.query.yml': 'query: {}\n' }, () => counted(1))).rejects.toThrow('There are no tests');
    await expect(run({ 'a.query.yml': ORDERS }, () => counted(1), { path: 'other' })).rejects.toThrow(
      'There are no tests',
    );
  });

  it('are found in the model and in the folder beside it, and are not model files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'modelbench-queries-'));
    try {
      for (const name of ['model', 'queries', 'other']) mkdirSync(join(folder, name));
      writeFileSync(join(folder, 'model', 'orders.yml'), 'cubes: []\n');
      for (const name of ['model', 'queries', 'other']) writeFileSync(join(folder, name, 'a.query.yml'), ORDERS);
      const { files, queries } = await modelFolder(folder, folder)(new AbortController().signal);
      expect([...files.keys()]).toEqual(['model/orders.yml']);
      expect([...(queries ?? new Map()).keys()]).toEqual(['model/a.query.yml', 'queries/a.query.yml']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
