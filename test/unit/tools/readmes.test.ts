import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layerNames } from '../../tools/layers.ts';
import { root } from '../../tools/run.ts';

const known = new Set(
  ['src', 'test', 'media']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
    .concat(readdirSync(root))
    .map((path) => basename(path)),
);

/** A person's own, a placeholder, and a file of another repository. */
const others = ['modelbench.json', 'NAME.json', 'contributionUtils.ts'];

const pages = [...layerNames.map((layer) => `src/${layer}/README.md`), 'ARCHITECTURE.md', 'CONTRIBUTING.md'];

describe('a page for developers', () => {
  it.each(pages)('is there and names only files that are: %s', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const named = [...text.matchAll(/[\w./-]+\.(?:tsx?|mjs|json)\b/g)].map(([path]) => basename(path));
    expect(named.filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
  });
});
