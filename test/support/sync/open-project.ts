import path from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { originOf } from '#base/origin.ts';
import type { Result } from '#base/result.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { createPlatformDeployer, createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import { deployBranch, devBranch } from '#sync/core/target.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { patientClient } from '../api/patient-client.ts';
import { HurriedClock } from './hurried-clock.ts';
import { sharedScanThread } from './shared-scan-thread.ts';
import { newFolder } from './test-disk.ts';
import type { TinyPlatform } from './tiny-platform.ts';

/** What a project is linked as, and what it is compared with. */
export interface ProjectLink {
  readonly folder: string;
  /** Empty for the whole folder. */
  readonly modelPath: string;
  readonly platform: TinyPlatform;
  /** `deploy`: with production, as a deploy does; otherwise with a dev branch. */
  readonly to?: 'deploy' | 'dev';
  /** The engine’s own folder; a new one by default. */
  readonly storage?: string;
}

/** Opens the sync of a project on the real disk, linked in any way; it is closed when the test ends. */
export async function openProject({
  folder,
  modelPath,
  platform,
  to = 'dev',
  storage,
}: ProjectLink): Promise<FolderSync> {
  const production = required(deployBranch({ name: 'main' }, 'cli'));
  const dev = required(devBranch('dev-a'));
  const branch = to === 'deploy' ? production : dev;
  const clock = new HurriedClock();
  const client = patientClient({
    baseUrl: 'http://127.0.0.1',
    credential: () => ({ kind: 'bearer', token: 'x', origin: originOf('http://127.0.0.1') }),
    logger: silentLogger,
    fetch: (input, init) => clock.during(() => platform.answer(new Request(input, init))),
  });
  const local = await createNodePorts({
    folder: path.join(folder, modelPath),
    remoteFolder: modelPath,
    linkFolder: folder,
    storage: storage ?? newFolder('project-storage-'),
    branch,
    worker: sharedScanThread,
    logger: silentLogger,
  });
  const where = { client, deployment: 1, folder: modelPath };
  const remote =
    to === 'deploy'
      ? createPlatformDeployer({ ...where, branch: production, isOpen: () => true })
      : createPlatformWriter({ ...where, branch: dev });
  const sync = createFolderSync({
    ports: { ...local, remote, clock, editors: { dirty: () => new Set() } },
    target: { account: 'demo', deployment: '1', branch },
    settings: { saveSync: false },
    logger: silentLogger,
  });
  onTestFinished(async () => {
    await sync.close();
    local.dispose();
  });
  return sync;
}

function required<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw new Error(result.error);
}
