import type { Problem } from '../codes.ts';
import type { Chunk } from '../file.ts';
import { isDynamic, type MapNode, type ScalarNode } from '../syntax/tree.ts';
import { quotedKey } from './quoted-value.ts';

/** Reports the keys of a map that are there already; `isHarmless` is whether the last of them silently wins. */
export function checkDuplicates(node: MapNode, chunk: Chunk, isHarmless = false): Problem[] {
  if (chunk.templated || isConflicted(chunk)) return [];
  const problems: Problem[] = [];
  const seen = new Map<string, ScalarNode>();
  for (const { key, end } of node.pairs) {
    const first = seen.get(key.value);
    if (!first) seen.set(key.value, key);
    else if (!isDynamic(key.value)) {
      problems.push({
        code: 'duplicate-key',
        // The engine compares only keys that are written there.
        severity: isHarmless || [key, first].some(({ style }) => style === 'code') ? 'warning' : undefined,
        start: key.start,
        end: key.end,
        message: `${quotedKey(key.value)} appears twice.`,
        related: [{ chunk, start: first.start, end: first.end, message: 'The first one.' }],
        fix: { title: `Remove the second ${quotedKey(key.value)}`, start: key.start, end, text: '' },
      });
    }
  }
  return problems;
}

/** Checks whether a chunk is in a file with merge conflicts, so that it may hold both sides. */
function isConflicted(chunk: Chunk): boolean {
  return chunk.problems.some(({ code }) => code === 'conflict-marker');
}
