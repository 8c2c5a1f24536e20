import { join } from 'node:path';
import type { World } from '#cli/world.ts';
import { sharedScanThread } from './sync/shared-scan-thread.ts';

/** Returns where a test's command line stores its state, and the program that scans folders. */
export function places(folder: string): Pick<World, 'state' | 'hashWorker' | 'engine'> {
  const absent = join(folder, 'absent');
  return {
    state: join(folder, '.state'),
    hashWorker: sharedScanThread,
    // Built only for tests that compile.
    engine: { program: absent, bundle: absent, renderer: absent, templates: absent },
  };
}
