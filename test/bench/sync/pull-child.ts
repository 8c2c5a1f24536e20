// A process of its own that pulls a whole branch from a server in another one, so that its memory is its own.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { originOf } from '#base/origin.ts';
import { createClient } from '#api/client/client.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import { createPlatformReader } from '#sync/core/remote/platform-remote.ts';

export interface PullOrder {
  readonly url: string;
  readonly home: string;
  readonly worker: string;
}

export interface PullReport {
  readonly ms: number;
  readonly cpuMs: number;
  /** Of the whole process: before the pull, and highest ever. */
  readonly idleMb: number;
  readonly peakMb: number;
  readonly files: number;
  readonly failed: readonly string[];
}

async function main(order: PullOrder): Promise<PullReport> {
  const folder = path.join(order.home, 'model');
  mkdirSync(folder, { recursive: true });
  const storage = path.join(order.home, 'storage');
  const ports = await createNodePorts({
    ...{ folder, storage, branch: 'dev-bench', worker: order.worker, logger: silentLogger },
  });
  const client = createClient({
    baseUrl: order.url,
    credential: () => ({ kind: 'bearer', token: 'k', origin: originOf(order.url) }),
    logger: silentLogger,
  });
  const remote = createPlatformReader({ client, deployment: 1, branch: 'dev-bench' });
  const sync = createFolderSync({
    ports: { ...ports, remote, clock: systemClock, editors: { dirty: () => new Set() } },
    target: { account: 'bench', deployment: '1', branch: 'dev-bench' },
    logger: silentLogger,
  });
  const plan = await sync.plan();
  const idleMb = process.memoryUsage().rss / 1e6;
  const before = process.cpuUsage();
  const started = performance.now();
  const outcome = await sync.pull(plan, 'all');
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const peakMb = (process.resourceUsage().maxRSS * 1024) / 1e6;
  await sync.close();
  ports.dispose();
  const failed = [...new Set(outcome.failed.map(({ message }) => message))].slice(0, 3);
  return { ms, cpuMs: (user + system) / 1000, idleMb, peakMb, files: outcome.applied.length, failed };
}

main(JSON.parse(process.argv[2] ?? '{}') as PullOrder).then(
  (report) => {
    process.stdout.write(`${JSON.stringify(report)}\n`);
    process.exit(0);
  },
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
