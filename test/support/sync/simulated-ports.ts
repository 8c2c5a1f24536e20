import { BaseFile } from '#node/base-file.ts';
import { BlobFiles } from '#node/blob-files.ts';
import { Disk, NOTES } from '#node/disk.ts';
import type { DiskCalls } from '#node/disk-calls.ts';
import { DiskFileStore } from '#node/file-store.ts';
import { fileOf, inWords } from '#node/in-words.ts';
import { JournalFile } from '#node/journal-file.ts';
import { ModelFolder } from '#node/model-folder.ts';
import { nodeHasher } from '#node/sync-ports.ts';
import { TrashStore } from '#node/trash-store.ts';
import type { SyncPorts } from '#sync/ports.ts';
import { InlineScanner } from './inline-scanner.ts';

/** Where the linked folder and what the engine keeps lie on a simulated disk. */
export const FOLDER = '/home/linked';
export const STORAGE = '/home/storage';

export type DiskPorts = Pick<SyncPorts, 'files' | 'base' | 'journal' | 'blobs' | 'trash' | 'hasher'>;

/** The real disk layer over any calls; the linked folder is the whole branch. */
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
    files: inWords(files, fileOf),
    base: inWords(new BaseFile(disk, `${STORAGE}/base`), () => NOTES),
    journal: inWords(boot === undefined ? journal : Object.assign(journal, { boot }), () => NOTES),
    blobs: inWords(new BlobFiles(disk, `${STORAGE}/versions`), () => 'The stored versions'),
    trash: inWords(trash, () => 'The trash'),
    hasher: nodeHasher,
  };
}
