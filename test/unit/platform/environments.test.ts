import * as branches from '#api/resources/branches.ts';
import { writeDataModelFiles, validateDataModel } from '#api/resources/data-model.ts';
import { createDataToken, createMetadataToken, listEnvironments } from '#api/resources/environments.ts';
import { getBuildStatus, getEnvVars, getLogs, listPods, setEnvVars } from '#api/resources/runtime.ts';
import type { Platform } from '#platform/app.ts';
import { verifyJwt } from '#platform/auth/jwt.ts';
import { errorOf, openPlatform, refusalOf, send } from '#support/platform.ts';
import { describe, expect, it } from 'vitest';

const params = { deploymentId: 1 };
const dev = 'dev-ada-1';

const start = (platform: Platform) => send(platform, branches.startDevMode, { params, body: { branchName: 'main' } });
const write = (platform: Platform, content: string) =>
  send(platform, writeDataModelFiles, { params, body: { branchName: dev, files: [{ path: 'model/x.yml', content }] } });
const status = async (platform: Platform, branchName: string) =>
  (await send(platform, getBuildStatus, { params, query: { branchName } })).value;
const staging = (platform: Platform, enabled: boolean, target: { branchName?: string; branchId?: number }) =>
  send(platform, branches.setBranchStagingEnvironment, { params, body: { enabled, ...target } });

describe('environments', () => {
  it('include production, staging and the active dev branches, each with an address of its own', async () => {
    const platform = await openPlatform();
    await start(platform);
    const { value } = await send(platform, listEnvironments, { params });
    expect(value.data?.environments.map(({ name, type }) => [name, type])).toEqual([
      ['Production', 'production'],
      ['returns-model', 'staging'],
      [dev, 'development'],
    ]);
    const urls = value.data?.environments.map((environment) => environment.api_credentials?.rest?.url);
    expect(new Set(urls).size).toBe(3);
    for (const url of urls) expect(url).toMatch(/^http:\/\/platform\.test\/data\/\d+\/cubejs-api\/v1$/);
  });

  it('allow a filter by type, and pages', async () => {
    const platform = await openPlatform();
    const production = await send(platform, listEnvironments, { params, query: { type: 'production' } });
    expect(production.value.data?.environments).toHaveLength(1);
    const second = await send(platform, listEnvironments, { params, query: { offset: 1, limit: 1 } });
    expect(second.value.data?.environments.map(({ type }) => type)).toEqual(['staging']);
    expect(second.value.pagination).toMatchObject({ offset: 1, limit: 1, total: 2 });
    const wrong = await send(platform, listEnvironments, { params, query: { type: 'test' } });
    expect(refusalOf(wrong)).toBe('400 type: must be one of production, staging, development');
  });
});

describe('the staging environment', () => {
  it('goes on and off for a shared branch, and stands in the list while it is on', async () => {
    const platform = await openPlatform();
    const { sharedBranch } = platform.control.demo;
    const { value } = await staging(platform, true, { branchName: sharedBranch });
    expect(value.data).toMatchObject({ name: sharedBranch, isStagingEnvironmentEnabled: true });
    const list = async (): Promise<string[]> =>
      (await send(platform, listEnvironments, { params, query: { type: 'staging' } })).value.data?.environments.map(
        ({ name }) => name,
      );
    expect(await list()).toEqual([sharedBranch, 'returns-model']);
    await staging(platform, false, { branchId: Number(value.data?.id) });
    expect(await list()).toEqual(['returns-model']);
  });

  it('has the address of its data API, and none of a SQL API that does not exist', async () => {
    const platform = await openPlatform();
    const { value } = await send(platform, listEnvironments, { params });
    expect(value.data?.environments.map(({ api_credentials: api }) => api)).toEqual(
      value.data?.environments.map(({ id }) => ({
        rest: { url: `http://platform.test/data/${id}/cubejs-api/v1` },
        // RFC 2606: such a name never resolves.
        sql: { host: expect.stringMatching(/\.invalid$/) as string, port: 5432 },
      })),
    );
  });

  it('keeps its address when it comes back', async () => {
    const platform = await openPlatform();
    const url = async (): Promise<unknown> =>
      (await send(platform, listEnvironments, { params, query: { type: 'staging' } })).value.data?.environments[0]
        ?.api_credentials;
    const before = await url();
    await staging(platform, false, { branchName: 'returns-model' });
    await staging(platform, true, { branchName: 'returns-model' });
    expect(await url()).toEqual(before);
  });

  it('needs another branch than a dev branch or the production branch: 400 explains it', async () => {
    const platform = await openPlatform();
    await start(platform);
    const ofDev = await staging(platform, true, { branchName: dev });
    expect(ofDev.status).toBe(400);
    expect(errorOf(ofDev)).toContain('personal development branch');
    const ofMain = await staging(platform, true, { branchName: 'main' });
    expect(ofMain.status).toBe(400);
    expect(errorOf(ofMain)).toContain('production branch');
    expect((await staging(platform, true, { branchName: 'none' })).status).toBe(404);
    expect((await staging(platform, true, {})).status).toBe(400);
  });
});

describe('builds', () => {
  it('follow every write: building, then built or failed with the error', async () => {
    const platform = await openPlatform();
    await start(platform);
    await write(platform, 'BROKEN');
    expect(await platform.control.buildSettled(1, dev)).toEqual({
      status: 'failed',
      branchName: dev,
      errorText: 'model/x.yml: is broken',
    });
    await write(platform, 'fine');
    expect(await platform.control.buildSettled(1, dev)).toEqual({ status: 'built', branchName: dev });
  });

  it('answer building while the engine works, and the newest content always gets one', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let compiled: string | undefined;
    const platform = await openPlatform({
      engine: {
        compile: async (files) => {
          await promise;
          compiled = files.find(({ fileName }) => fileName === 'model/x.yml')?.content;
          return { ok: true, cubes: 1, views: 0, meta: [], compilerId: 'c' };
        },
        sql: () => Promise.resolve({ ok: false, type: 'Error', error: '' }),
        close: () => Promise.resolve(),
      },
    });
    await start(platform);
    await write(platform, 'one');
    await write(platform, 'two');
    expect(await status(platform, dev)).toMatchObject({ status: 'building' });
    resolve();
    expect(await platform.control.buildSettled(1, dev)).toEqual({ status: 'built', branchName: dev });
    expect(compiled).toBe('two');
  });

  it('say for an inactive and an unknown branch why polling may stop', async () => {
    const platform = await openPlatform();
    expect(await status(platform, 'pricing-experiments')).toMatchObject({
      status: 'building',
      errorText: 'Branch is not active',
    });
    expect(await status(platform, 'dev-grace-1')).toMatchObject({
      status: 'building',
      errorText: 'Branch is not active',
    });
    expect(await status(platform, 'none')).toMatchObject({ status: 'building', errorText: 'Bad branch' });
  });

  it('rebuild production when a branch is merged to it', async () => {
    const platform = await openPlatform();
    expect(await platform.control.buildSettled(1, 'main')).toMatchObject({ status: 'built' });
    await platform.control.colleagueCommit(1, 'pricing-experiments', { 'model/x.yml': 'BROKEN' });
    await send(platform, branches.mergeToDefault, { params, body: { branchName: 'pricing-experiments' } });
    expect(await platform.control.buildSettled(1, 'main')).toMatchObject({ status: 'failed' });
  });

  it('show in the logs and in the pods', async () => {
    const platform = await openPlatform();
    await platform.control.buildSettled(1, 'main');
    const pods = async () => (await send(platform, listPods, { params })).value;
    const before = await pods();
    expect(before.find(({ type }) => type === 'api')).toMatchObject({ status: 'Running', container: 'MAIN' });
    await platform.control.colleagueCommit(1, 'main', { 'model/x.yml': 'BROKEN' });
    await platform.control.buildSettled(1, 'main');
    const { value } = await send(platform, getLogs, {
      params,
      query: { source: 'production', container: 'MAIN', limit: 1 },
    });
    expect(value[0]?.message).toBe('Build of main failed: model/x.yml: is broken');
    expect((await pods()).find(({ type }) => type === 'api')).toMatchObject({ status: 'CrashLoopBackOff' });
    const none = await send(platform, getLogs, { params, query: { source: 'dev', container: 'MAIN' } });
    expect(none.value.every(({ pod }) => pod?.startsWith('dev-'))).toBe(true);
  });

  it('validate compiles a branch without building it', async () => {
    const platform = await openPlatform();
    await platform.control.colleagueCommit(1, 'pricing-experiments', { 'model/x.yml': 'BROKEN' });
    const query = { branchName: 'pricing-experiments' };
    const { value } = await send(platform, validateDataModel, { params, query });
    expect(value).toMatchObject({ branchName: 'pricing-experiments', valid: false, cubesCount: 0 });
    expect(value.errors).toEqual([{ fileName: 'model/x.yml', message: 'model/x.yml: is broken' }]);
    expect((await send(platform, validateDataModel, { params, query: { devMode: true } })).status).toBe(400);
    await start(platform);
    const mine = await send(platform, validateDataModel, { params, query: { devMode: true } });
    expect(mine.value).toMatchObject({ branchName: dev, valid: true });
  });
});

describe('environment variables', () => {
  it('come back with their secrets masked, and a masked value is never written back', async () => {
    const platform = await openPlatform();
    const read = async () => (await send(platform, getEnvVars, { params })).value.env_variables;
    const before = await read();
    expect(before.find(({ name }) => name === 'CUBEJS_API_SECRET')).toEqual({
      name: 'CUBEJS_API_SECRET',
      value: '********',
      isSecret: true,
    });
    const kept = before
      .filter(({ name }) => name === 'CUBEJS_API_SECRET')
      .map(({ name, value }) => ({ name, value: value ?? '' }));
    const answer = await send(platform, setEnvVars, {
      params,
      body: { env_variables: [...kept, { name: 'NEW', value: '1' }] },
    });
    expect(answer.status).toBe(204);
    expect((await read()).map(({ name }) => name)).toEqual(['CUBEJS_API_SECRET', 'NEW']);
    const { value } = await send(platform, createMetadataToken, {
      params: { ...params, environmentId: 1 },
      body: { security_context: {} },
    });
    expect(verifyJwt(value.data?.token, platform.control.demo.apiSecret, Date.now())).toBeDefined();
  });
});

describe('a data token', () => {
  it('carries the security context for at most an hour', async () => {
    const now = Date.UTC(2026, 5, 1);
    const platform = await openPlatform({ clock: { now: () => now, sleep: () => Promise.resolve() } });
    const environmentId = (await send(platform, listEnvironments, { params })).value.data?.environments[0]?.id ?? '';
    const made = { params: { ...params, environmentId }, body: { security_context: { country: 'DE' } } };
    const { token } = (await send(platform, createDataToken, made)).value.data;
    expect(verifyJwt(token, platform.control.demo.apiSecret, now)).toEqual({
      country: 'DE',
      environmentId,
      iat: now / 1000,
      exp: now / 1000 + 3_600,
    });
    const long = { ...made, body: { ...made.body, expires_in: 7200 } };
    expect((await send(platform, createDataToken, long)).status).toBe(400);
  });
});

describe('a metadata token', () => {
  it('carries the security context, its environment and the scope meta, for a day unless said otherwise', async () => {
    const now = Date.UTC(2026, 5, 1);
    const platform = await openPlatform({ clock: { now: () => now, sleep: () => Promise.resolve() } });
    const environmentId = (await send(platform, listEnvironments, { params })).value.data?.environments[0]?.id ?? '';
    const token = async (body: { security_context: Record<string, unknown>; expires_in?: number }) =>
      (await send(platform, createMetadataToken, { params: { ...params, environmentId }, body })).value.data;
    const day = await token({ security_context: { country: 'DE', scope: ['data'] } });
    expect(Date.parse(day.expires_at ?? '') - Date.parse(day.created_at ?? '')).toBe(86_400_000);
    expect(verifyJwt(day.token, platform.control.demo.apiSecret, now)).toEqual({
      country: 'DE',
      scope: ['meta'],
      environmentId,
      iat: now / 1000,
      exp: now / 1000 + 86_400,
    });
    const short = await token({ security_context: {}, expires_in: 60 });
    expect(verifyJwt(short.token, platform.control.demo.apiSecret, now + 60_000)).toBeUndefined();
  });

  it('needs an environment of the deployment, and a security context', async () => {
    const platform = await openPlatform();
    const make = (deploymentId: number, body: object) =>
      send(platform, createMetadataToken, {
        params: { deploymentId, environmentId: 1 },
        body: body as { security_context: Record<string, unknown> },
      });
    await send(platform, listEnvironments, { params });
    expect((await make(1, { security_context: {} })).status).toBe(200);
    expect((await make(2, { security_context: {} })).status).toBe(404);
    expect(refusalOf(await make(1, {}))).toBe('400 security_context: is missing');
  });
});
