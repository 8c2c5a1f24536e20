import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const heads = 'refs/heads/';

/**
 * Reads the branches of a bare repository and the commits they point at, as Git keeps them: a file for each, and one with those that
 * were packed, of which a file is newer. A Git command may delete branches meanwhile.
 */
export function readBranchRefs(dir: string): ReadonlyMap<string, string> {
  return new Map([...packed(dir), ...loose(join(dir, heads), '')]);
}

function packed(dir: string): [string, string][] {
  // A line that begins with `#` is a heading, one with `^` belongs to a tag.
  const lines = ifThere(() => readFileSync(join(dir, 'packed-refs'), 'utf8'))?.split('\n') ?? [];
  return lines
    .filter((line) => line.startsWith(heads, 41))
    .map((line) => [line.slice(41 + heads.length), line.slice(0, 40)]);
}

function loose(folder: string, prefix: string): [string, string][] {
  const entries = ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry): [string, string][] => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return loose(path, `${prefix}${entry.name}/`);
    // Git writes a new commit beside the old one, and no branch may be called so.
    if (entry.name.endsWith('.lock')) return [];
    const commit = ifThere(() => readFileSync(path, 'utf8'))?.trim();
    return commit === undefined ? [] : [[`${prefix}${entry.name}`, commit]];
  });
}

/** What a call answers; undefined where its file or folder is gone. */
function ifThere<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
