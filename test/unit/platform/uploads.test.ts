import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startDevMode } from '#api/resources/branches.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import * as api from '#api/resources/upload.ts';
import type { Platform } from '#platform/app.ts';
import { errorOf, openPlatform, send } from '#support/platform.ts';
import { describe, expect, it } from 'vitest';

const dev = 'dev-ada-1';
const sha1 = (bytes: Uint8Array | string): string => createHash('sha1').update(bytes).digest('hex');

interface Target {
  readonly platform: Platform;
  readonly deploymentId: number;
  readonly branchName: string;
}

async function devTarget(): Promise<Target> {
  const platform = await openPlatform();
  await send(platform, startDevMode, { params: { deploymentId: 1 }, body: { branchName: 'main' } });
  return { platform, deploymentId: 1, branchName: dev };
}

async function cliTarget(): Promise<Target> {
  const platform = await openPlatform();
  return { platform, deploymentId: platform.control.demo.cli, branchName: 'master' };
}

const begin = async ({ platform, deploymentId, branchName }: Target): Promise<unknown> => {
  const { status, value } = await send(platform, api.startUpload, { params: { deploymentId }, body: { branchName } });
  expect(status).toBe(200);
  return value.transaction;
};

const put = (
  { platform, deploymentId }: Target,
  transaction: unknown,
  fileName: string,
  file: Uint8Array<ArrayBuffer>,
) => send(platform, api.uploadFile, { params: { deploymentId }, body: { transaction, fileName, file } });

type Manifest = Record<string, { hash: string }>;
const finish = (
  { platform, deploymentId }: Target,
  transaction: unknown,
  files: Manifest,
  more: { autoRemoveFiles?: boolean; commitMessage?: string } = {},
) =>
  send(platform, api.finishUpload, {
    params: { deploymentId },
    body: { transaction, files, autoRemoveFiles: false, ...more },
  });

const manifestOf = async ({ platform, deploymentId, branchName }: Target): Promise<Manifest> => {
  const hashes = await platform.control.hashes(deploymentId, branchName);
  return Object.fromEntries(Object.entries(hashes).map(([path, hash]) => [path, { hash }]));
};

/** Every byte there is, and not valid UTF-8. */
const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);

describe('an upload', () => {
  it('lands in the working copy of a dev branch at once, byte for byte', async () => {
    const target = await devTarget();
    const transaction = await begin(target);
    const before = await manifestOf(target);
    expect((await put(target, transaction, '/model/raw.bin', bytes)).status).toBe(204);
    expect(await manifestOf(target)).toEqual(before);
    const files = { ...before, 'model/raw.bin': { hash: sha1(bytes) } };
    expect((await finish(target, transaction, files)).status).toBe(200);
    expect(await manifestOf(target)).toEqual(files);
  });

  it('prunes what the manifest does not list only with autoRemoveFiles', async () => {
    const target = await devTarget();
    const { 'README.md': readme, ...files } = await manifestOf(target);
    await finish(target, await begin(target), files);
    expect((await manifestOf(target))['README.md']).toEqual(readme);
    await finish(target, await begin(target), files, { autoRemoveFiles: true });
    expect(await manifestOf(target)).toEqual(files);
  });

  it('fails as a whole when the manifest names bytes that never came', async () => {
    const target = await devTarget();
    const transaction = await begin(target);
    const before = await manifestOf(target);
    await put(target, transaction, 'model/a.yml', bytes);
    const files = { ...before, 'model/a.yml': { hash: sha1(bytes) }, 'model/b.yml': { hash: sha1('missing') } };
    expect(await finish(target, transaction, files)).toMatchObject({
      status: 409,
      body: { conflicts: ['model/b.yml'] },
    });
    expect(await manifestOf(target)).toEqual(before);
    // The transaction is still there: what is missing can follow.
    await put(target, transaction, 'model/b.yml', Buffer.from('missing'));
    expect((await finish(target, transaction, files)).status).toBe(200);
  });

  it('fails when a file that it counts on has changed meanwhile', async () => {
    const target = await devTarget();
    const transaction = await begin(target);
    const files = await manifestOf(target);
    const body = { branchName: dev, files: [{ path: 'README.md', content: 'changed' }] };
    await send(target.platform, writeDataModelFiles, { params: { deploymentId: 1 }, body });
    expect(await finish(target, transaction, files)).toMatchObject({ status: 409, body: { conflicts: ['README.md'] } });
  });

  it('becomes a commit on the parent with a commit message', async () => {
    const target = await devTarget();
    const transaction = await begin(target);
    await put(target, transaction, 'model/raw.bin', bytes);
    const files = { ...(await manifestOf(target)), 'model/raw.bin': { hash: sha1(bytes) } };
    await finish(target, transaction, files, { commitMessage: 'Upload' });
    expect(await target.platform.control.git(1, 'log', '-1', '--format=%s', 'main')).toBe('Upload\n');
  });

  it('makes one commit on the deploy branch of a cli deployment', async () => {
    const target = await cliTarget();
    const transaction = await begin(target);
    await put(target, transaction, 'model/cubes/new.yml', bytes);
    const files = { 'model/cubes/new.yml': { hash: sha1(bytes) } };
    const { value } = await finish(target, transaction, files, { autoRemoveFiles: true });
    expect(value.branchName).toBe('master');
    expect(await manifestOf(target)).toEqual(files);
    const count = await target.platform.control.git(target.deploymentId, 'rev-list', '--count', 'master');
    expect(count).toBe('2\n');
    // The same again changes nothing.
    await finish(target, await begin(target), files, { autoRemoveFiles: true });
    expect(await target.platform.control.git(target.deploymentId, 'rev-list', '--count', 'master')).toBe('2\n');
  });

  it('needs a dev branch, as writes do', async () => {
    const platform = await openPlatform();
    for (const branchName of ['main', 'pricing-experiments']) {
      const refused = await send(platform, api.startUpload, { params: { deploymentId: 1 }, body: { branchName } });
      expect(refused.status).toBe(403);
      expect(errorOf(refused)).toContain('is not a dev-mode branch');
    }
  });

  it('takes only the transaction that it gave, whole, and only once', async () => {
    const target = await devTarget();
    const transaction = await begin(target);
    const { id } = transaction as { readonly id: string };
    expect((await put(target, { id }, 'a', bytes)).status).toBe(400);
    const files = await manifestOf(target);
    expect((await finish(target, transaction, files)).status).toBe(200);
    expect((await finish(target, transaction, files)).status).toBe(404);
    const { colleague } = target.platform.control.demo.keys;
    const other = await begin(target);
    const answer = await send(target.platform, api.uploadFile, {
      params: { deploymentId: 1 },
      body: { transaction: other, fileName: 'a', file: bytes },
      key: colleague,
    });
    expect(answer.status).toBe(404);
  });

  it('expires, and its files go', async () => {
    let now = Date.UTC(2026, 5, 1);
    const platform = await openPlatform({ clock: { now: () => now, sleep: () => Promise.resolve() } });
    await send(platform, startDevMode, { params: { deploymentId: 1 }, body: { branchName: 'main' } });
    const target = { platform, deploymentId: 1, branchName: dev };
    const transaction = await begin(target);
    await put(target, transaction, 'model/a.yml', bytes);
    const staging = join(platform.dataDir, 'git', '1', 'staging');
    const waiting = readdirSync(staging).length;
    now += 61 * 60 * 1000;
    expect((await finish(target, transaction, {})).status).toBe(404);
    expect(readdirSync(staging)).toHaveLength(waiting - 1);
  });
});

describe('an upload with a commit message', () => {
  it('changes nothing when the parent has moved', async () => {
    const target = await devTarget();
    const transaction = await begin(target);
    await put(target, transaction, 'model/raw.bin', bytes);
    const before = await manifestOf(target);
    await target.platform.control.colleagueCommit(1, 'main', { 'model/theirs.yml': 'x' });
    const files = { ...before, 'model/raw.bin': { hash: sha1(bytes) } };
    const refused = await finish(target, transaction, files, { commitMessage: 'Upload' });
    expect(refused.status).toBe(409);
    expect(errorOf(refused)).toContain('pull, then commit');
    expect(await manifestOf(target)).toEqual(before);
  });

  it('commits nothing when it changes nothing', async () => {
    const target = await devTarget();
    const answer = await finish(target, await begin(target), await manifestOf(target), { commitMessage: 'Upload' });
    expect(answer.status).toBe(200);
    expect(await target.platform.control.git(1, 'log', '-1', '--format=%s', 'main')).not.toBe('Upload\n');
  });
});
