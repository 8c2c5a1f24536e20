import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { conflictPaths, isDeployBranch, isDevBranch, listBranches, startDevMode } from '#api/resources/branches.ts';
import { filesOf, getFileHashes, listDataModelFiles } from '#api/resources/data-model.ts';
import { createDeployment, listDeployments, listRegions, updateDeployment } from '#api/resources/deployments.ts';
import { createMetadataToken, listEnvironments } from '#api/resources/environments.ts';
import { listFolders } from '#api/resources/folders.ts';
import { operations } from '#api/resources/operations.ts';
import { listReports } from '#api/resources/reports.ts';
import { getBuildStatus, getEnvVars, getLogs } from '#api/resources/runtime.ts';
import { initiateUserOauthToken } from '#api/resources/oauth.ts';
import { bulkUsers } from '#api/resources/users.ts';
import { workbookDashboard } from '#api/resources/dashboard-schema.ts';
import { getWorkbookDashboard } from '#api/resources/dashboards.ts';
import { metaAnswer } from '#api/data/data-operations.ts';
import { answerTo, ClientUnderTest, json, thrown } from '#support/api/client-under-test.ts';
import { samples } from '#support/api/samples.ts';

/** A JSON value with an unknown field in every object of it. */
function extended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => extended(item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, item]) => [name, extended(item)] as const);
  return { ...Object.fromEntries(fields), fromTheFuture: { deep: [1] } };
}

const withAnswer = operations.filter((op) => op.answerKind === 'json');

describe('every answer', () => {
  it.each(withAnswer)('$id: is read in its documented shape', async (op) => {
    const under = new ClientUnderTest(() => json(samples[op.id]?.answer));
    expect(await under.sample(op)).toMatchObject(samples[op.id]?.answer ?? {});
  });

  it.each(withAnswer.filter((op) => op.id !== 'getFileHashes'))('$id: keeps unknown fields', async (op) => {
    const under = new ClientUnderTest(() => json(extended(samples[op.id]?.answer)));
    const text = JSON.stringify(await under.sample(op));
    expect(text).toContain('fromTheFuture');
  });

  it.each(operations.filter((op) => op.answerKind === 'none'))(
    '$id: is nothing, with or without a body',
    async (op) => {
      for (const response of [new Response(null, { status: 204 }), ...(op.host === 'chat' ? [] : [json({ ok: 1 })])]) {
        const under = new ClientUnderTest(() => response.clone());
        expect(await under.sample(op)).toBeUndefined();
      }
    },
  );
});

const branch = { id: 5, name: 'feature' };

describe('variants', () => {
  it.each([[[branch]], [{ data: [branch] }], [{ items: [branch] }], [{ data: { branches: [branch] } }]])(
    'branches as %j',
    async (body) => {
      expect((await answerTo(listBranches, body)).data).toEqual([branch]);
    },
  );

  it.each([[branch], [{ data: branch }]])('a dev branch as %j', async (body) => {
    expect(await answerTo(startDevMode, body)).toEqual(branch);
  });

  it('the deploy branch is the one without a parent, however that is said', async () => {
    const rows = [{ parentBranch: null }, { parentBranch: '' }, {}, { parentBranch: 'b' }, { parentBranch: 'prod' }];
    const { data } = await answerTo(listBranches, { data: rows.map((row) => ({ name: 'b', ...row })) });
    expect(data.map((each) => isDeployBranch(each))).toEqual([true, true, true, true, false]);
    expect([isDevBranch('dev-ada'), isDevBranch('devops')]).toEqual([true, false]);
  });

  const file = { path: 'model/a.yml', content: 'x' };
  it.each([
    [
      {
        path: '/',
        type: 'directory',
        children: [{ path: 'model', type: 'directory', children: [{ ...file, type: 'file' }] }],
      },
    ],
    [{ data: { path: '/', type: 'directory', children: [{ ...file, type: 'file' }] } }],
    [{ path: '/', children: [{ path: 'model', children: [file] }] }],
    [{ files: [file] }],
    [{ data: { files: [file] } }],
    [{ data: [file] }],
    [[file]],
  ])('model files as %j', async (body) => {
    expect(filesOf(await answerTo(listDataModelFiles, body))).toEqual([file]);
  });

  it('an empty model has no files', async () => {
    expect(filesOf(await answerTo(listDataModelFiles, { path: '/', type: 'directory', children: [] }))).toEqual([]);
    expect(filesOf(await answerTo(listDataModelFiles, { path: '/', type: 'directory' }))).toEqual([]);
    expect(await answerTo(getFileHashes, { files: {} })).toEqual({ files: {} });
  });

  it('a file keeps its place in the list whatever it is called', async () => {
    const names = ['model/a.yml', 'toString', 'hasOwnProperty', '__proto__', 'constructor', 'prototype'];
    const body = JSON.stringify(Object.fromEntries(names.map((name, at) => [name, { hash: `h${at}`, more: at }])));
    const under = new ClientUnderTest(() => new Response(`{"files":${body}}`));
    const { files } = await under.client.call(getFileHashes, { params: { deploymentId: 1 } });
    expect(Object.entries(files).map(([name, { hash }]) => [name, hash])).toEqual(
      names.map((name, at) => [name, `h${at}`]),
    );
    expect(JSON.stringify(files)).toBe(body);
    expect(Object.getPrototypeOf(files)).toBe(Object.prototype);
  });

  it('a hash that is missing is named, whatever its file is called', async () => {
    for (const name of ['a.yml', '__proto__', 'constructor']) {
      const under = new ClientUnderTest(() => new Response(`{"files":{"b.yml":{"hash":"h"},"${name}":{}}}`));
      const error = await thrown(under.client.call(getFileHashes, { params: { deploymentId: 1 } }));
      expect(error).toMatchObject({ kind: 'invalidResponse', field: `files.${name}.hash` });
    }
  });

  const deployment = { id: '7', name: 'Sales' };
  it.each([
    [{ data: { deployments: [{ id: 7, name: 'Sales' }] } }],
    [{ data: [deployment] }],
    [{ deployments: [deployment] }],
    [{ data: { items: [deployment] } }],
    [{ data: { list: [deployment] } }],
    [[deployment]],
  ])('deployments as %j', async (body) => {
    expect((await answerTo(listDeployments, body)).data.deployments).toEqual([deployment]);
  });

  it('null, missing and mistyped optional fields read as missing; unknown enum values pass', async () => {
    const environment = { id: 1, name: 'e', type: 'preview', api_credentials: { rest: null, sql: { host: 5 } } };
    const { data } = await answerTo(listEnvironments, { data: { environments: [environment] } });
    expect(data.environments).toEqual([{ id: '1', name: 'e', type: 'preview', api_credentials: {} }]);
    const status = await answerTo(getBuildStatus, { status: 'hibernating', errorText: null });
    expect(status).toEqual({ status: 'hibernating' });
  });

  it.each([[{ data: { token: 't' } }], [{ token: 't' }]])('a metadata token as %j', async (body) => {
    expect((await answerTo(createMetadataToken, body)).data.token).toBe('t');
  });

  it.each([[[{ id: 'eu' }]], [{ data: [{ id: 'eu' }] }]])('regions as %j', async (body) => {
    expect(await answerTo(listRegions, body)).toEqual([{ id: 'eu' }]);
  });

  it.each([[[{ message: 'm' }]], [{ data: [{ message: 'm' }] }], [{ rows: [{ message: 'm' }] }]])(
    'log rows as %j',
    async (body) => {
      expect(await answerTo(getLogs, body)).toEqual([{ message: 'm' }]);
    },
  );

  it('a cursor list in its deprecated form is one page', async () => {
    const folder = { id: '1', name: 'F' };
    const answer = await answerTo(listFolders, { data: [folder], count: 1 });
    expect([answer.items, answer.pageInfo.hasNextPage, answer.count]).toEqual([[folder], false, 1]);
    const both = await answerTo(listReports, { items: [folder], data: [], count: 0, pageInfo: { hasNextPage: false } });
    expect(both.items).toEqual([folder]);
  });

  it('a page whose end is not said is the last one, and a cursor may be a number', async () => {
    const ends = [{}, { hasNextPage: null }, { hasNextPage: true, endCursor: 5 }, { endCursor: 'c' }];
    const answers = await Promise.all(ends.map((pageInfo) => answerTo(listFolders, { items: [], pageInfo })));
    expect(answers.map((answer) => [answer.pageInfo.hasNextPage, answer.pageInfo.endCursor])).toEqual([
      [false, undefined],
      [false, undefined],
      [true, '5'],
      [false, 'c'],
    ]);
    const more = await answerTo(listFolders, { items: [{ id: 1, name: 'a' }], pageInfo: { endCursor: 'c' } });
    expect(more.pageInfo.hasNextPage).toBe(true);
  });

  it.each([
    [{ failures: [{ id: 3, error: 'last admin' }] }],
    [{ failed: [{ userId: '3', reason: 'last admin' }] }],
    [{ data: { errors: [{ id: '3', error: { message: 'last admin' } }] } }],
    [{ data: [{ id: '3', error: 'last admin' }] }],
    [[{ id: 3, success: false, message: 'last admin' }]],
    [{ results: [{ id: '3', status: 'failed', error: 'last admin' }, 'odd', { ok: true }, null] }],
  ])('failures of a bulk operation as %j', async (body) => {
    const { results } = await answerTo(bulkUsers, body);
    expect(results.filter(({ ok }) => !ok)).toMatchObject([{ id: '3', ok: false, error: 'last admin' }]);
  });

  it.each([[{ results: [{ id: 1, ok: true }] }], [{ succeeded: [1] }], [{ data: [{ id: '1' }] }]])(
    'successes of a bulk operation as %j',
    async (body) => {
      expect((await answerTo(bulkUsers, body)).results).toMatchObject([{ id: '1', ok: true }]);
    },
  );

  it('a bulk operation that was answered without any list as done', async () => {
    const under = new ClientUnderTest(() => new Response('OK', { headers: { 'content-type': 'text/plain' } }));
    expect(await under.sample(bulkUsers)).toEqual({ results: [] });
  });

  it.each(['url', 'authorizationUrl', 'authUrl', 'redirectUrl'])('the address of an OAuth flow as %s', async (name) => {
    expect((await answerTo(initiateUserOauthToken, { [name]: 'https://id.example' })).url).toBe('https://id.example');
  });

  it('an empty answer to a change is not an error', async () => {
    const under = new ClientUnderTest(() => new Response(null, { status: 200 }));
    expect(await under.sample(updateDeployment)).toEqual({});
    expect(await under.sample(createDeployment)).toEqual({});
  });

  it('a dashboard keeps its nulls and its unknown parts: it is edited as a document', async () => {
    const dashboardDraft = {
      title: null,
      widgets: [{ id: 'w', type: 'HOLOGRAM', position: { x: 0, y: 0, w: 1, h: 1 }, config: null, z: 1 }],
    };
    const answer = await answerTo(getWorkbookDashboard, { dashboardDraft, dashboardPublished: null, other: 1 });
    expect(answer).toEqual({ dashboardDraft, dashboardPublished: null, other: 1 });
  });
});

describe('small readers', () => {
  it('conflictPaths reads what a 409 lists, and nothing from anything else', () => {
    expect(conflictPaths({ error: 'x', conflicts: ['a', 1, 'b'] })).toEqual(['a', 'b']);
    for (const body of [undefined, null, 'x', {}, { conflicts: 'a' }]) expect(conflictPaths(body)).toEqual([]);
  });
});

describe('one odd row', () => {
  const rows = [{ name: 'main' }, { name: 7 }, null, { name: 'dev-a' }];

  it('does not hide the other branches, in any envelope', async () => {
    for (const answer of [rows, { data: rows }, { data: { branches: rows } }, { items: rows }]) {
      const under = new ClientUnderTest(() => json(answer));
      const { data } = await under.client.call(listBranches, { params: { deploymentId: '1' } });
      expect(data.map(({ name }) => name)).toEqual(['main', 'dev-a']);
    }
  });

  it('does not hide the other members of its cube', () => {
    const measures = [{ name: 'orders.count' }, { title: 'no name' }, { name: 'orders.total' }];
    const { cubes } = v.parse(metaAnswer, { cubes: [{ name: 'orders', measures }, { measures }] });
    expect(cubes.map(({ name, measures: read }) => [name, read.map((each) => each.name)])).toEqual([
      ['orders', ['orders.count', 'orders.total']],
    ]);
  });

  it('hides no environment variable, because what is not written back is deleted', () => {
    const env_variables = [{ name: 'A', value: '1' }, { name: 7 }];
    expect(v.safeParse(getEnvVars.answer, { env_variables }).success).toBe(false);
  });

  it('does not make a dashboard unreadable or smaller', () => {
    const widgets = [{ id: 'a', type: 'TEXT', responsiveLayouts: { xl: 7 } }, 'odd'];
    expect(v.parse(workbookDashboard, { dashboardDraft: { widgets } })).toEqual({ dashboardDraft: { widgets } });
  });
});
