import { hash as hashOf } from 'node:crypto';
import path from 'node:path';
import type { Disposable } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import type { Hasher, SyncPorts } from '#sync/core/ports.ts';
import { BaseFile } from './base-file.ts';
import { ACCOUNT_FILE } from './erase-account.ts';
import { BlobFiles } from './blob-files.ts';
import { Disk, NOTES } from './disk.ts';
import { DiskFileStore } from './file-store.ts';
import { HistoryFile } from './history-file.ts';
import { FolderTurnFile, type TurnPlace } from './folder-turn-file.ts';
import { fileOf, ownFile, withReadableErrors } from './readable-errors.ts';
import { JournalFile } from './journal-file.ts';
import { LastBranchFile, notesOf } from './last-branch-file.ts';
import { LockFile } from './lock-file.ts';
import { OutboxFile } from './outbox-file.ts';
import { ModelFolder } from './model-folder.ts';
import { type FolderScanner, Scanner, type ScanProgram } from './scanner.ts';
import { TrashStore } from './trash-store.ts';
import { removeUnfinished } from './unfinished.ts';

export interface NodePortsOptions {
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
  readonly branch: string;
  /** The programs' turns at the folder (docs/sync.md#one-program). */
  readonly turns?: Omit<TurnPlace, 'folder'> | undefined;
  readonly worker: ScanProgram;
  readonly logger: Logger;
  /** The file system, by default this machine's; a test that passes another one must also pass a scanner. */
  readonly disk?: Disk | undefined;
  readonly scanner?: FolderScanner | undefined;
}

/** The ports of the sync engine that this machine provides; dispose them after `FolderSync.close()`. */
export interface NodePorts extends Disposable {
  readonly files: SyncPorts['files'];
  readonly base: SyncPorts['base'];
  readonly journal: SyncPorts['journal'];
  readonly lastBranch: NonNullable<SyncPorts['lastBranch']>;
  readonly outbox: SyncPorts['outbox'];
  readonly blobs: SyncPorts['blobs'];
  readonly trash: SyncPorts['trash'];
  readonly history: SyncPorts['history'];
  readonly lock: SyncPorts['lock'];
  readonly turn: SyncPorts['turn'];
  readonly hasher: SyncPorts['hasher'];
}

/** Creates the ports for one linked folder. Its versions and records are stored in `storage`, private to the user. */
export async function createNodePorts(options: NodePortsOptions): Promise<NodePorts> {
  const { folder, remoteFolder = 'model', linkFolder, storage, branch, turns, worker, logger } = options;
  const own = notesOf(storage, branch);
  const disk = options.disk ?? new Disk();
  await disk.makeFolder(own);
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
  const journal = new JournalFile(disk, path.join(own, 'journal'));
  const tidy = async (): Promise<void> => {
    await trash.prune(Date.now());
    await blobs.prune();
    await removeUnfinished(disk, [storage, own, path.join(storage, 'trash')], Date.now());
  };
  tidy().catch((error: unknown) => logger.warn('Old versions could not be removed', { error: String(error) }));
  return {
    files: withReadableErrors(files, fileOf),
    base: withReadableErrors(new BaseFile(disk, path.join(own, 'base')), ownFile(NOTES)),
    journal: withReadableErrors(journal, ownFile(NOTES)),
    lastBranch: withReadableErrors(new LastBranchFile(disk, storage, branch), ownFile(NOTES)),
    outbox: withReadableErrors(
      new OutboxFile(disk, path.join(own, 'outbox.json')),
      ownFile('The list of waiting files'),
    ),
    blobs: withReadableErrors(blobs, ownFile('The stored versions')),
    trash: withReadableErrors(trash, ownFile('The trash')),
    history: withReadableErrors(new HistoryFile(disk, path.join(own, 'history.jsonl')), ownFile('The sync history')),
    lock: withReadableErrors(new LockFile(disk, path.join(own, 'lock')), ownFile('The lock of this folder')),
    turn: turns === undefined ? undefined : new FolderTurnFile(disk, { ...turns, folder }, logger),
    hasher: nodeHasher,
    dispose: () => {
      scanner.dispose();
      journal.close().catch(() => undefined);
    },
  };
}

/** Hashes with SHA-1, as the platform does. */
export const nodeHasher: Hasher = { hash: (bytes) => hashOf('sha1', bytes) };
