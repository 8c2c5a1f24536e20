import { type FollowedLink, followedLinkAbove } from '#sync/core/selection/followed-link.ts';
import type { LocalState } from '#sync/core/ports.ts';
import { codeOf } from '#base/system-error.ts';
import type { Disk } from './disk.ts';
import type { DiskCalls } from './disk-calls.ts';
import type { ModelFolder } from './model-folder.ts';
import { readStable, type StableRead } from './read-file.ts';

/** A file that is read. */
export interface LocalRead {
  /** The platform's path. */
  readonly file: string;
  /** Whether the bytes are wanted, too. */
  readonly keep: boolean;
  /** The links that the last scan followed: only what lies behind these is read through a link. */
  readonly links: ReadonlyMap<string, FollowedLink>;
}

/** Reads a file of the linked folder in one go, or returns why it is not one. */
export function readLocal(disk: Disk, folder: ModelFolder, read: LocalRead): StableRead | LocalState {
  const link = followedLinkAbove(read.file, read.links);
  if (link !== undefined) return readLinked(disk.calls, folder, { ...read, link });
  const { file, keep } = read;
  const target = folder.resolve(file);
  const reach = folder.reach(file);
  if (reach === 'blocked') return { kind: 'frozen', reason: 'special' };
  if (reach === 'file') return { kind: 'frozen', reason: 'folderName' };
  const known = reach === 'missing' ? undefined : disk.stat(target);
  // Found with different letter case, it is a file with another name.
  if (!known || folder.isMisnamed(target)) return { kind: 'absent' };
  if (known.isSymbolicLink()) return { kind: 'frozen', reason: 'symlink' };
  if (known.isDirectory()) return { kind: 'frozen', reason: 'folderName' };
  if (!known.isFile()) return { kind: 'frozen', reason: 'special' };
  try {
    const found = readStable(disk.calls, target, keep);
    // A link that has just replaced a folder may lead to someone else's files.
    if (!folder.isStillInside(file)) return { kind: 'frozen', reason: 'special' };
    return found ?? { kind: 'frozen', reason: 'unstable' };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'absent' };
    return { kind: 'frozen', reason: 'unreadable' };
  }
}

/** Reads a file behind a link (docs/sync.md#deploys); it is frozen if the link now leads somewhere else. */
function readLinked(
  calls: DiskCalls,
  folder: ModelFolder,
  { file, keep, links, link }: LocalRead & { readonly link: string },
): StableRead | LocalState {
  try {
    if (calls.realPath(folder.resolve(link)) !== links.get(link)?.target) return { kind: 'frozen', reason: 'symlink' };
    const real = calls.realPath(folder.resolve(file));
    const stat = calls.lstat(real);
    if (stat?.isDirectory() === true) return { kind: 'frozen', reason: 'folderName' };
    if (stat?.isFile() !== true) return { kind: 'frozen', reason: 'special' };
    return readStable(calls, real, keep) ?? { kind: 'frozen', reason: 'unstable' };
  } catch (error) {
    const isGone = ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
    return isGone ? { kind: 'absent' } : { kind: 'frozen', reason: 'unreadable' };
  }
}
