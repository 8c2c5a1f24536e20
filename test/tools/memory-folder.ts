import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Free memory that is several times what the tests write at once, in bytes. */
const needed = 2 * 1024 ** 3;

/** A folder in memory on every Linux; in a container it is often too small. */
const memory = '/dev/shm';

/**
 * Returns the folder for temporary files: in memory, where `fsync` costs nothing, if there is enough space; otherwise the usual
 * one.
 */
export function temporaryRoot(folder = memory, room = needed): string {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= room ? folder : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Gives this process and its children their own folder for temporary files until it ends. */
export function ownTemporaryFiles(): void {
  const folder = mkdtempSync(join(temporaryRoot(), 'modelbench-'));
  // As in the usual folder, other users who know a name may access it: a test takes another user's rights.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  // Hundreds of Node processes start the same programs, so they share one compile cache.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  // Frees the memory even if the run is interrupted.
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
    process.once(signal, () => process.exit(code));
}
