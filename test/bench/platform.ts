import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createPlatform, type Platform } from '#platform/app.ts';
import { type Bench, type Figure, median } from './figures.ts';

const build = '/build/api/v1/deployments/1';
const small = '/api/v1/deployments';

/** What the local platform costs: its start, a small request in memory and over loopback, a push of many files. */
export const run: Bench = async ({ quick }) => {
  const start = await startFigures(quick ? 1 : 5);
  const platform = await createPlatform();
  try {
    return [
      ...start,
      await inMemory(platform, quick ? 200 : 2000),
      await overLoopback(platform, quick ? 200 : 1000),
      ...(await pushFigures(platform, quick ? 1000 : 10_000)),
    ];
  } finally {
    await platform.close();
  }
};

/** From `node main.ts` to its first line: on a new folder, which is seeded, and on an old one. */
async function startFigures(times: number): Promise<Figure[]> {
  const fresh: number[] = [];
  const again: number[] = [];
  for (let at = 0; at < times; at++) {
    const folder = mkdtempSync(join(tmpdir(), 'platform-bench-'));
    fresh.push(await startOnce(folder));
    again.push(await startOnce(folder));
    rmSync(folder, { recursive: true, force: true });
  }
  const figure = (id: string, value: number): Figure => ({ id, value, unit: 'ms', reach: 1500, ok: value <= 1500 });
  return [figure('start on a new folder (seeds it)', median(fresh)), figure('start on an old folder', median(again))];
}

async function startOnce(folder: string): Promise<number> {
  const started = performance.now();
  const main = join(import.meta.dirname, '../platform/main.ts');
  const child = spawn(process.execPath, [main, '--data', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  await new Promise((resolve) => {
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  const taken = performance.now() - started;
  child.kill('SIGTERM');
  await ended;
  return taken;
}

async function inMemory(platform: Platform, count: number): Promise<Figure> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const started = performance.now();
    await (await platform.fetch(request(platform, `http://platform.test${small}`))).text();
    times.push(performance.now() - started);
  }
  const value = median(times);
  return { id: 'request in memory, median', value, unit: 'ms', reach: 0.3, ok: value <= 0.3 };
}

async function overLoopback(platform: Platform, count: number): Promise<Figure> {
  const { url } = await platform.listen();
  const ask = async (): Promise<string> => (await fetch(request(platform, `${url}${small}`))).text();
  for (let warm = 0; warm < 50; warm++) await ask();
  const started = performance.now();
  for (let at = 0; at < count; at++) await ask();
  const value = ((performance.now() - started) / count) * 1000;
  return {
    id: '1,000 small requests over loopback, one after the other',
    value,
    unit: 'ms',
    reach: 1000,
    ok: value <= 1000,
  };
}

async function pushFigures(platform: Platform, count: number): Promise<Figure[]> {
  const { url } = await platform.listen();
  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(request(platform, `${url}${build}${path}`, method, body));
  const { name } = (await (await send('POST', '/dev-mode', { branchName: 'main' })).json()) as {
    readonly name: string;
  };
  const files = Array.from({ length: count }, (_, at) => ({
    path: `model/bench/${at % 100}/${at}.yml`,
    content: `# ${at}\n`,
  }));
  const pushed = await timed(async () => {
    for (let at = 0; at < count; at += 200) {
      await (await send('PUT', '/data-model/files', { branchName: name, files: files.slice(at, at + 200) })).text();
    }
  });
  const listed = await timed(async () => {
    await (await send('GET', `/data-model/file-hashes?branchName=${name}`)).text();
  });
  const told = (id: string, value: number): Figure => ({ id, value, unit: 'ms', ok: true });
  return [told(`${count} small files pushed, 200 a request`, pushed), told(`hashes of ${count} files`, listed)];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function request(platform: Platform, url: string, method = 'GET', body?: unknown): Request {
  const headers = { Authorization: `Bearer ${platform.apiKey}`, 'Content-Type': 'application/json' };
  return new Request(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}
