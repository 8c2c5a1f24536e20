import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { LinkedFolder } from '#features/platform/link.ts';
import { type OpenSync, type SyncSession, SyncSessions } from '#features/folders/sync-sessions.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import { sharedScanThread } from './sync/shared-scan-thread.ts';
import { devBranch } from '#sync/core/target.ts';

/** One window of a signed-in user with a linked folder on a real disk, in sync with a platform in memory. */
export interface SyncDesk extends Desk {
  readonly syncs: SyncSessions;
  readonly isTrusted: Store<boolean>;
  write(file: string, text: string): void;
  read(file: string): string;
  /** Returns the only open sync. */
  only(): SyncSession;
  /** Opens a sync of the same folder, as another window of this machine does: with the same branch, or with another one. */
  openSecond(branchName?: string): Promise<FolderSync>;
  /** Links another folder of the window to the same deployment; returns a function that writes a file of it. */
  addFolder(): { readonly folderId: string; readonly write: (file: string, text: string) => void };
}

export async function openSyncDesk(desk?: Desk): Promise<SyncDesk> {
  const own = desk ?? (await openDesk());
  const { accounts, account, data, session } = own;
  const root = mkdtempSync(path.join(tmpdir(), 'window-'));
  const storages = mkdtempSync(path.join(tmpdir(), 'window-storage-'));
  const open: OpenSync = async ({ folderId }, target) => {
    const branch = devBranch(target.branchName);
    if (!branch.ok) throw new Error(branch.error);
    const linkFolder = fileURLToPath(folderId);
    const folder = path.join(linkFolder, 'model');
    const storage = path.join(storages, path.basename(linkFolder));
    mkdirSync(storage, { recursive: true });
    const options = {
      folder,
      linkFolder,
      storage,
      branch: branch.value,
      worker: sharedScanThread,
      logger: silentLogger,
    };
    const local = await createNodePorts(options);
    const client = data.client(target.accountId);
    const remote = createPlatformWriter({ client, deployment: target.deploymentId, branch: branch.value });
    const sync = createFolderSync({
      ports: { ...local, remote, clock: systemClock, editors: { dirty: () => new Set() } },
      target: { account: target.accountId, deployment: target.deploymentId, branch: target.branchName },
      logger: silentLogger,
    });
    sync.dispose = () => void sync.close().finally(() => local.dispose());
    return sync;
  };
  const isTrusted = new Store(true);
  const syncs = new SyncSessions({ session, accounts, isTrusted, open, logger: silentLogger });
  onTestFinished(async () => {
    isTrusted.set(false);
    await syncs.reconcile();
    syncs.dispose();
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    rmSync(storages, { recursive: true, force: true, maxRetries: 3 });
  });
  const linked = (folder: string): LinkedFolder => ({
    folderId: pathToFileURL(folder).toString(),
    name: 'shop-model',
    link: { tenantUrl: account.tenantUrl, deploymentId: '1', modelPath: 'model' },
    problem: undefined,
  });
  session.setLinks([linked(root)]);
  const at = (file: string): string => path.join(root, file);
  const seconds: FolderSync[] = [];
  onTestFinished(async () => {
    for (const sync of seconds) await sync.close();
  });
  const only = (): SyncSession => {
    const [first, ...others] = syncs.all.value;
    if (!first || others.length > 0) throw new Error(`${syncs.all.value.length} syncs are open`);
    return first;
  };
  return {
    ...own,
    syncs,
    isTrusted,
    write: (file, text) => writeInto(at(file), text),
    read: (file) => readFileSync(at(file), 'utf8'),
    only,
    addFolder: () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'window-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
      session.setLinks([...session.links.value, linked(folder)]);
      const { folderId } = linked(folder);
      return { folderId, write: (file, text) => writeInto(path.join(folder, file), text) };
    },
    openSecond: async (branchName) => {
      const { folder, target } = only();
      const sync = await open(folder, branchName === undefined ? target : { ...target, branchName });
      seconds.push(sync);
      return sync;
    },
  };
}

function writeInto(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
