import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileEntry, sha1, type Worktree } from '../git/worktree.ts';
import type { Core } from './core.ts';

/** Bytes on disk that wait to be moved to their place. */
export interface Staged {
  readonly staged: string;
  readonly entry: FileEntry;
}

/** Writes bytes beside the repository, on the same file system, so that one rename puts them in place. */
export async function stage(core: Core, deploymentId: number, bytes: Uint8Array): Promise<Staged> {
  const folder = core.repository(deploymentId).stagingDir;
  await mkdir(folder, { recursive: true });
  const staged = join(folder, randomUUID());
  await writeFile(staged, bytes);
  return { staged, entry: { hash: sha1(bytes), size: bytes.byteLength } };
}

/** Second names for files of a working copy, in the order given. */
export async function stageLinks(
  core: Core,
  deploymentId: number,
  worktree: Worktree,
  paths: readonly string[],
): Promise<string[]> {
  const staged: string[] = [];
  for (const path of paths) {
    const target = join(core.repository(deploymentId).stagingDir, randomUUID());
    await worktree.linkTo(path, target);
    staged.push(target);
  }
  return staged;
}
