import path from 'node:path';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import type { Logger } from '#base/log.ts';
import { joinPath } from '#base/path.ts';
import { longTextHash } from '#base/text-hash.ts';
import type { PlatformData } from '#features/platform/index.ts';
import { branchRemote } from '#features/folders/branch-remote.ts';
import type { SaveChoices } from '#features/folders/save-choice.ts';
import type { SyncPauses } from '#features/folders/sync-pause.ts';
import type { OpenBranchTrash } from '#features/folders/branch-files.ts';
import type { OpenSync } from '#features/folders/sync-sessions.ts';
import { UserError } from '#shell/user-error.ts';
import { openBranchTrash } from '#sync/disk/branch-trash.ts';
import { realFolder } from '#sync/disk/real-path.ts';
import { stateFolder } from '#sync/disk/state-folder.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { BegunRecords, takingUp } from '#features/folders/begun-records.ts';
import type { BegunWork } from '#features/folders/begun-work.ts';
import { ObservedFiles } from '#features/folders/observed-files.ts';
import { observedHistory } from '#features/folders/observed-history.ts';
import type { VersionsChange } from '#features/folders/stored-versions.ts';
import { syncSettings } from './sync-settings.ts';

export { BranchContents } from '#features/platform/index.ts';

interface Deps {
  readonly context: vscode.ExtensionContext;
  readonly data: PlatformData;
  readonly logger: Logger;
  readonly begun: BegunWork;
  readonly saveChoices: SaveChoices;
  readonly pauses: SyncPauses;
  /** Receives the files on this disk that sync wrote or found changed. */
  readonly reportFiles: (uris: readonly vscode.Uri[]) => void;
  /** Receives what may have changed the history or the trash of a folder. */
  readonly reportVersions: (change: VersionsChange) => void;
}

/** Assembles the sync engine for a linked folder: this disk on one side, a branch of the platform on the other. */
export function openSyncWith({
  begun,
  context,
  data,
  logger,
  saveChoices,
  pauses,
  reportFiles,
  reportVersions,
}: Deps): OpenSync {
  return async (folder, target, deploy) => {
    const root = vscode.Uri.parse(folder.folderId, true);
    if (root.scheme !== 'file') {
      throw new UserError(`“${folder.name}” is not on a disk, so its files cannot be kept in sync.`);
    }
    const { modelPath } = folder.link;
    const storage = vscode.Uri.joinPath(context.globalStorageUri, 'sync', storageName(realId(root), target));
    await vscode.workspace.fs.createDirectory(storage);
    const ports = await createNodePorts({
      folder: vscode.Uri.joinPath(root, modelPath).fsPath,
      remoteFolder: modelPath,
      linkFolder: root.fsPath,
      storage: storage.fsPath,
      account: target.accountId,
      branch: target.branchName,
      turns: turns(),
      worker: vscode.Uri.joinPath(context.extensionUri, 'dist', 'hash-worker.js').fsPath,
      logger,
    });
    const files = new ObservedFiles(ports.files);
    files.onDidChange((paths) => reportFiles(paths.map((path) => vscode.Uri.joinPath(root, path))));
    const { folderId } = folder;
    files.onDidKeepCopy(() => reportVersions({ folderId, action: 'copy' }));
    const history = observedHistory(ports.history, (action) => reportVersions({ folderId, action }));
    const records = new BegunRecords(ports.begun, begun, { ...target, folderId });
    const remote = branchRemote(data, target, modelPath, deploy);
    const dirty = (): ReadonlySet<string> => new Set([...dirtyPaths(root, modelPath), ...begun.merges.paths(folderId)]);
    // A deploy has a branch of its own; what has begun belongs to the dev branch of the folder.
    const lock = deploy ? ports.lock : takingUp(ports.lock, records);
    const sync = createFolderSync({
      ports: { ...ports, lock, files, history, remote, clock: systemClock, editors: { dirty } },
      target: { account: target.accountId, deployment: target.deploymentId, branch: target.branchName },
      settings: syncSettings(root, saveChoices),
      logger,
    });
    if (pauses.has(folderId)) sync.pause('byUser');
    if (!deploy) begun.records.add(records.record);
    const release = (): void => {
      begun.records.delete(records.record);
      ports.dispose();
    };
    return releasing(sync, release, logger);
  };
}

/** Returns a function that opens the trash of a branch whose files are changed through documents of the branch. */
export function openBranchTrashWith({ context, logger }: Pick<Deps, 'context' | 'logger'>): OpenBranchTrash {
  return (target) => {
    const name = storageName(`branch:${target.branchName}`, target);
    const storage = vscode.Uri.joinPath(context.globalStorageUri, 'sync', name).fsPath;
    return openBranchTrash({ storage, account: target.accountId, logger });
  };
}

/** Returns where the command line takes its turns as well, whatever editor this is. */
function turns(): { readonly shared: string } | undefined {
  const state = stateFolder(process.env);
  return state === undefined ? undefined : { shared: path.join(state, 'turns') };
}

/** Returns the paths with unsaved changes in an editor; a pull never overwrites them. */
function dirtyPaths(root: vscode.Uri, modelPath: string): readonly string[] {
  const prefix = `${vscode.Uri.joinPath(root, modelPath).path.replace(/\/$/, '')}/`;
  const dirty = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && uri.scheme === root.scheme && uri.path.startsWith(prefix),
  );
  return dirty.map(({ uri }) => joinPath(modelPath, uri.path.slice(prefix.length)));
}

/** Returns the URI of a folder as text, the same whichever link or letter case it is opened by. */
function realId(root: vscode.Uri): string {
  return vscode.Uri.file(realFolder(root.fsPath)).toString();
}

/**
 * Returns a storage name that is unique to account, deployment and folder; it is a hash, so it does not reveal the folder's path.
 */
function storageName(
  folderId: string,
  { accountId, deploymentId }: { accountId: string; deploymentId: string },
): string {
  return longTextHash(JSON.stringify([accountId, deploymentId, folderId]));
}

/** Keeps the disk's adapters alive until the sync that uses them has ended. */
function releasing(sync: FolderSync, release: () => void, logger: Logger): FolderSync {
  sync.dispose = () => {
    sync
      .close()
      .catch((error: unknown) => logger.warn('Sync did not close cleanly', { error: String(error) }))
      .finally(release);
  };
  return sync;
}
