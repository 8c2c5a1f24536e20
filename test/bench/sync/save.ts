import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { originOf } from '#base/origin.ts';
import { createClient } from '#api/client.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { createNodePorts } from '#node/sync-ports.ts';
import { createFolderSync } from '#sync/create-folder-sync.ts';
import { createPlatformWriter } from '#sync/platform-remote.ts';
import { devBranch } from '#sync/target.ts';
import { median } from '../figures.ts';
import { startUploadServer } from './upload-server.ts';

/** Median ms from the end of the queue's pause to the answer of the platform, for one saved file. */
export async function measureSave(worker: string, delayMs: number, rounds: number): Promise<number> {
  const server = await startUploadServer(delayMs);
  const home = mkdtempSync(path.join(tmpdir(), 'sync-bench-save-'));
  const folder = path.join(home, 'model');
  mkdirSync(folder);
  const branch = devBranch('dev-bench');
  if (!branch.ok) throw new Error(branch.error);
  const ports = await createNodePorts({
    folder,
    storage: path.join(home, 'storage'),
    branch: branch.value,
    worker,
    logger: silentLogger,
  });
  const client = createClient({
    baseUrl: server.url,
    credential: () => ({ kind: 'bearer', token: 'k', origin: originOf(server.url) }),
    logger: silentLogger,
  });
  const remote = createPlatformWriter({ client, deployment: 1, branch: branch.value });
  let released = 0;
  const clock: Clock = {
    now: () => systemClock.now(),
    sleep: async (ms, signal) => {
      await systemClock.sleep(ms, signal);
      released = performance.now();
    },
  };
  const sync = createFolderSync({
    ports: { ...ports, remote, clock, editors: { dirty: () => new Set() } },
    target: { account: 'b', deployment: '1', branch: branch.value },
    logger: silentLogger,
  });
  try {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      writeFileSync(path.join(folder, 'a.yml'), `# ${round}\n`);
      sync.onSaved(['model/a.yml']);
      await sync.flush();
      // The first ones make the base and learn that the server honours conditions.
      if (round > 1) times.push(performance.now() - released);
      await sync.plan();
    }
    return median(times);
  } finally {
    await sync.close();
    ports.dispose();
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}
