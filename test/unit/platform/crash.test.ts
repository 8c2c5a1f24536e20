import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';

const main = join(import.meta.dirname, '../../platform/main.ts');
const build = '/build/api/v1/deployments/1';

interface Running {
  readonly url: string;
  readonly key: string;
  readonly process: ChildProcess;
  readonly ended: Promise<NodeJS.Signals | number | null>;
}

async function start(dataDir: string): Promise<Running> {
  const child = spawn(process.execPath, [main, '--data', dataDir, '--faults'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    void ended.then((how) => reject(new Error(`The platform ended (${how}) before it was ready.`)));
  });
  const { url, apiKey } = JSON.parse(line) as { readonly url: string; readonly apiKey: string };
  return { url, key: apiKey, process: child, ended };
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'platform-crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

const call = async ({ url, key }: Running, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const hashes = async (running: Running, branch: string): Promise<Record<string, { hash: string }>> => {
  const response = await call(running, 'GET', `${build}/data-model/file-hashes?branchName=${branch}`);
  return ((await response.json()) as { files: Record<string, { hash: string }> }).files;
};

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

describe('a killed platform', () => {
  it('has every acknowledged write when it starts again on the same folder', async () => {
    const folder = dataFolder();
    const first = await start(folder);
    const { name } = (await (await call(first, 'POST', `${build}/dev-mode`, { branchName: 'main' })).json()) as {
      name: string;
    };
    const acknowledged: number[] = [];
    const writer = (async () => {
      for (let at = 0; at < 10_000; at++) {
        const files = [1, 2, 3].map((part) => ({ path: `model/w/${at}-${part}.yml`, content: `# ${at}` }));
        await call(first, 'PUT', `${build}/data-model/files`, { branchName: name, files });
        acknowledged.push(at);
        if (at === 40) first.process.kill('SIGKILL');
      }
    })();
    await expect(writer).rejects.toThrow('fetch failed');
    expect(await first.ended).toBe('SIGKILL');

    const second = await start(folder);
    onTestFinished(() => void second.process.kill('SIGKILL'));
    const files = await hashes(second, name);
    const lost = acknowledged.flatMap((at) =>
      [1, 2, 3].filter((part) => files[`model/w/${at}-${part}.yml`]?.hash !== sha1(`# ${at}`)),
    );
    expect(lost).toEqual([]);
    // A request of three files that was cut is there whole or not at all.
    const written = Object.keys(files).filter((path) => path.startsWith('model/w/'));
    expect(written.length % 3).toBe(0);
    // Dev mode continues: the branch is still writable, and what it holds can be committed.
    const commit = await call(second, 'POST', `${build}/commit`, { branchName: name, message: 'After the crash' });
    expect(commit.status).toBe(200);
    expect(await hashes(second, 'main')).toEqual(files);
  });

  it.each([
    { when: 'after', finished: true },
    { when: 'before', finished: false },
  ])('killed $when it finishes an upload: it is whole or absent, and what went up is still there', async (crash) => {
    const folder = dataFolder();
    const first = await start(folder);
    const { name } = (await (await call(first, 'POST', `${build}/dev-mode`, { branchName: 'main' })).json()) as {
      name: string;
    };
    const { transaction } = (await (
      await call(first, 'POST', `${build}/data-model/upload/start`, { branchName: name })
    ).json()) as {
      transaction: unknown;
    };
    const before = await hashes(first, name);
    const files: Record<string, { hash: string }> = { ...before };
    for (let at = 0; at < 30; at++) {
      const form = new FormData();
      form.set('transaction', JSON.stringify(transaction));
      form.set('fileName', `model/u/${at}.yml`);
      form.set('file', new Blob([`# ${at}`]), 'file');
      const headers = { Authorization: `Bearer ${first.key}` };
      await fetch(`${first.url}${build}/data-model/upload/file`, { method: 'POST', headers, body: form });
      files[`model/u/${at}.yml`] = { hash: sha1(`# ${at}`) };
    }
    const finish = { transaction, files, autoRemoveFiles: false };
    await call(first, 'POST', '/_faults', { faults: [{ kind: 'crash', when: crash.when, path: 'upload/finish' }] });
    await expect(call(first, 'POST', `${build}/data-model/upload/finish`, finish)).rejects.toThrow('fetch failed');
    expect(await first.ended).toBe('SIGKILL');

    const second = await start(folder);
    onTestFinished(() => void second.process.kill('SIGKILL'));
    expect(await hashes(second, name)).toEqual(crash.finished ? files : before);
    // Asked for again: what went up before the kill is still there; a finished transaction is over.
    const again = await call(second, 'POST', `${build}/data-model/upload/finish`, finish);
    expect(again.status).toBe(crash.finished ? 404 : 200);
    expect(await hashes(second, name)).toEqual(files);
  });

  it('leaves its folder free for the next one; a folder in use is refused in plain words', async () => {
    const folder = dataFolder();
    const first = await start(folder);
    onTestFinished(() => void first.process.kill('SIGKILL'));
    const second = spawn(process.execPath, [main, '--data', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
    const said = await new Response(Readable.toWeb(second.stderr) as ReadableStream).text();
    expect(said).toContain(`The data folder ${folder} is used by another platform`);
  });

  it('makes new credentials at each start, and those of the last one open nothing', async () => {
    const folder = dataFolder();
    const first = await start(folder);
    first.process.kill('SIGTERM');
    await first.ended;
    const second = await start(folder);
    onTestFinished(() => void second.process.kill('SIGKILL'));
    expect(second.key).not.toBe(first.key);
    expect((await call({ ...second, key: first.key }, 'GET', '/api/v1/deployments')).status).toBe(401);
    expect((await call(second, 'GET', '/api/v1/deployments')).status).toBe(200);
  });

  it('ends cleanly when it is asked to', async () => {
    const running = await start(dataFolder());
    running.process.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  });
});
