import { originOf } from '#base/origin.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type Client, type ClientOptions } from '#api/client/client.ts';
import { listBranches } from '#api/resources/branches.ts';
import { silentLogger } from '#base/log.ts';
import { type Bench, type Figure, median } from './figures.ts';

const params = { deploymentId: 7 };
const branch = { id: 5, name: 'main', parentBranch: null, lastHash: 'abc', isStagingEnvironmentEnabled: false };
const body = JSON.stringify({ data: Array.from({ length: 20 }, (_, at) => ({ ...branch, id: at, name: `b${at}` })) });
const headers = { 'content-type': 'application/json' };

const clientOf = (options: Pick<ClientOptions, 'baseUrl' | 'fetch'>): Client =>
  createClient({
    ...options,
    credential: () => ({ kind: 'bearer', token: 'bench-key', origin: originOf(options.baseUrl) }),
    logger: silentLogger,
  });

/** What the typed client adds to a request: validation, key, log and reading, in memory and over loopback. */
export const run: Bench = async ({ quick }) => {
  const count = quick ? 200 : 1000;
  return [await inMemory(count), ...(await overLoopback(count))];
};

async function inMemory(count: number): Promise<Figure> {
  const fetch = (): Promise<Response> => Promise.resolve(new Response(body, { headers }));
  const client = clientOf({ baseUrl: 'https://bench.example', fetch });
  const times = await timesOf(count, () => client.call(listBranches, { params }));
  const value = median(times);
  return { id: 'in-memory call, median', value, unit: 'ms', reach: 0.3, ok: value <= 0.3 };
}

async function overLoopback(count: number): Promise<readonly Figure[]> {
  const server = createServer((_, response) => response.writeHead(200, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = clientOf({ baseUrl });
  const url = `${baseUrl}/build/api/v1/deployments/7/branches`;
  try {
    const plain = sum(await timesOf(count, async () => JSON.parse(await (await fetch(url)).text()) as unknown));
    const value = sum(await timesOf(count, () => client.call(listBranches, { params })));
    const thousand = (value / count) * 1000;
    return [
      {
        id: '1,000 small requests over loopback, one after the other',
        value: thousand,
        unit: 'ms',
        peer: 'bare fetch',
        peerValue: (plain / count) * 1000,
        ratio: value / plain,
        reach: 1000,
        ok: thousand <= 1000,
      },
    ];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function timesOf(count: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  for (let warm = 0; warm < 50; warm++) await work();
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
