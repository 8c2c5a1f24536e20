import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const heads = 'refs/heads/';

/**
 * Reads the branches of a bare repository and the commits they point at, as Git keeps them: a file for each, and one with those that
 * were packed, of which a file is newer.
 */
export function readBranchRefs(dir: string): ReadonlyMap<string, string> {
  return new Map([...packed(dir), ...loose(join(dir, heads))]);
}

function packed(dir: string): [string, string][] {
  // A line that begins with `#` is a heading, one with `^` belongs to a tag.
  const lines = textOf(join(dir, 'packed-refs'))?.split('\n') ?? [];
  return lines
    .filter((line) => line.startsWith(heads, 41))
    .map((line) => [line.slice(41 + heads.length), line.slice(0, 40)]);
}

function loose(root: string): [string, string][] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(root, path).replaceAll(sep, '/'), readFileSync(path, 'utf8').trim()]);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
