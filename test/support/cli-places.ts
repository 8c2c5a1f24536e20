import { join } from 'node:path';
import type { World } from '#cli/world.ts';

/** Where a command line of a test keeps what it must remember, and the program that scans folders. */
export function places(folder: string): Pick<World, 'state' | 'hashWorker' | 'engine'> {
  const absent = join(folder, 'absent');
  return {
    state: join(folder, '.state'),
    hashWorker: new URL('../../src/sync/disk/hash-worker.ts', import.meta.url),
    // Only tests that compile build them.
    engine: { program: absent, bundle: absent, renderer: absent, templates: absent },
  };
}
