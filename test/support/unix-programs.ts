import { spawnSync } from 'node:child_process';

/** Whether this is a Unix machine with these programs. On Windows, `bash` may be one that only starts another system. */
export function hasUnixPrograms(...names: readonly string[]): boolean {
  return (
    process.platform !== 'win32' && names.every((name) => spawnSync('which', [name], { stdio: 'ignore' }).status === 0)
  );
}
