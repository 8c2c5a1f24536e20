import { join } from 'node:path';
import type { World } from '#cli/world.ts';

/** Where a command line of a test keeps what it must remember, and the program that scans folders. */
export function places(folder: string): Pick<World, 'state' | 'hashWorker'> {
  return {
    state: join(folder, '.state'),
    hashWorker: new URL('../../src/sync/disk/hash-worker.ts', import.meta.url),
  };
}
