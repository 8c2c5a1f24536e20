import type { BranchTree } from '#features/folders/index.ts';

/** One match in a file of a branch; lines and characters count from 0. */
export interface SearchHit {
  readonly path: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The line without its indentation. */
  readonly text: string;
}

/** Shorter texts occur in nearly every line. */
const leastLength = 2;

/**
 * Finds the lines that contain a text, ignoring case, in the order of path and line; each line counts once. VS Code searches
 * files on the disk only, so this searches the contents that were fetched for reading.
 */
export function searchTree(tree: BranchTree, wanted: string, limit: number): readonly SearchHit[] {
  const text = wanted.trim().toLowerCase();
  const hits: SearchHit[] = [];
  if (text.length < leastLength) return hits;
  for (const path of [...tree.keys()].sort()) {
    const content = tree.get(path)?.content ?? '';
    if (!content.toLowerCase().includes(text)) continue;
    for (const [line, whole] of content.split('\n').entries()) {
      const start = whole.toLowerCase().indexOf(text);
      if (start === -1) continue;
      hits.push({ path, line, start, end: start + text.length, text: whole.trim() });
      if (hits.length >= limit) return hits;
    }
  }
  return hits;
}
