import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { originOf } from '#base/origin.ts';
import { silentLogger } from '#base/log.ts';
import { codeOf } from '#base/system-error.ts';
import { inFolderTurn } from '#sync/core/in-folder-turn.ts';
import type { TrashItem } from '#sync/core/ports.ts';
import { restoreVersion } from '#sync/core/undo/restore.ts';
import { Disk } from '#sync/disk/disk.ts';
import { createFolderPorts } from '#sync/disk/folder-ports.ts';
import { TrashStore } from '#sync/disk/trash-store.ts';
import type { FolderTrash } from '#tools/ports.ts';
import { ToolError } from '#tools/tool.ts';
import { folderLink, requireFolder } from './folder-link.ts';
import { shownFolder } from './model-folder.ts';
import { type SyncPaths, syncStorage } from './open-sync.ts';

/** Returns the trash of a linked folder in the user's state folder, without the network. */
export function folderTrash(folder: string, from: string, paths: SyncPaths): FolderTrash {
  const shown = shownFolder(folder, from);
  const opened = (): { readonly storage: string; readonly modelPath: string; readonly store: TrashStore } => {
    requireFolder(folder);
    const link = folderLink(folder);
    if (!link)
      throw new ToolError(
        'usage',
        `“${folder}” is not linked to a deployment: it has no modelbench.json, and no trash.`,
      );
    const { modelPath, deploymentId } = link;
    const account = originOf(link.tenantUrl) ?? link.tenantUrl;
    const storage = syncStorage(paths, { account, deployment: deploymentId }, folder);
    return { storage, modelPath, store: new TrashStore(new Disk(), join(storage, 'trash'), modelPath) };
  };
  return {
    list: async () => (await listed(opened())).map((item) => ({ ...item, path: `${shown}${item.path}` })),
    restore: async (id) => {
      const trash = opened();
      const { storage, modelPath } = trash;
      const item = (await listed(trash)).find((each) => each.id === id);
      if (!item) return undefined;
      const ports = await createFolderPorts({
        folder: join(folder, modelPath),
        remoteFolder: modelPath,
        linkFolder: folder,
        storage,
        turns: { shared: join(paths.state, 'turns') },
        worker: paths.hashWorker,
        logger: silentLogger,
      });
      try {
        const editors = { dirty: (): ReadonlySet<string> => new Set() };
        const { status, message, trashed } = await inFolderTurn(ports, async () =>
          restoreVersion({ ports: { ...ports, editors } }, item),
        );
        if (status !== 'done') throw new ToolError('platform', message.replace(item.path, `${shown}${item.path}`));
        return { path: `${shown}${item.path}`, replaced: trashed[0] };
      } finally {
        ports.dispose();
      }
    },
  };
}

/** Lists a trash; throws where it cannot be read, because that does not mean that it is empty. */
async function listed({
  storage,
  store,
}: {
  readonly storage: string;
  readonly store: TrashStore;
}): Promise<readonly TrashItem[]> {
  try {
    readdirSync(join(storage, 'trash'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  return store.list();
}
