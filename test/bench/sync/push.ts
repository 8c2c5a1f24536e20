import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { originOf } from '#base/origin.ts';
import { createClient } from '#api/client/client.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import type { WriteContext } from '#sync/core/context.ts';
import { defaultSettings } from '#sync/core/folder-sync.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import { pushEntries, type UploadRoute } from '#sync/core/transfer/push.ts';
import { LinkSpeed } from '#sync/core/remote/link-speed.ts';
import { RemoteReads } from '#sync/core/remote/remote-reads.ts';
import { SyncRun } from '#sync/core/transfer/sync-run.ts';
import { uploadInTransaction } from '#sync/core/transfer/upload.ts';
import { effectOf } from '#sync/core/transfer/effects.ts';
import { SyncRecord } from '#sync/core/record/sync-record.ts';
import { devBranch } from '#sync/core/target.ts';
import { startUploadServer } from './upload-server.ts';

export interface PushResult {
  readonly ms: number;
  /** What this process worked for it, the server included. */
  readonly cpuMs: number;
  readonly requests: number;
}

/** Pushes every file of a model folder to a server that takes `delayMs` for each request. */
export async function measurePush(
  model: string,
  worker: string,
  route: UploadRoute,
  delayMs: number,
): Promise<PushResult> {
  const server = await startUploadServer(delayMs);
  const storage = mkdtempSync(path.join(tmpdir(), 'sync-bench-storage-'));
  const ports = await createNodePorts({ folder: model, storage, branch: 'dev-bench', worker, logger: silentLogger });
  try {
    const branch = devBranch('dev-bench');
    if (!branch.ok) throw new Error(branch.error);
    const client = createClient({
      baseUrl: server.url,
      credential: () => ({ kind: 'bearer', token: 'k', origin: originOf(server.url) }),
      logger: silentLogger,
    });
    const writer = createPlatformWriter({ client, deployment: 1, branch: branch.value });
    const { files } = await ports.files.scan({
      ignores: () => false,
      ignoreLines: [],
      verify: false,
      maxFileSize: 1e9,
    });
    const entries = [...files].map(([file, { hash, size }]): PlanEntry => ({
      kind: 'upload',
      path: file,
      reason: 'added',
      hash,
      size,
      expectedRemote: undefined,
    }));
    const all = { ...ports, remote: writer, clock: systemClock, editors: { dirty: () => new Set<string>() } };
    const state = await SyncRecord.open(all, { account: 'b', deployment: '1', branch: 'dev-bench' });
    const context: WriteContext = {
      ports: all,
      writer,
      state,
      logger: silentLogger,
      writable: true,
      settings: () => defaultSettings,
      reads: new RemoteReads(),
      link: new LinkSpeed(systemClock),
    };
    const log = new SyncRun(entries.length, {});
    const started = performance.now();
    const before = process.cpuUsage();
    if (route === 'direct') await pushEntries(context, entries, route, log);
    else
      await uploadInTransaction(
        context,
        entries.map(effectOf).filter((effect) => effect !== undefined),
        log,
      );
    const ms = performance.now() - started;
    const { user, system } = process.cpuUsage(before);
    if (log.applied.length !== entries.length) throw new Error(log.outcome('Pushed').message);
    return { ms, cpuMs: (user + system) / 1000, requests: server.requests() };
  } finally {
    ports.dispose();
    await server.close();
    rmSync(storage, { recursive: true, force: true });
  }
}
