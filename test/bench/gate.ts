import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevMode } from '#api/resources/branches.ts';
import { type Client, createClient } from '#api/client/client.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { getBuildStatus } from '#api/resources/runtime.ts';
import { delay } from '#base/async.ts';
import { silentLogger } from '#base/log.ts';
import { originOf } from '#base/origin.ts';
import { buildState, isBuilding } from '#features/platform/build-state.ts';
import { BuildChecks, readBranchStep } from '#features/platform/gated-branch.ts';
import { dataOf } from '#tools/gate/gate.ts';
import { createPlatform, type Platform } from '#platform/app.ts';
import { quickEngine } from '#support/quick-engine.ts';
import type { Bench, Figure } from './figures.ts';

const tenantUrl = 'https://platform.test';
/** Milliseconds in which the platform compiles one file. */
const compiling = 5;
const params = { deploymentId: '1' };

/**
 * The production gate on a slow platform: how soon the page of a commit is open, when its build is known, and how long the press
 * of its button takes. The peer is a page that opens only once the build is known.
 */
export const run: Bench = async ({ quick }) => {
  const figures: Figure[] = [];
  for (const files of quick ? [20] : [500, 2000]) {
    for (const ms of quick ? [50] : [0, 300]) figures.push(...(await onPlatform(files, ms)));
  }
  return figures;
};

/** The figures with a model of this many added files, on a platform whose every answer takes `ms` longer. */
async function onPlatform(files: number, ms: number): Promise<readonly Figure[]> {
  const home = mkdtempSync(join(tmpdir(), 'gate-bench-'));
  // How long a platform compiles depends on its machine: this one takes the same time for each file.
  const platform = await createPlatform({ dataDir: join(home, 'data'), engine: quickEngine() });
  try {
    const client = clientOf(platform);
    const { name: branchName } = await client.call(startDevMode, { params, body: { branchName: 'main' } });
    await writeModel(client, branchName, files);
    await built(client, branchName);
    platform.control.faults([
      { kind: 'latency', ms },
      { kind: 'latency', ms: files * compiling, path: 'validate' },
    ]);
    const data = dataOf(client, tenantUrl);
    const target = { accountId: tenantUrl, ...params, branchName };
    const reader = { data, isProtected: () => false, checks: new BuildChecks() };
    const read = async (): ReturnType<typeof readBranchStep> => readBranchStep(reader, { step: 'commit', target });
    platform.control.clearRequestLog();
    const [open, { situation, check }] = await timed(read);
    const [judging] = await timed(async () => check?.());
    const [press] = await timed(read);
    const requests = platform.control.requestLog.filter(({ path }) => path.includes('file-hashes')).length;
    if (situation.build !== 'unchecked') throw new Error(`The build was ${situation.build}, so nothing was measured.`);
    data.dispose();
    const id = `${files} files, answers ${ms} ms slower`;
    const known = open + judging;
    return [
      {
        id: `${id}: page open`,
        value: open,
        unit: 'ms',
        peer: 'after the check',
        peerValue: known,
        ratio: open / known,
        ok: open <= known,
      },
      { id: `${id}: build known`, value: known, unit: 'ms', ok: true },
      { id: `${id}: press until the step is sent`, value: press, unit: 'ms', ok: press < known },
      { id: `${id}: readings of hashes`, value: requests, unit: 'requests', reach: 4, ok: requests <= 4 },
    ];
  } finally {
    await platform.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [ms: number, value: T]> {
  const begun = performance.now();
  const value = await work();
  return [performance.now() - begun, value];
}

/** Adds cubes to a branch, some at a time: one request holds no more than a megabyte. */
async function writeModel(client: Client, branchName: string, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, at) => ({
    path: `model/cubes/bench/cube_${at}.yml`,
    content: `cubes:\n  - name: bench_${at}\n    sql_table: bench_${at}\n    measures:\n      - name: count\n        type: count\n`,
  }));
  for (let at = 0; at < all.length; at += 200) {
    await client.call(writeDataModelFiles, { params, body: { branchName, files: all.slice(at, at + 200) } });
  }
}

async function built(client: Client, branchName: string): Promise<void> {
  for (;;) {
    const answer = await client.call(getBuildStatus, { params, query: { branchName } });
    if (!isBuilding(buildState(answer, Date.now()))) return;
    await delay(200);
  }
}

function clientOf(platform: Platform): Client {
  return createClient({
    baseUrl: tenantUrl,
    credential: () => Promise.resolve({ kind: 'bearer', token: platform.apiKey, origin: originOf(tenantUrl) }),
    fetch: (input, init) => platform.fetch(new Request(input, init)),
    logger: silentLogger,
    limits: { timeoutMs: 600_000 },
  });
}
