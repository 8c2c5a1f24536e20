import { createHash } from 'node:crypto';
import { listBranches, startDevMode } from '#api/resources/branches.ts';
import { getFileHashes, writeDataModelFiles } from '#api/resources/data-model.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import { finishUpload, startUpload, uploadFile } from '#api/resources/upload.ts';
import type { Platform } from '#platform/app.ts';
import type { FaultInput } from '#platform/faults.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { openPlatform, send, toRequest } from '#support/platform.ts';
import { describe, expect, it } from 'vitest';

const params = { deploymentId: 1 };
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

async function openWith(...faults: FaultInput[]): Promise<Platform> {
  const platform = await openPlatform({ faults: true });
  platform.control.faults(faults);
  return platform;
}

const post = (platform: Platform, path: string, body?: unknown, method = 'POST') =>
  platform.fetch(
    new Request(`http://platform.test${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );

describe('faults on demand', () => {
  it('need a platform that was started for them', async () => {
    const platform = await openPlatform();
    expect((await post(platform, '/_faults', { faults: [] })).status).toBe(404);
    expect((await post(platform, '/_log', undefined, 'GET')).status).toBe(404);
  });

  it('begin and end over HTTP, and a wrong one names what is wrong', async () => {
    const platform = await openWith();
    const set = await post(platform, '/_faults', { faults: [{ kind: 'status', status: 500, path: '/deployments$' }] });
    expect(await set.json()).toMatchObject({ faults: [{ kind: 'status', status: 500, met: 0 }] });
    expect((await send(platform, listDeployments)).status).toBe(500);
    const wrong = await post(platform, '/_faults', { faults: [{ kind: 'status', status: 200 }] });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('status: ');
    await post(platform, '/_faults', undefined, 'DELETE');
    expect((await send(platform, listDeployments)).status).toBe(200);
  });

  it('meet only what they aim at, as often as they say', async () => {
    const platform = await openWith({
      kind: 'status',
      status: 503,
      method: 'GET',
      path: 'branches',
      skip: 1,
      times: 2,
    });
    const statuses: number[] = [];
    for (let at = 0; at < 5; at++) statuses.push((await send(platform, listBranches, { params })).status);
    expect(statuses).toEqual([200, 503, 503, 200, 200]);
    expect((await send(platform, listDeployments)).status).toBe(200);
  });

  it('answer 429 with Retry-After, and HTML instead of JSON', async () => {
    const platform = await openWith({ kind: 'status', status: 429, retryAfter: 7, times: 1 }, { kind: 'html' });
    expect((await send(platform, listDeployments)).headers.get('retry-after')).toBe('7');
    const html = await send(platform, listDeployments);
    expect(html.status).toBe(200);
    expect(html.body).toContain('<!doctype html>');
  });

  it('cut a body after so many bytes', async () => {
    const platform = await openWith({ kind: 'cut', afterBytes: 10 });
    const response = await platform.fetch(toRequest(platform, listDeployments));
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('{"data":{"');
    await expect(reader?.read()).rejects.toThrow('cut');
  });

  it('lose the reply of a write that has had its effect, or the request before it has one', async () => {
    const platform = await openPlatform({ faults: true });
    await send(platform, startDevMode, { params, body: { branchName: 'main' } });
    const write = (path: string) =>
      send(platform, writeDataModelFiles, {
        params,
        body: { branchName: 'dev-ada-1', files: [{ path, content: 'x' }] },
      });
    platform.control.faults([{ kind: 'lateReset', times: 1 }]);
    await expect(write('a')).rejects.toThrow('connection reset');
    platform.control.faults([{ kind: 'reset', times: 1 }]);
    await expect(write('b')).rejects.toThrow('connection reset');
    expect(await platform.control.readFile(1, 'dev-ada-1', 'a')).toBe('x');
    expect(await platform.control.readFile(1, 'dev-ada-1', 'b')).toBeUndefined();
    expect(platform.control.requestLog.map(({ status }) => status)).toEqual([200, 0, 0]);
  });

  it('leave an upload half-finished: nothing of it is seen, and it can still be finished', async () => {
    const platform = await openPlatform({ faults: true });
    await send(platform, startDevMode, { params, body: { branchName: 'main' } });
    const before = await platform.control.hashes(1, 'dev-ada-1');
    const { value } = await send(platform, startUpload, { params, body: { branchName: 'dev-ada-1' } });
    const { transaction } = value;
    const up = (fileName: string) =>
      send(platform, uploadFile, { params, body: { transaction, fileName, file: new TextEncoder().encode(fileName) } });
    platform.control.faults([{ kind: 'reset', path: 'upload/file', skip: 1, times: 1 }]);
    expect((await up('model/a.yml')).status).toBe(204);
    await expect(up('model/b.yml')).rejects.toThrow('connection reset');
    expect(await platform.control.hashes(1, 'dev-ada-1')).toEqual(before);
    await up('model/b.yml');
    const files = Object.fromEntries(['model/a.yml', 'model/b.yml'].map((path) => [path, { hash: sha1(path) }]));
    await send(platform, finishUpload, { params, body: { transaction, files, autoRemoveFiles: false } });
    expect(await platform.control.readFile(1, 'dev-ada-1', 'model/b.yml')).toBe('model/b.yml');
  });

  it('deliver a request twice', async () => {
    const platform = await openWith({ kind: 'duplicate', path: 'dev-mode' });
    const { value } = await send(platform, startDevMode, { params, body: { branchName: 'main' } });
    expect(value.name).toBe('dev-ada-1');
  });

  it('answer an old hash list', async () => {
    const platform = await openPlatform({ faults: true });
    const list = () => send(platform, getFileHashes, { params, query: { branchName: 'main' } });
    const before = await list();
    await platform.control.colleagueCommit(1, 'main', { 'new.txt': 'x' });
    platform.control.faults([{ kind: 'staleHashes', times: 1 }]);
    expect((await list()).body).toEqual(before.body);
    expect((await list()).value.files['new.txt']).toBeDefined();
  });

  it('let a colleague commit just in between', async () => {
    const platform = await openWith({
      kind: 'colleagueCommit',
      deploymentId: 1,
      branch: 'main',
      files: { 'between.txt': 'x', 'README.md': null },
      path: 'file-hashes',
      times: 1,
    });
    const { value } = await send(platform, getFileHashes, { params, query: { branchName: 'main' } });
    expect(value.files['between.txt']).toBeDefined();
    expect(value.files['README.md']).toBeUndefined();
  });

  it('hang until the caller gives up', async () => {
    const platform = await openWith({ kind: 'hang' });
    const abort = new AbortController();
    const request = new Request(toRequest(platform, listDeployments), { signal: abort.signal });
    const answer = platform.fetch(request);
    expect(platform.control.requestsUnderway).toEqual([new URL(request.url).pathname]);
    abort.abort();
    await expect(answer).rejects.toThrow('abort');
    expect(platform.control.requestsUnderway).toEqual([]);
  });

  it('wait on the clock', async () => {
    const clock = new ManualClock(Date.UTC(2026, 5, 1));
    const platform = await openPlatform({ faults: true, clock });
    platform.control.faults([{ kind: 'latency', ms: 500 }]);
    const answer = send(platform, listDeployments);
    await clock.advance(500);
    expect((await answer).status).toBe(200);
  });

  it('reset a real connection', async () => {
    const platform = await openWith({ kind: 'reset', path: 'deployments', times: 1 });
    const { url } = await platform.listen();
    const ask = () => fetch(`${url}/api/v1/deployments`, { headers: { Authorization: `Bearer ${platform.apiKey}` } });
    await expect(ask()).rejects.toThrow('fetch failed');
    expect((await ask()).status).toBe(200);
  });
});

describe('the request log', () => {
  it('lists the requests, without credentials', async () => {
    const platform = await openWith();
    await send(platform, listDeployments, { query: { limit: 1 }, headers: { 'X-Request-Id': 'r-1' } });
    const text = await (await post(platform, '/_log', undefined, 'GET')).text();
    expect(JSON.parse(text)).toEqual({
      requests: [
        {
          method: 'GET',
          path: '/api/v1/deployments',
          query: '?limit=1',
          status: 200,
          duration: expect.any(Number) as number,
          requestId: 'r-1',
          ifMatch: null,
        },
      ],
    });
    expect(text).not.toContain(platform.apiKey);
  });
});
