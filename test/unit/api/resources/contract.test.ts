import { createHash } from 'node:crypto';
import { beforeAll, afterAll, describe, expect, inject, it } from 'vitest';
import { originOf } from '#base/origin.ts';
import { abortChatByAgent, streamChatByDeployment } from '#api/resources/chat.ts';
import * as branchApi from '#api/resources/branches.ts';
import { readCapabilities } from '#api/description/capabilities.ts';
import type { Client } from '#api/client/client.ts';
import type { Credential } from '#api/client/credential.ts';
import type { SqlBatch } from '#api/data/sql-batches.ts';
import {
  filesOf,
  getFileHashes,
  listDataModelFiles,
  renameDataModelFiles,
  writeDataModelFiles,
} from '#api/resources/data-model.ts';
import { type DeviceCode, deviceSignIn, refreshTokens } from '#api/resources/device-sign-in.ts';
import { listDeployments, updateDeployment } from '#api/resources/deployments.ts';
import { createMetadataToken } from '#api/resources/environments.ts';
import { isPlatformError } from '#api/errors.ts';
import { deploymentPages, environmentPages, reportPages, workbookPages } from '#api/resources/lists.ts';
import { operations } from '#api/resources/operations.ts';
import { collect } from '#api/resources/pagination.ts';
import { finishUpload, startUpload, uploadFile } from '#api/resources/upload.ts';
import { silentLogger } from '#base/log.ts';
import { createPlatform, type Platform } from '#platform/app.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { readModes } from '#platform/modes/modes.ts';
import { demo } from '#platform/seed/names.ts';
import { thrown } from '#support/api/client-under-test.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { openPlatform } from '#support/platform.ts';
import { realEngine } from '#support/real-engine.ts';
import { quickEngine } from '#support/quick-engine.ts';
import { patientClient, patientDataClient } from '../../../support/api/patient-client.ts';

/**
 * The client against the local platform in memory: both are made of the same operations, and still must meet. That each
 * operation is done is `every-operation.test.ts`; that each is refused in plain words, `platform-failures.test.ts`.
 */

const host = 'https://platform.example';
const params = { deploymentId: demo.shop };

function clientOf(
  platform: Platform,
  credential: Credential = { kind: 'bearer', token: platform.apiKey, origin: originOf(host) },
): Client {
  return patientClient({
    baseUrl: host,
    chatUrl: host,
    credential: () => credential,
    logger: silentLogger,
    fetch: (input, init) => platform.fetch(new Request(input, init)),
    limits: { attempts: 1 },
  });
}

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

async function inDevMode(mode: string): Promise<{ platform: Platform; client: Client; branchName: string }> {
  const platform = await openPlatform({ modes: readModes(mode) });
  const client = clientOf(platform);
  const { name } = await client.call(branchApi.startDevMode, { params, body: { branchName: 'main' } });
  return { platform, client, branchName: name };
}

/** For whatever changes nothing; every test that does has a platform of its own. */
let shared: Platform;
beforeAll(async () => {
  shared = await createPlatform({ engine: quickEngine() });
});
afterAll(() => shared.close());

describe('every operation', () => {
  let described: Awaited<ReturnType<typeof readCapabilities>>;
  beforeAll(async () => {
    described = await readCapabilities(clientOf(shared));
  });

  it.each(operations)('$id: is described by the server, whatever its parameters are called', (op) => {
    expect(described.has({ method: op.method, path: op.path })).toBe(true);
  });
});

describe.each(['generous', 'strict'])('a change of the model on a %s platform', (mode) => {
  it('works from writing to commit', async () => {
    const { platform, client, branchName } = await inDevMode(mode);
    const content = 'cubes: []\n# ä €\n';
    const files = [{ path: 'model/new.yml', content }];
    await client.call(writeDataModelFiles, { params, body: { branchName, files } });
    const rename = { branchName, files: [{ path: '/model/new.yml', newPath: 'model/newer.yml' }] };
    await client.call(renameDataModelFiles, { params, body: rename });
    const hashes = await client.call(getFileHashes, { params, query: { branchName } });
    expect(hashes.files['model/newer.yml']?.hash).toBe(sha1(content));
    const tree = await client.call(listDataModelFiles, { params, query: { branchName, withContent: true } });
    expect(filesOf(tree).find(({ path }) => path.endsWith('newer.yml'))?.content).toBe(content);
    await client.call(branchApi.commit, { params, body: { branchName, message: 'New model' } });
    const { data } = await client.call(branchApi.listBranches, { params });
    const deployBranch = data.find((branch) => branchApi.isDeployBranch(branch));
    const head = await platform.control.git(demo.shop, 'rev-parse', 'main');
    expect([deployBranch?.name, deployBranch?.lastHash]).toEqual(['main', head.trim()]);
  });

  it('that a colleague made too is a Git conflict with its paths', async () => {
    const { platform, client, branchName } = await inDevMode(mode);
    const path = 'model/shared.yml';
    await client.call(writeDataModelFiles, { params, body: { branchName, files: [{ path, content: 'mine\n' }] } });
    await platform.control.colleagueCommit(demo.shop, 'main', { [path]: 'theirs\n' });
    const early = await thrown(client.call(branchApi.commit, { params, body: { branchName, message: 'm' } }));
    expect(early).toMatchObject({ kind: 'conflict', reason: 'parentMoved' });
    const error = await thrown(client.call(branchApi.pull, { params, body: { branchName } }));
    expect(error).toMatchObject({ kind: 'conflict', reason: 'gitConflict' });
    expect(isPlatformError(error) && branchApi.conflictPaths(error.body)).toEqual([path]);
  });

  it('goes up in one transaction, transaction echoed whole', async () => {
    const { client, branchName } = await inDevMode(mode);
    const { transaction } = await client.call(startUpload, { params, body: { branchName } });
    const content = 'cubes: []\n';
    const file = new TextEncoder().encode(content);
    await client.call(uploadFile, { params, body: { transaction, fileName: 'model/up.yml', file } });
    const files = { 'model/up.yml': { hash: sha1(content) } };
    await client.call(finishUpload, { params, body: { transaction, files, autoRemoveFiles: false, branchName } });
    const hashes = await client.call(getFileHashes, { params, query: { branchName } });
    expect(hashes.files['model/up.yml']?.hash).toBe(sha1(content));
  });

  it('outside dev mode is refused with the reason', async () => {
    const client = clientOf(shared);
    const write = (branchName: string): Promise<unknown> =>
      client.call(writeDataModelFiles, { params, body: { branchName, files: [{ path: 'a.yml', content: '' }] } });
    expect(await thrown(write('main'))).toMatchObject({ kind: 'forbidden', reason: 'readOnlyBranch' });
    expect(await thrown(write(demo.staleDevBranch))).toMatchObject({ kind: 'forbidden', reason: 'othersBranch' });
  });
});

describe.each(['generous', 'strict'])('a staging environment on a %s platform', (mode) => {
  it('of a shared branch is listed as one; of another branch it is refused with the reason', async () => {
    const { client, branchName } = await inDevMode(mode);
    const set = (name: string): Promise<unknown> =>
      client.call(branchApi.setBranchStagingEnvironment, { params, body: { enabled: true, branchName: name } });
    await set(demo.sharedBranch);
    const { items } = await collect(environmentPages(client, demo.shop, 'staging'), { pageSize: 1 });
    expect(items.map(({ name }) => name)).toContain(demo.sharedBranch);
    for (const name of ['main', branchName]) {
      expect(await thrown(set(name))).toMatchObject({ kind: 'forbidden', status: 400, reason: 'stagingNotAllowed' });
    }
  });
});

describe('lists', () => {
  it('hold the same whatever the page size', async () => {
    const client = clientOf(shared);
    const lists = [deploymentPages(client), reportPages(client, demo.shop), workbookPages(client, demo.shop)] as const;
    for (const load of lists) {
      const whole = await collect<{ readonly id: string }>(load, { pageSize: 100 });
      expect(whole.items.length).toBeGreaterThan(1);
      expect((await collect<{ readonly id: string }>(load, { pageSize: 1 })).items).toEqual(whole.items);
    }
  });
});

describe('keys', () => {
  it.each([
    [demo.keys.expired, { kind: 'auth', status: 401 }],
    ['wrong', { kind: 'auth', status: 401 }],
    [demo.keys.scoped, { kind: 'forbidden', status: 403, reason: 'outOfScope' }],
    [demo.keys.foreign, { kind: 'forbidden', status: 403, reason: 'outOfScope' }],
  ])('%s is refused in those words', async (token, expected) => {
    const client = clientOf(shared, { kind: 'bearer', token, origin: originOf(host) });
    const deployment = { deploymentId: demo.connected };
    expect(await thrown(client.call(branchApi.listBranches, { params: deployment }))).toMatchObject(expected);
  });

  it('a scoped key lists its own deployments', async () => {
    const client = clientOf(shared, { kind: 'bearer', token: demo.keys.scoped, origin: originOf(host) });
    const { data } = await client.call(listDeployments, {});
    expect(data.deployments.map(({ id }) => id)).toEqual([String(demo.shop), String(demo.cli)]);
  });

  it('a version that is not listed is a 400 that names the field in its message', async () => {
    const client = clientOf(shared);
    const error = await thrown(client.call(updateDeployment, { params, body: { releaseChannelVersion: 'v0.0.1' } }));
    expect(error).toMatchObject({ kind: 'invalidRequest', status: 400 });
    expect(String(error)).toContain('releaseChannelVersion');
  });
});

describe('the chat', () => {
  const session = { externalId: 'ada' };

  it('refuses an API key on the deployment form, in its own words', async () => {
    const client = clientOf(shared);
    const request = {
      params: { accountName: demo.account, deploymentId: demo.shop },
      body: { input: 'hi', sessionSettings: session },
    };
    expect(await thrown(client.open(streamChatByDeployment, request))).toMatchObject({
      kind: 'forbidden',
      status: 403,
      reason: 'agentRequired',
    });
  });

  it('distinguishes a thread that does not exist from a wrong key', async () => {
    const request = {
      params: { accountName: demo.account, agentId: demo.agentId },
      body: { chatId: 'nowhere', sessionSettings: session },
    };
    const abort = (client: Client): Promise<unknown> => thrown(client.call(abortChatByAgent, request));
    expect(await abort(clientOf(shared))).toMatchObject({ kind: 'notFound', status: 404 });
    expect(await abort(clientOf(shared, { kind: 'bearer', token: 'wrong', origin: originOf(host) }))).toMatchObject({
      kind: 'auth',
    });
  });
});

describe('signing in with a browser', () => {
  it('gives tokens that open the platform and can be renewed', async () => {
    const platform = await openPlatform();
    const clock = new ManualClock();
    const anonymous = clientOf(platform, { kind: 'none' });
    const allow = async ({ userCode }: DeviceCode): Promise<void> => {
      const body = new URLSearchParams({
        user_code: userCode,
        email: demo.owner,
        password: demo.password,
        decision: 'allow',
      });
      await platform.fetch(new Request(`${host}/auth/device`, { method: 'POST', body }));
    };
    const options = { clientId: 'modelbench', clock, onCode: (code: DeviceCode) => void allow(code) };
    const tokens = await clock.run(deviceSignIn(anonymous, options));
    const renewed = await refreshTokens(anonymous, tokens.refreshToken ?? '');
    const client = clientOf(platform, { kind: 'bearer', token: renewed.accessToken, origin: originOf(host) });
    expect((await client.call(listDeployments, {})).data.deployments.length).toBeGreaterThan(0);
  });
});

describe('the data API', () => {
  it('opens its metadata to a metadata token, and its data to a data token', async () => {
    const platform = await createPlatform({ engine: realEngine(), warehouseDir: inject('shared') });
    try {
      const client = clientOf(platform);
      const [environment] = (await collect(environmentPages(client, demo.shop, 'production'))).items;
      const data = (token: string): ReturnType<typeof patientDataClient> =>
        patientDataClient({
          restUrl: environment?.api_credentials?.rest?.url ?? '',
          credential: () => ({ kind: 'plain', token, origin: originOf(environment?.api_credentials?.rest?.url ?? '') }),
          logger: silentLogger,
          fetch: (input, init) => platform.fetch(new Request(input, init)),
        });
      const answer = await client.call(createMetadataToken, {
        params: { ...params, environmentId: environment?.id ?? '' },
        body: { security_context: {} },
      });
      const metaOnly = data(answer.data.token);
      const cube = (await metaOnly.meta()).find(({ measures }) => measures.some(({ name }) => name.endsWith('.count')));
      const query = { measures: [`${cube?.name}.count`] };
      expect(await thrown(metaOnly.load(query))).toMatchObject({ kind: 'forbidden' });

      const full = data(signJwt({}, demo.apiSecret));
      const [row] = (await full.load(query)).data;
      expect(Number(row?.[`${cube?.name}.count`])).toBeGreaterThan(0);
      expect((await full.sql(query)).sql).toMatch(/select/i);
      const batches: SqlBatch[] = [];
      for await (const batch of full.cubeSql(`SELECT MEASURE(count) AS n FROM ${cube?.name}`)) batches.push(batch);
      expect(batches.map(({ kind }) => kind)).toEqual(['schema', 'rows']);
      expect(batches[0]).toMatchObject({ columns: [{ name: 'n' }] });
    } finally {
      await platform.close();
    }
  });
});
