// A separate process that scans a folder as the extension does: first scan, then checks without a change.
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { originOf } from '#base/origin.ts';
import { createClient } from '#api/client/client.ts';
import { silentLogger } from '#base/log.ts';
import { systemClock } from '#base/clock.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import { createPlatformReader } from '#sync/core/remote/platform-remote.ts';
import type { FileStore, RemoteReader, ScanRequest } from '#sync/core/ports.ts';

export interface FolderOrder {
  /**
   * `scan`: a folder is scanned for the first time. `link`: and compared as well. `check`: a window is opened on it again.
   */
  readonly mode: 'scan' | 'link' | 'check';
  readonly model: string;
  readonly listing: string;
  readonly storage: string;
  readonly worker: string;
  readonly rounds: number;
}

export interface FolderReport {
  /** The scan alone, every file hashed; only when linking. */
  readonly firstScanMs: number;
  readonly firstScanCpuMs: number;
  /** From the start of the engine to the first plan. */
  readonly firstPlanMs: number;
  readonly checkMs: readonly number[];
  /** What all threads together worked for one check, on average. */
  readonly checkCpuMs: number;
  /** Files hashed in the last check. */
  readonly hashed: number;
  readonly block: Blocks;
  /** With everything loaded and the worker running; after the checks; and the highest ever. */
  readonly idleMb: number;
  readonly rssMb: number;
  readonly peakMb: number;
  readonly unchanged: number;
}

const order = JSON.parse(process.argv[2] ?? '{}') as FolderOrder;
/** Within this time of a change a hash is not trusted: the first process waits it out for the second. */
const RACY_MS = 2500;

async function main(): Promise<FolderReport> {
  const ports = await createNodePorts({
    folder: order.model,
    storage: order.storage,
    branch: 'dev-bench',
    worker: order.worker,
    logger: silentLogger,
  });
  const request = { ignores: () => false, ignoreLines: [], verify: false, maxFileSize: 1e9 };
  // A scan of an empty place starts the worker; what is measured is the work, not the start of a thread.
  if (order.mode !== 'check') await ports.files.scan({ ...request, ignoreLines: ['*'] });
  const idleMb = process.memoryUsage().rss / 1e6;
  const first = order.mode === 'check' ? nothing : await firstScan(ports.files, { ...request, verify: true });
  const { firstScanMs, firstScanCpuMs } = first;
  if (order.mode === 'scan') return { ...nothing, ...first, idleMb };
  const sync = createFolderSync({
    ports: { ...ports, remote: remoteFrom(order.listing), clock: systemClock, editors: { dirty: () => new Set() } },
    target: { account: 'bench', deployment: '1', branch: 'dev-bench' },
    logger: silentLogger,
  });
  const watch = watchBlocks();
  const from = performance.now();
  let { unchanged } = await sync.plan();
  const firstPlanMs = performance.now() - from;
  if (order.mode === 'link') {
    await new Promise((resolve) => setTimeout(resolve, RACY_MS));
    await sync.plan();
  }
  const checkMs: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < order.rounds; round++) {
    const started = performance.now();
    ({ unchanged } = await sync.plan());
    checkMs.push(performance.now() - started);
  }
  const checkCpuMs = cpuMs(process.cpuUsage(before)) / Math.max(1, order.rounds);
  const block = watch();
  const rssMb = process.memoryUsage().rss / 1e6;
  const peakMb = (process.resourceUsage().maxRSS * 1024) / 1e6;
  const check = (await ports.files.scan(request)) as { hashed?: number };
  await sync.close();
  ports.dispose();
  return {
    firstScanMs,
    firstScanCpuMs,
    firstPlanMs,
    checkMs,
    checkCpuMs,
    hashed: check.hashed ?? -1,
    block,
    idleMb,
    rssMb,
    peakMb,
    unchanged,
  };
}

const nothing: FolderReport = {
  firstScanMs: 0,
  firstScanCpuMs: 0,
  firstPlanMs: 0,
  checkMs: [],
  checkCpuMs: 0,
  hashed: 0,
  block: { wallMs: 0, cpuMs: 0 },
  idleMb: 0,
  rssMb: 0,
  peakMb: 0,
  unchanged: 0,
};

async function firstScan(
  files: FileStore,
  request: ScanRequest,
): Promise<Pick<FolderReport, 'firstScanMs' | 'firstScanCpuMs'>> {
  const started = performance.now();
  const before = process.cpuUsage();
  await files.scan(request);
  return { firstScanMs: performance.now() - started, firstScanCpuMs: cpuMs(process.cpuUsage(before)) };
}

/** The platform's answer comes as a stream from the disk: its reading is measured, no network is. */
function remoteFrom(listing: string): RemoteReader {
  const client = createClient({
    baseUrl: 'https://platform.example',
    credential: () => ({ kind: 'bearer', token: 'k', origin: originOf('https://platform.example') }),
    logger: silentLogger,
    fetch: () =>
      Promise.resolve(
        new Response(Readable.toWeb(createReadStream(listing)) as ReadableStream, {
          headers: { 'content-type': 'application/json' },
        }),
      ),
  });
  return createPlatformReader({ client, deployment: 1, branch: 'dev-bench' });
}

interface Blocks {
  /** By the clock on the wall, which on a busy machine counts other programs as well. */
  readonly wallMs: number;
  /** By what this thread itself worked. */
  readonly cpuMs: number;
}

/** Answers, when asked, for how long the event loop was held up at most since. */
function watchBlocks(): () => Blocks {
  let longest: Blocks = { wallMs: 0, cpuMs: 0 };
  let last = performance.now();
  let worked = threadMs();
  const timer = setInterval(() => {
    const now = performance.now();
    const work = threadMs();
    longest = { wallMs: Math.max(longest.wallMs, now - last - 1), cpuMs: Math.max(longest.cpuMs, work - worked) };
    last = now;
    worked = work;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

function threadMs(): number {
  return cpuMs(process.threadCpuUsage());
}

function cpuMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
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
