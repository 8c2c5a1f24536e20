import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A file system that is created in a file and mounted, on machines that can do this. */
export interface RealDisk {
  readonly name: string;
  readonly megabytes: number;
  /** The command that creates the file system; its last argument is the image. */
  readonly maker: readonly string[];
  /** Throws if this machine cannot mount it. */
  mount(image: string, folder: string): void;
  /** Prepares the tests' folder once on a new disk. */
  prepare?(folder: string): void;
}

export interface Mounted {
  readonly kind: 'mounted';
  /** Absolute path of an empty folder on the disk. */
  readonly folder: string;
  /** Remounts the disk, as if the user unplugged it and plugged it in again. */
  remount(): void;
  unmount(): void;
}

export interface NotMounted {
  readonly kind: 'skipped';
  /** The reason, in one line. */
  readonly reason: string;
}

/** Tries several ways to mount a disk until one works: the kernel's own driver, then the one in user space. */
const firstOf =
  (...ways: readonly RealDisk['mount'][]): RealDisk['mount'] =>
  (image, folder) => {
    const errors: unknown[] = [];
    for (const way of ways) {
      try {
        way(image, folder);
        return;
      } catch (error) {
        errors.push(error);
      }
    }
    throw errors.at(-1);
  };

const looped =
  (...options: readonly string[]): RealDisk['mount'] =>
  (image, folder) =>
    void run('mount', ...options, '-o', 'loop', image, folder);

/** The exFAT driver in user space accepts block devices only. */
const exfatInUserSpace: RealDisk['mount'] = (image, folder) => {
  const device = run('losetup', '--find', '--show', image).trim();
  try {
    run('mount.exfat-fuse', device, folder);
  } finally {
    // The device is detached as soon as it is unmounted.
    run('losetup', '--detach', device);
  }
};

export const realDisks: readonly RealDisk[] = [
  { name: 'ext4', megabytes: 64, maker: ['mkfs.ext4', '-q', '-F'], mount: looped() },
  {
    name: 'ext4 that ignores letter case and Unicode form',
    megabytes: 64,
    maker: ['mkfs.ext4', '-q', '-F', '-O', 'casefold'],
    mount: looped(),
    prepare: (folder) => void run('chattr', '+F', folder),
  },
  { name: 'btrfs', megabytes: 128, maker: ['mkfs.btrfs', '-q'], mount: looped() },
  { name: 'XFS', megabytes: 320, maker: ['mkfs.xfs', '-q'], mount: looped() },
  { name: 'FAT', megabytes: 64, maker: ['mkfs.vfat'], mount: looped('-t', 'vfat') },
  {
    name: 'exFAT',
    megabytes: 64,
    maker: ['mkfs.exfat'],
    mount: firstOf(looped('-t', 'exfat'), exfatInUserSpace),
  },
  {
    name: 'NTFS',
    megabytes: 64,
    maker: ['mkfs.ntfs', '-q', '-F', '-f'],
    mount: firstOf(looped('-t', 'ntfs3'), (image, folder) => void run('ntfs-3g', image, folder)),
  },
  { name: 'HFS+', megabytes: 64, maker: ['mkfs.hfsplus'], mount: looped('-t', 'hfsplus') },
];

/** Creates and mounts a new disk of this kind below the folder for temporary files, or returns why it cannot. */
export function mountDisk(disk: RealDisk): Mounted | NotMounted {
  if (process.platform !== 'linux') return { kind: 'skipped', reason: 'only Linux mounts a disk in a file like this' };
  const parent = mkdtempSync(path.join(tmpdir(), 'sync-disk-'));
  const folder = path.join(parent, 'disk');
  const own = path.join(folder, 'own');
  const image = path.join(parent, 'image');
  const remove = (): void => rmSync(parent, { recursive: true, force: true, maxRetries: 3 });
  try {
    // Tests that become another user need access to their folders too.
    chmodSync(parent, 0o755);
    mkdirSync(folder);
    writeFileSync(image, '');
    truncateSync(image, disk.megabytes * 1024 * 1024);
    const [program = '', ...options] = disk.maker;
    run(program, ...options, image);
    disk.mount(image, folder);
    mkdirSync(own);
    disk.prepare?.(own);
  } catch (error) {
    unmount(folder);
    remove();
    return { kind: 'skipped', reason: reasonOf(error) };
  }
  return {
    kind: 'mounted',
    folder: own,
    remount: () => {
      run('umount', folder);
      disk.mount(image, folder);
    },
    unmount: () => {
      unmount(folder);
      remove();
    },
  };
}

function unmount(folder: string): void {
  try {
    run('umount', folder);
  } catch {
    // A program of the test may still have a file open: the system unmounts the disk when that program ends.
    try {
      run('umount', '--lazy', folder);
    } catch {
      // It was never mounted.
    }
  }
}

/** Limit for a program, in milliseconds; beyond it the machine cannot mount the disk, because drivers may wait forever. */
const longestMs = 30_000;

/** Returns a program's output. It goes through a file, because a driver in user space keeps a pipe open as long as it runs. */
function run(program: string, ...args: readonly string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sync-said-'));
  const said = path.join(folder, 'said');
  const descriptor = openSync(said, 'w');
  try {
    execFileSync(program, args, { stdio: ['ignore', descriptor, descriptor], timeout: longestMs });
    return readFileSync(said, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error;
    throw new Error(readFileSync(said, 'utf8').trim().split('\n')[0] ?? `${program} failed`, { cause: error });
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT' && 'path' in error) return `${String(error.path)} is not installed`;
  return error.message;
}
