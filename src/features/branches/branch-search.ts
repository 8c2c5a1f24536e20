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

/** Shorter texts are in every line. */
const leastLength = 2;

/**
 * Places that hold a text, whatever its case, by path and line; a line counts once. VS Code searches files on the disk
 * only, so the contents that were fetched for reading are searched here.
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
