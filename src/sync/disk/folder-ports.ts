import { hash as hashOf } from 'node:crypto';
import path from 'node:path';
import type { Disposable } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import type { Hasher, SyncPorts } from '#sync/core/ports.ts';
import { BlobFiles } from './blob-files.ts';
import { Disk } from './disk.ts';
import { ACCOUNT_FILE } from './erase-account.ts';
import { DiskFileStore } from './file-store.ts';
import { FolderTurnFile, type TurnPlace } from './folder-turn-file.ts';
import { ModelFolder } from './model-folder.ts';
import { fileOf, ownFile, withReadableErrors } from './readable-errors.ts';
import { type FolderScanner, Scanner, type ScanProgram } from './scanner.ts';
import { TrashStore } from './trash-store.ts';
import { removeUnfinished } from './unfinished.ts';

export interface FolderPortsOptions {
  /** Absolute path of the local model folder; it may not exist yet. */
  readonly folder: string;
  /** The corresponding folder on the platform, `model` by default; empty: the whole branch. */
  readonly remoteFolder?: string | undefined;
  /** Absolute path of the folder with `modelbench.json`, whose ignore files also apply. */
  readonly linkFolder?: string | undefined;
  /** Absolute path inside the extension's storage, one per account, deployment and folder. */
  readonly storage: string;
  /** The account that the storage belongs to, so that signing out can erase it. */
  readonly account?: string | undefined;
  /** The programs' turns at the folder (docs/sync.md#one-program). */
  readonly turns?: Omit<TurnPlace, 'folder'> | undefined;
  readonly worker: ScanProgram;
  readonly logger: Logger;
  /** The file system, by default this machine's; a test that passes another one must also pass a scanner. */
  readonly disk?: Disk | undefined;
  readonly scanner?: FolderScanner | undefined;
}

/** The ports of a folder and its stored versions: all that work on files needs which no branch is involved in. */
export interface FolderPorts extends Disposable {
  readonly files: SyncPorts['files'];
  readonly blobs: SyncPorts['blobs'];
  readonly trash: SyncPorts['trash'];
  readonly turn: SyncPorts['turn'];
  readonly hasher: SyncPorts['hasher'];
}

/** Creates the ports for one folder. Its versions are stored in `storage`, private to the user; it opens no records of a branch. */
export async function createFolderPorts(options: FolderPortsOptions): Promise<FolderPorts> {
  const { folder, remoteFolder = 'model', linkFolder, storage, turns, worker, logger } = options;
  const disk = options.disk ?? new Disk();
  await disk.makeFolder(storage);
  if (options.account !== undefined) {
    await disk.replaceDurably(path.join(storage, ACCOUNT_FILE), Buffer.from(options.account));
  }
  const trash = new TrashStore(disk, path.join(storage, 'trash'), remoteFolder);
  const blobs = new BlobFiles(disk, path.join(storage, 'versions'));
  const tableFile = path.join(storage, 'stat-table.bin');
  const scanner =
    options.scanner ??
    new Scanner({ root: path.resolve(folder), prefix: remoteFolder, project: linkFolder, worker, tableFile });
  const files = new DiskFileStore({
    disk,
    folder: new ModelFolder(disk, folder, remoteFolder, linkFolder),
    linkFolder: linkFolder === undefined ? undefined : path.resolve(linkFolder),
    scanner,
    trash,
  });
  const tidy = async (): Promise<void> => {
    await trash.prune(Date.now());
    await blobs.prune();
    await removeUnfinished(disk, [storage, path.join(storage, 'trash')], Date.now());
  };
  tidy().catch((error: unknown) => logger.warn('Old versions could not be removed', { error: String(error) }));
  return {
    files: withReadableErrors(files, fileOf),
    blobs: withReadableErrors(blobs, ownFile('The stored versions')),
    trash: withReadableErrors(trash, ownFile('The trash')),
    turn: turns === undefined ? undefined : new FolderTurnFile(disk, { ...turns, folder }, logger),
    hasher: nodeHasher,
    dispose: () => scanner.dispose(),
  };
}

/** Hashes with SHA-1, as the platform does. */
export const nodeHasher: Hasher = { hash: (bytes) => hashOf('sha1', bytes) };
