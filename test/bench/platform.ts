import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { originOf } from '#base/origin.ts';
import { type Client, createClient } from '#api/client/client.ts';
import { listBranches } from '#api/resources/branches.ts';
import { getBuildStatus } from '#api/resources/runtime.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import { delay } from '#base/async.ts';
import { buildState, isBuilding } from '#features/platform/build-state.ts';
import { silentLogger } from '#base/log.ts';
import { createPlatform } from '#platform/app.ts';
import { type Bench, type Figure, median } from './figures.ts';

/** The local platform: how soon it serves, and what a small request costs over loopback and in memory. */
export const run: Bench = async ({ quick }) => {
  const home = mkdtempSync(join(tmpdir(), 'platform-bench-'));
  try {
    const first = await started(home);
    const restarts: number[] = [];
    for (let at = 0; at < (quick ? 1 : 5); at += 1) restarts.push(await started(home));
    return [
      figure('start on a new data folder (seeds it)', first, 1500),
      figure('start on a data folder that is there, median', median(restarts), 1500),
      ...(await overLoopback(home, quick ? 200 : 1000)),
      ...(await inMemory(home, quick ? 200 : 1000)),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
};

/** Requests before the clock starts: a server that was just started is still being compiled. */
const warmUpRequests = 100;
/** A machine that others use as well disturbs one of them, seldom all. */
const rounds = 3;

const figure = (id: string, value: number, reach: number): Figure => ({
  id,
  value,
  unit: 'ms',
  reach,
  ok: value <= reach,
});

interface Served {
  readonly url: string;
  readonly apiKey: string;
}

function platformProcess(data: string): ChildProcess {
  const main = join(import.meta.dirname, '../platform/main.ts');
  return spawn(process.execPath, [main, '--data', data], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Milliseconds until a platform of its own process serves. */
async function started(data: string): Promise<number> {
  const begun = performance.now();
  const child = platformProcess(data);
  try {
    await firstLine(child);
    return performance.now() - begun;
  } finally {
    await ended(child);
  }
}

async function firstLine(child: ChildProcess): Promise<Served> {
  if (!child.stdout) throw new Error('The platform has no output.');
  for await (const line of createInterface(child.stdout)) return JSON.parse(line) as Served;
  throw new Error('The platform ended before it served.');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  await over;
}

/** 1,000 small requests, one after the other and eight at a time, beside the same from a server that does nothing. */
async function overLoopback(home: string, count: number): Promise<readonly Figure[]> {
  const [one, eight] = await served(platformProcess(home), count, builtEverything);
  const [bareOne, bareEight] = await served(bareProcess(), count);
  const of = (id: string, value = 0, peerValue = 1): Figure => ({
    ...figure(id, value, 1000),
    peer: 'bare server',
    peerValue,
    ratio: value / peerValue,
  });
  return [
    of('1,000 small requests over loopback, one after the other', one, bareOne),
    of('1,000 small requests over loopback, eight at a time', eight, bareEight),
  ];
}

/** Milliseconds for a thousand requests, one after the other and eight at a time; the median of the rounds. */
async function served(
  child: ChildProcess,
  count: number,
  atRest?: (client: Client) => Promise<void>,
): Promise<readonly number[]> {
  try {
    const { url, apiKey } = await firstLine(child);
    const credential = { kind: 'bearer', token: apiKey, origin: originOf(url) } as const;
    const client = createClient({ baseUrl: url, credential: () => credential, logger: silentLogger });
    await atRest?.(client);
    const times: number[] = [];
    for (const lanes of [1, 8]) {
      await inLanes(client, lanes, warmUpRequests);
      const found: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const begun = performance.now();
        await inLanes(client, lanes, count / lanes);
        found.push(((performance.now() - begun) / count) * 1000);
      }
      times.push(median(found));
    }
    return times;
  } finally {
    await ended(child);
  }
}

async function inLanes(client: Client, lanes: number, each: number): Promise<void> {
  await Promise.all(Array.from({ length: lanes }, () => timesOf(each, client, undefined, 0)));
}

/** Builds that a start continues would be measured otherwise. */
async function builtEverything(client: Client): Promise<void> {
  const { data } = await client.call(listDeployments, {});
  for (const { id } of data.deployments) {
    const isUnderWay = async (): Promise<boolean> => {
      const request = { params: { deploymentId: id }, query: { branchName: 'main' } };
      return isBuilding(buildState(await client.call(getBuildStatus, request), Date.now()));
    };
    while (await isUnderWay()) await delay(200);
  }
}

function bareProcess(): ChildProcess {
  const code = `const body = '{"data":{"deployments":[]}}';
require('node:http').createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body))
  .listen(0, '127.0.0.1', function () { console.log(JSON.stringify({ url: 'http://127.0.0.1:' + this.address().port, apiKey: 'k' })); });`;
  return spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function inMemory(home: string, count: number): Promise<readonly Figure[]> {
  const platform = await createPlatform({ dataDir: home });
  try {
    const client = createClient({
      baseUrl: 'https://platform.example',
      credential: () => ({ kind: 'bearer', token: platform.apiKey, origin: originOf('https://platform.example') }),
      logger: silentLogger,
      fetch: (input, init) => platform.fetch(new Request(input, init)),
    });
    const deployments = median(await timesOf(count, client));
    const branches = median(
      await timesOf(count, client, (each) => each.call(listBranches, { params: { deploymentId: '1' } })),
    );
    return [
      figure('in-memory call (deployments), median', deployments, 0.3),
      { id: 'in-memory call (branches, read from Git), median', value: branches, unit: 'ms', ok: true },
    ];
  } finally {
    await platform.close();
  }
}

async function timesOf(
  count: number,
  client: Client,
  call: (client: Client) => Promise<unknown> = (each) => each.call(listDeployments, {}),
  warmUp = 50,
): Promise<readonly number[]> {
  for (let warm = 0; warm < warmUp; warm += 1) await call(client);
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const begun = performance.now();
    await call(client);
    times.push(performance.now() - begun);
  }
  return times;
}
