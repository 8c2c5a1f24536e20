import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layerNames } from '../../tools/layers.ts';
import { root } from '../../tools/run.ts';

const known = new Set(
  ['src', 'test']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
    .concat(readdirSync(root))
    .map((path) => basename(path)),
);

describe('the page of each layer', () => {
  it.each(layerNames)('is there and names only files that are: %s', (layer) => {
    const text = readFileSync(join(root, 'src', layer, 'README.md'), 'utf8');
    const named = [...text.matchAll(/[\w./-]+\.(?:tsx?|mjs|json)\b/g)].map(([path]) => basename(path));
    // The person's own.
    expect(named.filter((name) => !known.has(name) && name !== 'modelbench.json')).toEqual([]);
  });
});
