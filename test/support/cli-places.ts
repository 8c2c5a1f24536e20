import { join } from 'node:path';
import type { CliEnvironment } from '#cli/environment.ts';
import { sharedScanThread } from './sync/shared-scan-thread.ts';

/** Returns where a test's command line stores its state, and the program that scans folders. */
export function places(folder: string): Pick<CliEnvironment, 'state' | 'hashWorker' | 'engine'> {
  const absent = join(folder, 'absent');
  return {
    state: join(folder, '.state'),
    hashWorker: sharedScanThread,
    // Built only for tests that compile.
    engine: { program: absent, bundle: absent, renderer: absent, templates: absent },
  };
}
