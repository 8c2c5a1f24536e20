import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import { createPlatformRemote } from '#sync/core/remote/platform-remote.ts';
import type { ScanProgram } from '#sync/disk/scanner.ts';
import { realFolder } from '#sync/disk/real-path.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { type OpenedSync, type SyncedBranch } from '#tools/ports.ts';
import { ToolError } from '#tools/tool.ts';
import { folderLink, requireLink } from './folder-link.ts';

/** Where the engine stores the state of folders, and the program that scans them. */
export interface SyncPaths {
  readonly state: string;
  readonly hashWorker: ScanProgram;
}

/**
 * Opens the sync of a linked folder with a branch, with the engine that the editor uses. It uploads nothing automatically. Throws
 * `ToolError` if the folder is not linked.
 */
export async function openSync(folder: string, paths: SyncPaths, synced: SyncedBranch): Promise<OpenedSync> {
  const link = folderLink(folder);
  if (!link)
    throw new ToolError(
      'usage',
      `“${folder}” is not linked to a deployment: it has no modelbench.json. Link it first.`,
    );
  const { access, deployment, branch, deploy } = synced;
  requireLink(folder, { tenantUrl: access.tenantUrl, deploymentId: access.linkedDeployment });
  const target = { account: access.tenantUrl, deployment, branch };
  const ports = await createNodePorts({
    folder: join(folder, link.modelPath),
    remoteFolder: link.modelPath,
    linkFolder: folder,
    storage: syncStorage(paths, target, folder),
    branch,
    turns: { shared: join(paths.state, 'turns') },
    worker: paths.hashWorker,
    logger: silentLogger,
  });
  const sync = createFolderSync({
    ports: {
      ...ports,
      remote: createPlatformRemote({ client: access.client, deployment, branch, folder: link.modelPath }, deploy),
      clock: systemClock,
      editors: { dirty: () => new Set() },
    },
    target,
    settings: { saveSync: false },
    logger: silentLogger,
  });
  const close = async (): Promise<void> => {
    await sync.close();
    ports.dispose();
  };
  return { sync, close, requireLink: () => requireLink(folder, link) };
}

/** Returns where the records of a linked folder with a deployment are stored. */
export function syncStorage(
  { state }: Pick<SyncPaths, 'state'>,
  { account, deployment }: { readonly account: string; readonly deployment: string },
  folder: string,
): string {
  return join(state, 'sync', storageName(account, deployment, realFolder(folder)));
}

/** Returns a folder name for a tenant, deployment and linked folder that does not reveal the path of the folder. */
export function storageName(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
