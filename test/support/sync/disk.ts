import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { nodeHasher } from '#sync/disk/folder-ports.ts';
import { createNodePorts, type NodePorts } from '#sync/disk/sync-ports.ts';
import type { LocalListing } from '#sync/core/ports.ts';
import { sharedScanThread } from './shared-scan-thread.ts';
import { newFolder } from './test-disk.ts';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const hashOf = (text: string): string => nodeHasher.hash(bytes(text));

/** The engine's ports over a separate folder of a test. */
export interface Disk extends NodePorts {
  readonly root: string;
  readonly storage: string;
  /** Returns the absolute path of a file. */
  at(file: string): string;
  write(file: string, text: string): void;
  list(verify?: boolean): Promise<LocalListing>;
  /** Resolves to the ports of the next start. */
  again(): Promise<NodePorts>;
}

/** Opens a folder and its storage, which are removed when the test ends. */
export async function openDisk(): Promise<Disk> {
  // Nothing else is made beside the folder, so that a test sees what is written out of it.
  const parent = newFolder('sync-disk-');
  const root = path.join(parent, 'folder');
  mkdirSync(root);
  const storage = newFolder('sync-disk-storage-');
  const opened: NodePorts[] = [];
  const again = async (): Promise<NodePorts> => {
    const ports = await createNodePorts({
      folder: root,
      storage,
      branch: 'dev-a',
      worker: sharedScanThread,
      logger: silentLogger,
    });
    opened.push(ports);
    return ports;
  };
  onTestFinished(async () => {
    for (const ports of opened) {
      await ports.lock.release();
      ports.dispose();
    }
    rmSync(parent, { recursive: true, force: true, maxRetries: 3 });
    rmSync(storage, { recursive: true, force: true, maxRetries: 3 });
  });
  const ports = await again();
  const at = (file: string): string => path.join(root, file.replace(/^model\//, ''));
  return {
    ...ports,
    root,
    storage,
    at,
    write: (file, text) => {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
    },
    list: (verify = false) => ports.files.scan({ ignores: () => false, ignoreLines: [], verify, maxFileSize: 1000 }),
    again,
  };
}
