import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a folder by their paths, and its folders (`undefined`), each before what is in it. */
type Entries = ReadonlyMap<string, Buffer | undefined>;

/**
 * Returns what puts a small folder back to how it is now, at the same path; it has no links. A file that is still the same is left
 * alone, so that what a program noted of its times remains true.
 */
export function keptFolder(folder: string): () => void {
  const kept = entriesOf(folder);
  const modes = new Map([...kept.keys()].map((path) => [path, statSync(path).mode & 0o777]));
  return () => {
    const found = entriesOf(folder);
    for (const [path, bytes] of found)
      if (!kept.has(path) || (bytes === undefined) !== (kept.get(path) === undefined))
        rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    for (const [path, bytes] of kept) {
      const mode = modes.get(path);
      if (bytes === undefined) mkdirSync(path, { recursive: true, mode });
      else if (found.get(path)?.equals(bytes) !== true) writeFileSync(path, bytes, { mode });
    }
  };
}

function entriesOf(path: string): Entries {
  if (!existsSync(path)) return new Map();
  if (!statSync(path).isDirectory()) return new Map([[path, readFileSync(path)]]);
  const inside = readdirSync(path).flatMap((name) => [...entriesOf(join(path, name))]);
  return new Map([[path, undefined], ...inside]);
}
