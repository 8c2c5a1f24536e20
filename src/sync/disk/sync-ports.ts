import path from 'node:path';
import type { SyncPorts } from '#sync/core/ports.ts';
import { BaseFile } from './base-file.ts';
import { BegunFile } from './begun-file.ts';
import { Disk, NOTES } from './disk.ts';
import { createFolderPorts, type FolderPorts, type FolderPortsOptions } from './folder-ports.ts';
import { HistoryFile } from './history-file.ts';
import { JournalFile } from './journal-file.ts';
import { LastBranchFile, notesOf } from './last-branch-file.ts';
import { LockFile } from './lock-file.ts';
import { OutboxFile } from './outbox-file.ts';
import { ownFile, withReadableErrors } from './readable-errors.ts';
import { removeUnfinished } from './unfinished.ts';

export interface NodePortsOptions extends FolderPortsOptions {
  readonly branch: string;
}

/** The ports of the sync engine that this machine provides; dispose them after `FolderSync.close()`. */
export interface NodePorts extends FolderPorts {
  readonly base: SyncPorts['base'];
  readonly journal: SyncPorts['journal'];
  readonly lastBranch: NonNullable<SyncPorts['lastBranch']>;
  readonly outbox: SyncPorts['outbox'];
  readonly history: SyncPorts['history'];
  readonly lock: SyncPorts['lock'];
  /** The work on the folder that has begun and is not finished (docs/sync.md#begun-work). */
  readonly begun: BegunFile;
}

/** Creates the ports for one linked folder and a branch, whose records are in `storage` as well. */
export async function createNodePorts(options: NodePortsOptions): Promise<NodePorts> {
  const { storage, branch, logger } = options;
  const own = notesOf(storage, branch);
  const disk = options.disk ?? new Disk();
  await disk.makeFolder(own);
  const folder = await createFolderPorts({ ...options, disk });
  const journal = new JournalFile(disk, path.join(own, 'journal'));
  removeUnfinished(disk, [own], Date.now()).catch((error: unknown) =>
    logger.warn('Unfinished records could not be removed', { error: String(error) }),
  );
  return {
    ...folder,
    base: withReadableErrors(new BaseFile(disk, path.join(own, 'base')), ownFile(NOTES)),
    journal: withReadableErrors(journal, ownFile(NOTES)),
    lastBranch: withReadableErrors(new LastBranchFile(disk, storage, branch), ownFile(NOTES)),
    outbox: withReadableErrors(
      new OutboxFile(disk, path.join(own, 'outbox.json')),
      ownFile('The list of waiting files'),
    ),
    history: withReadableErrors(new HistoryFile(disk, path.join(own, 'history.jsonl')), ownFile('The sync history')),
    lock: withReadableErrors(new LockFile(disk, path.join(own, 'lock')), ownFile('The lock of this folder')),
    begun: withReadableErrors(
      new BegunFile(disk, path.join(storage, 'begun.json')),
      ownFile('The record of begun work'),
    ),
    dispose: () => {
      folder.dispose();
      journal.close().catch(() => undefined);
    },
  };
}
