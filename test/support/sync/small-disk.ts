import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A separate file system of limited size under a folder. Only root may mount one, and not everywhere. */
export interface SmallDisk {
  /** Makes it read-only. */
  freeze(): void;
}

/** Mounts an empty file system of so many KB over a folder until the test ends; returns `undefined` if that is not allowed. */
export function mountSmallDisk(folder: string, kilobytes: number): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  if (!mount('-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=755`, 'tmpfs', folder)) return undefined;
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
  });
  return {
    freeze: () => {
      if (!mount('-o', 'remount,ro', folder)) throw new Error(`${folder} could not be made read-only`);
    },
  };
}

/** Whether this process may mount file systems. */
export function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'sync-mount-'));
  const can = mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder);
  if (can) execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return can;
}

function mount(...args: readonly string[]): boolean {
  try {
    execFileSync('mount', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
