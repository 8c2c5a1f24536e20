import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Room that everything which the tests write at once fits into several times, in bytes. */
const needed = 2 * 1024 ** 3;

/** A folder in memory that every Linux has; a container's is often too small. */
const memory = '/dev/shm';

/** Where temporary files go: into memory, which no `fsync` waits for, where there is room; else where they always do. */
export function temporaryRoot(folder = memory, room = needed): string {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= room ? folder : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Gives this process, and all that it starts, a folder of its own for temporary files until it ends. */
export function ownTemporaryFiles(): void {
  const folder = mkdtempSync(join(temporaryRoot(), 'modelbench-'));
  // As in the usual place, whoever knows a name may pass: a test takes another user's rights.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  // Hundreds of Node processes start the same programs: what one has compiled the next one reads.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  // Memory is given back also where someone ends the run.
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
    process.once(signal, () => process.exit(code));
}
