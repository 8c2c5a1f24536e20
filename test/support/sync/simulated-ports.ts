import { BaseFile } from '#sync/disk/base-file.ts';
import { BlobFiles } from '#sync/disk/blob-files.ts';
import { Disk, NOTES } from '#sync/disk/disk.ts';
import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import { DiskFileStore } from '#sync/disk/file-store.ts';
import { fileOf, withReadableErrors } from '#sync/disk/readable-errors.ts';
import { JournalFile } from '#sync/disk/journal-file.ts';
import { ModelFolder } from '#sync/disk/model-folder.ts';
import { nodeHasher } from '#sync/disk/folder-ports.ts';
import { TrashStore } from '#sync/disk/trash-store.ts';
import type { SyncPorts } from '#sync/core/ports.ts';
import { InlineScanner } from './inline-scanner.ts';

/** The positions of the linked folder and of the engine's storage on a simulated disk. */
export const FOLDER = '/home/linked';
export const STORAGE = '/home/storage';

export type DiskPorts = Pick<SyncPorts, 'files' | 'base' | 'journal' | 'blobs' | 'trash' | 'hasher'>;

/** Returns the real disk layer over any calls; the linked folder is the whole branch. */
export function portsOver(calls: DiskCalls, boot?: string, disk = new Disk(calls)): DiskPorts {
  const trash = new TrashStore(disk, `${STORAGE}/trash`);
  const journal = new JournalFile(disk, `${STORAGE}/journal`);
  const files = new DiskFileStore({
    disk,
    folder: new ModelFolder(disk, FOLDER, ''),
    linkFolder: undefined,
    scanner: new InlineScanner(FOLDER, '', calls),
    trash,
  });
  return {
    files: withReadableErrors(files, fileOf),
    base: withReadableErrors(new BaseFile(disk, `${STORAGE}/base`), () => NOTES),
    journal: withReadableErrors(boot === undefined ? journal : Object.assign(journal, { boot }), () => NOTES),
    blobs: withReadableErrors(new BlobFiles(disk, `${STORAGE}/versions`), () => 'The stored versions'),
    trash: withReadableErrors(trash, () => 'The trash'),
    hasher: nodeHasher,
  };
}
