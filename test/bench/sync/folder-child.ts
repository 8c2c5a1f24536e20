// A process of its own that looks at a folder as the extension does: first scan, then checks without a change.
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createClient } from '#api/client.ts';
import { silentLogger } from '#base/log.ts';
import { systemClock } from '#base/clock.ts';
import { createNodePorts } from '#node/sync-ports.ts';
import { createFolderSync } from '#sync/create-folder-sync.ts';
import { createPlatformReader } from '#sync/platform-remote.ts';

export interface FolderOrder {
  readonly model: string;
  readonly listing: string;
  readonly storage: string;
  readonly worker: string;
  readonly rounds: number;
}

export interface FolderReport {
  readonly firstScanMs: number;
  readonly checkMs: readonly number[];
  /** Files hashed in the last check. */
  readonly hashed: number;
  readonly blockMs: number;
  readonly rssMb: number;
  readonly unchanged: number;
}

const order = JSON.parse(process.argv[2] ?? '{}') as FolderOrder;
const RACY_MS = 2500;

async function main(): Promise<FolderReport> {
  const ports = await createNodePorts({
    folder: order.model,
    storage: order.storage,
    branch: 'dev-bench',
    worker: order.worker,
    logger: silentLogger,
  });
  const request = { ignores: () => false, ignoreLines: [], verify: true, maxFileSize: 1e9 };
  // A first scan of an empty place starts the worker; what is measured is the work, not the start of a thread.
  await ports.files.scan({ ...request, ignoreLines: ['*'] });
  const started = performance.now();
  await ports.files.scan(request);
  const firstScanMs = performance.now() - started;
  // The platform's answer comes as a stream from the disk: its reading is measured, no network is.
  const client = createClient({
    baseUrl: 'https://platform.example',
    credential: () => ({ kind: 'bearer', token: 'k' }),
    logger: silentLogger,
    fetch: () =>
      Promise.resolve(
        new Response(Readable.toWeb(createReadStream(order.listing)) as ReadableStream, {
          headers: { 'content-type': 'application/json' },
        }),
      ),
  });
  const remote = createPlatformReader({ client, deployment: 1, branch: 'dev-bench' });
  const sync = createFolderSync({
    ports: { ...ports, remote, clock: systemClock, editors: { dirty: () => new Set() } },
    target: { account: 'bench', deployment: '1', branch: 'dev-bench' },
    logger: silentLogger,
  });
  await sync.plan();
  await new Promise((resolve) => setTimeout(resolve, RACY_MS));
  await sync.plan();
  let blockMs = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    const now = performance.now();
    blockMs = Math.max(blockMs, now - last - 1);
    last = now;
  }, 1);
  const checkMs: number[] = [];
  let unchanged = 0;
  last = performance.now();
  for (let round = 0; round < order.rounds; round++) {
    const from = performance.now();
    ({ unchanged } = await sync.plan());
    checkMs.push(performance.now() - from);
  }
  clearInterval(watch);
  const rssMb = process.memoryUsage().rss / 1e6;
  const check = (await ports.files.scan({ ...request, verify: false })) as { hashed?: number };
  await sync.close();
  ports.dispose();
  return { firstScanMs, checkMs, hashed: check.hashed ?? -1, blockMs, rssMb, unchanged };
}

main().then(
  (report) => {
    process.stdout.write(`${JSON.stringify(report)}\n`);
    process.exit(0);
  },
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
