import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { originOf } from '#base/origin.ts';
import { createClient } from '#api/client/client.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import { createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import { devBranch } from '#sync/core/target.ts';
import { median } from '../figures.ts';
import { startUploadServer } from './upload-server.ts';

export interface MeasuredSave {
  /** From the end of the queue's pause to the answer of the platform, ms. */
  readonly ms: number;
  /** What the disk takes for the flushes without which nothing may be sent, ms. */
  readonly flushMs: number;
}

/** Medians for one saved file, with the disk measured in between. */
export async function measureSave(worker: string, delayMs: number, rounds: number): Promise<MeasuredSave> {
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
    const flushes: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      writeFileSync(path.join(folder, 'a.yml'), `# ${round}\n`);
      sync.onSaved(['model/a.yml']);
      await sync.flush();
      // The first ones make the base and learn that the server honours conditions.
      if (round > 1) times.push(performance.now() - released);
      await sync.plan();
      flushes.push(await flushMs(home));
    }
    return { ms: median(times), flushMs: median(flushes) };
  } finally {
    await sync.close();
    ports.dispose();
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** A saved file and its folder, then two copies of a note: a power loss must leave here what the platform already has. */
async function flushMs(home: string): Promise<number> {
  const saved = path.join(home, 'saved.yml');
  writeFileSync(saved, `# ${performance.now()}\n`);
  const notes = [await open(path.join(home, 'note'), 'a'), await open(path.join(home, 'note.copy'), 'a')];
  try {
    const started = performance.now();
    await flushed(saved);
    await flushed(home);
    for (const note of notes) await note.appendFile(`${started}\n`);
    await Promise.all(notes.map((note) => note.datasync()));
    return performance.now() - started;
  } finally {
    await Promise.all(notes.map((note) => note.close()));
  }
}

async function flushed(file: string): Promise<void> {
  const handle: FileHandle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
