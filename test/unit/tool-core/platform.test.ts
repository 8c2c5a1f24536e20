import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { listBranches } from '#api/resources/branches.ts';
import type { Clock } from '#base/clock.ts';
import type { Mode } from '#platform/modes/mode.ts';
import { strict } from '#platform/modes/strict.ts';
import { demo } from '#platform/seed/names.ts';
import { openPlatform as openLocalPlatform, send } from '#support/platform.ts';
import { noConfirmation, noEdits } from '#support/tool-run.ts';
import { branches } from '#tools/platform/branches.ts';
import { builds } from '#tools/platform/builds.ts';
import { logs } from '#tools/platform/logs.ts';
import { openPlatform } from '#tools/platform/open-platform.ts';
import { query } from '#tools/queries/query.ts';
import { sql } from '#tools/queries/sql.ts';
import { status } from '#tools/platform/status.ts';
import type { Tool, ToolAnswer } from '#tools/tool.ts';
import { validate } from '#tools/platform/validate.ts';
import { realEngine } from '#support/real-engine.ts';

const tenantUrl = 'https://platform.test';
const link = { tenantUrl, deploymentId: String(demo.shop) };
const noPause: Clock = { now: () => 0, sleep: () => Promise.resolve() };

interface Setup {
  readonly key?: string;
  readonly link?: typeof link | undefined;
  readonly modes?: readonly Mode[];
  /** Answers in the place of the platform where it answers at all. */
  readonly instead?: (request: Request) => Response | Promise<Response | undefined> | undefined;
  /** The quick engine compiles no SQL. */
  readonly isQueried?: true;
}

/** The tools of a folder that is linked to the demo deployment, on a platform in memory. */
async function opened(setup: Setup = {}) {
  const platform = await openLocalPlatform({
    modes: setup.modes,
    ...(setup.isQueried ? { engine: realEngine() } : {}),
  });
  const asked: Request[] = [];
  const variables = { MODELBENCH_API_KEY: setup.key ?? platform.apiKey, MODELBENCH_TENANT_URL: tenantUrl };
  const unused = (): Promise<never> => Promise.reject(new Error('The folder is not read.'));
  const run = async (tool: Tool, input: object = {}): Promise<ToolAnswer> => {
    const answer = await tool.run(
      {
        model: unused,
        revision: unused,
        compile: unused,
        sync: unused,
        ...noEdits,
        platform: async (signal) =>
          Promise.resolve(
            openPlatform(variables, 'link' in setup ? setup.link : link, {
              signal,
              userAgent: 'modelbench/test',
              clock: noPause,
              fetch: async (address, init) => {
                const request = new Request(address, init);
                asked.push(request);
                return (await setup.instead?.(request)) ?? platform.fetch(request);
              },
            }),
          ),
      },
      input,
      { signal: new AbortController().signal, progress: () => undefined, confirm: noConfirmation },
    );
    // Whatever is asked: the answer is what its schema says, and JSON.
    expect(v.is(tool.output, answer.value)).toBe(true);
    expect(JSON.parse(JSON.stringify(answer.value))).toEqual(answer.value);
    return answer;
  };
  return { platform, run, asked };
}

describe('status', () => {
  it('shows the linked deployment, its branches and the build of production', async () => {
    const { run } = await opened();
    const answer = await run(status);
    expect(answer.value).toMatchObject({
      tenant: tenantUrl,
      deployments: [{ id: String(demo.shop) }],
      production: { branch: 'main' },
    });
    expect(answer.render('text')).toContain('Production: main');
  });

  it('lists the deployments that the key sees where the folder is not linked', async () => {
    const { run, asked } = await opened({ link: undefined });
    const { value } = await run(status);
    expect(value).toMatchInlineSnapshot(`
      {
        "deployments": [
          {
            "id": "1",
            "name": "Shop analytics",
            "version": "registry.local/engine:v1.7.43",
          },
          {
            "id": "2",
            "name": "Retail forecasts",
            "version": "registry.local/engine:v1.6.43",
          },
          {
            "id": "3",
            "name": "Marketing",
            "version": "registry.local/engine:v1.7.43",
          },
        ],
        "tenant": "https://platform.test",
      }
    `);
    expect(value).not.toHaveProperty('production');
    expect(asked).toHaveLength(1);
  });
});

describe('branches', () => {
  it('lists the branch of production first, and marks dev branches and shared ones', async () => {
    const { run, platform } = await opened();
    const { body } = await send(platform, listBranches, { params: { deploymentId: link.deploymentId } });
    const answer = await run(branches);
    const { branches: listed } = answer.value as { branches: readonly { name: string; kind: string }[] };
    expect(listed).toHaveLength((body as { data: readonly unknown[] }).data.length);
    expect(listed[0]).toMatchObject({ name: 'main', kind: 'production' });
    expect(listed).toContainEqual(expect.objectContaining({ name: demo.sharedBranch, kind: 'shared', parent: 'main' }));
    expect(listed).toContainEqual(expect.objectContaining({ name: demo.staleDevBranch, kind: 'dev' }));
    expect(answer.render('text').split('\n')[0]).toMatch(/^main {2}\(production\)/);
  });

  it('works on a deployment that is named, and refuses one that the key does not see', async () => {
    const { run } = await opened();
    expect((await run(branches, { deployment: '2' })).value).toMatchInlineSnapshot(`
      {
        "branches": [
          {
            "commit": "a61a2fb929f3dc1e4ef51a725bc58572a9eb1619",
            "kind": "production",
            "name": "master",
          },
        ],
        "deployment": {
          "id": "2",
          "name": "Retail forecasts",
        },
      }
    `);
    await expect(run(branches, { deployment: String(demo.foreign) })).rejects.toThrow('The key sees no deployment “4”');
  });
});

describe('builds', () => {
  it('shows the builds of all branches, or of one', async () => {
    const { run } = await opened();
    const { builds: listed } = (await run(builds)).value as { builds: readonly { branch: string }[] };
    expect(listed.map(({ branch }) => branch)).toContain(demo.sharedBranch);
    expect((await run(builds, { branch: 'main' })).value).toMatchObject({ builds: [{ branch: 'main' }] });
    await expect(run(builds, { branch: 'mian' })).rejects.toThrow('Did you mean “main”?');
  });

  it('fails a pipeline where a build has failed, and says why in one line', async () => {
    const { run } = await opened({
      instead: ({ url }) =>
        url.includes('/build-status')
          ? Response.json({ status: 'failed', branchName: 'main', errorText: 'orders.yml:\n  sql is missing' })
          : undefined,
    });
    const answer = await run(builds, { branch: 'main' });
    expect(answer.hasFindings).toBe(true);
    expect(answer.render('text')).toBe('main  build failed: orders.yml: sql is missing');
  });

  it('does not call a branch broken that nothing is built for', async () => {
    const { run } = await opened({
      instead: ({ url }) =>
        url.includes('/build-status')
          ? Response.json({ status: 'building', errorText: 'Branch is not active' })
          : undefined,
    });
    const answer = await run(builds, { branch: 'main' });
    expect(answer.hasFindings).toBe(false);
    expect(answer.render('text')).toBe('main  not active');
  });
});

describe('validate', () => {
  it('lists the errors that the platform finds in the production branch, up to the limit', async () => {
    const errors = [{ fileName: 'model/a.yml', message: 'a is\nwrong' }, { message: 'b' }, { message: 'c' }];
    const { run, asked } = await opened({
      instead: ({ url }) => (url.includes('/validate') ? Response.json({ valid: false, errors }) : undefined),
    });
    const answer = await run(validate, { limit: 2 });
    expect(answer.value).toMatchInlineSnapshot(`
      {
        "branch": "main",
        "deployment": {
          "id": "1",
          "name": "Shop analytics",
        },
        "errors": [
          {
            "message": "a is
      wrong",
            "path": "model/a.yml",
          },
          {
            "message": "b",
          },
        ],
        "omitted": 1,
        "valid": false,
      }
    `);
    expect(answer.hasFindings).toBe(true);
    expect(answer.render('text')).toBe(
      'model/a.yml: a is wrong\nb\nThe data model of “main” has errors. 1 more error not listed.',
    );
    expect(asked.map(({ method }) => method)).not.toContain('POST');
  });

  it('finds the seeded model valid', async () => {
    const { run } = await opened();
    expect(await run(validate, { branch: 'main' })).toMatchObject({ hasFindings: false, value: { valid: true } });
  });

  it('says so where the server does not offer it', async () => {
    const { run } = await opened({ modes: [strict] });
    await expect(run(validate)).rejects.toMatchObject({ kind: 'unsupported' });
  });
});

describe('query and sql', () => {
  const statuses = { dimensions: ['orders.status'] };

  it('run a query in production and show its SQL', async () => {
    const { run, asked, platform } = await opened({ isQueried: true });
    const answer = await run(query, { query: JSON.stringify(statuses), limit: 2 });
    const { rows } = answer.value as { readonly rows: readonly object[] };
    expect(answer.value).toMatchInlineSnapshot(`
      {
        "columns": [
          "orders.status",
        ],
        "environment": "Production",
        "mayHaveMore": true,
        "rows": [
          {
            "orders.status": "cancelled",
          },
          {
            "orders.status": "completed",
          },
        ],
      }
    `);
    expect(rows).toHaveLength(2);
    expect(answer.render('text')).toMatch(/^orders\.status\n.+\n.+\nThere may be more rows\.$/);
    expect((await run(sql, { query: JSON.stringify(statuses) })).render('text')).toContain('SELECT');
    // The key of the platform is not for the data API.
    const data = asked.filter(({ url }) => /\/(?:load|sql)$/.test(url));
    // A slow engine is asked again.
    expect(new Set(data.map(({ url }) => new URL(url).pathname.split('/').at(-1)))).toEqual(new Set(['load', 'sql']));
    for (const { headers } of data) expect(headers.get('authorization')).not.toContain(platform.apiKey);
    await expect(run(query, { query: '{"measures":["orders.nothing"]}' })).rejects.toThrow('orders.nothing');
  });

  it.each([
    [{}, 3, 3],
    [{ limit: 2 }, 2, 2],
    [{ limit: 9 }, 3, 3],
    [{ limit: 9, rowLimit: 1 }, 1, 1],
    [{ limit: 0 }, 1, 0],
  ])('never ask for or list more rows than asked: %j with a limit of 3', async (own, sent, listed) => {
    const bodies: unknown[] = [];
    const { run } = await opened({
      instead: async (request) => {
        if (!request.url.endsWith('/load')) return undefined;
        bodies.push(await request.json());
        // A server that does not care.
        return Response.json({ data: Array.from({ length: 5 }, (_, at) => ({ 'orders.status': `${at}` })) });
      },
    });
    const { value } = await run(query, { query: JSON.stringify({ ...statuses, ...own }), limit: 3 });
    expect(bodies).toEqual([{ query: { ...statuses, limit: sent } }]);
    expect((value as { readonly rows: readonly object[] }).rows).toHaveLength(listed);
  });

  it('send nothing that is not one query, and nothing for a branch without an environment', async () => {
    const { run, asked } = await opened();
    const compared = { timeDimensions: [{ dimension: 'orders.created_at', compareDateRange: ['a', 'b'] }] };
    for (const text of ['measures', '[]', 'null', JSON.stringify(compared)])
      await expect(run(query, { query: text })).rejects.toMatchObject({ kind: 'usage' });
    expect(asked).toEqual([]);
    await expect(run(sql, { query: '{}', branch: 'nowhere' })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('“nowhere” has no environment') as unknown,
    });
  });

  it.each([
    [
      'address',
      [{ id: 1, name: 'Production', type: 'production' }],
      'The environment “Production” has no REST address.',
    ],
    ['environment', [], 'This deployment has no production environment yet.'],
  ])('blame the platform where production has no %s', async (_, data, message) => {
    const { run } = await opened({
      instead: (request) => (request.url.includes('/environments') ? Response.json({ data }) : undefined),
    });
    for (const tool of [query, sql])
      await expect(run(tool, { query: '{}' })).rejects.toMatchObject({ kind: 'platform', message });
  });

  it('are refused where the server issues no tokens', async () => {
    const { run } = await opened({ modes: [strict] });
    await expect(run(query, { query: '{}' })).rejects.toMatchObject({ kind: 'unsupported' });
  });
});

describe('the platform behind tools', () => {
  it('is asked for documented things only', async () => {
    const { run } = await opened({ modes: [strict] });
    for (const tool of [status, branches, builds]) await expect(run(tool)).resolves.toBeDefined();
  });

  it.each(['https://evil.example', 'http://platform.test', 'https://platform.test:444', 'nowhere:x'])(
    'stays closed where the folder is linked to %s, another tenant than the key is for',
    (other) => {
      const variables = { MODELBENCH_API_KEY: 'secret-key', MODELBENCH_TENANT_URL: tenantUrl };
      const options = { signal: new AbortController().signal, userAgent: 'x' };
      const open = () => openPlatform(variables, { ...link, tenantUrl: other }, options);
      expect(open).toThrow(/This folder is linked to .*Nothing was sent/);
      expect(open).not.toThrow('secret-key');
    },
  );

  it('names the variable of a key that it does not accept, and not the key', async () => {
    const { run } = await opened({ key: demo.keys.expired });
    const failed = run(status);
    await expect(failed).rejects.toMatchObject({ kind: 'auth', status: 401 });
    await expect(failed).rejects.toThrow('does not accept the key in MODELBENCH_API_KEY');
    await expect(failed).rejects.not.toThrow(demo.keys.expired);
  });

  it('says that it cannot be reached', async () => {
    const offline = (): never => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) });
    };
    const { run } = await opened({ instead: offline });
    await expect(run(status)).rejects.toThrow('The host platform.test was not found');
  });

  it.each([
    [{}, 'Set MODELBENCH_API_KEY'],
    [{ MODELBENCH_API_KEY: 'k' }, 'Set MODELBENCH_API_KEY'],
    [{ MODELBENCH_API_KEY: 'k', MODELBENCH_TENANT_URL: 'http://acme.example.com' }, 'Only HTTPS is accepted'],
  ])('needs both variables: %j', (variables, says) => {
    const options = { signal: new AbortController().signal, userAgent: 'x' };
    expect(() => openPlatform(variables, undefined, options)).toThrow(says);
  });

  it('asks for a deployment where none is linked', async () => {
    const { run } = await opened({ link: undefined });
    await expect(run(branches)).rejects.toThrow('The folder is not linked to a deployment');
  });
});

describe('logs', () => {
  it('show the newest lines of a container, each in one line', async () => {
    const rows = [1, 2, 3].map((at) => ({ date: `2026-01-01T00:00:0${at}Z`, container: 'MAIN', message: `a\n${at}` }));
    const { run, asked } = await opened({
      instead: ({ url }) => (new URL(url).pathname.endsWith('/logs') ? Response.json(rows) : undefined),
    });
    const answer = await run(logs, { branch: 'dev-ada-1', since: '2026-01-01T00:00:00Z', limit: 2 });
    expect(answer.render('text')).toBe('2026-01-01T00:00:02Z a 2\n2026-01-01T00:00:03Z a 3');
    expect(Object.fromEntries(new URL(asked.at(-1)?.url ?? '').searchParams)).toMatchObject({
      source: 'dev',
      branchName: 'dev-ada-1',
      container: 'MAIN',
      limit: '2',
    });
  });

  it('are empty where nothing was written, and refuse a moment that is none', async () => {
    const { run } = await opened();
    expect((await run(logs)).render('text')).toBe('The log is empty.');
    await expect(run(logs, { since: 'yesterday' })).rejects.toMatchObject({ kind: 'input' });
  });
});
