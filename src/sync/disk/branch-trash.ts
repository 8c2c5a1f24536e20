import path from 'node:path';
import type { Logger } from '#base/log.ts';
import type { Trash } from '#sync/core/ports.ts';
import { Disk } from './disk.ts';
import { ACCOUNT_FILE } from './erase-account.ts';
import { TrashStore } from './trash-store.ts';
import { removeUnfinished } from './unfinished.ts';

export interface BranchTrashOptions {
  /** Absolute path inside the extension's storage, one per account, deployment and branch. */
  readonly storage: string;
  /** The account that the storage belongs to, so that signing out can erase it. */
  readonly account: string;
  readonly logger: Logger;
}

/** Opens the trash of a branch whose files are changed without a linked folder. */
export async function openBranchTrash({ storage, account, logger }: BranchTrashOptions): Promise<Trash> {
  const disk = new Disk();
  await disk.makeFolder(storage);
  await disk.replaceDurably(path.join(storage, ACCOUNT_FILE), Buffer.from(account));
  const folder = path.join(storage, 'trash');
  const trash = new TrashStore(disk, folder);
  const tidy = async (): Promise<void> => {
    await trash.prune(Date.now());
    await removeUnfinished(disk, [storage, folder], Date.now());
  };
  tidy().catch((error: unknown) => logger.warn('Old versions could not be removed', { error: String(error) }));
  return trash;
}
