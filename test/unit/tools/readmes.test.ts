import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrows } from '../../tools/layers.ts';
import { root } from '../../tools/run.ts';

const linking = ['SECURITY.md', 'docs/security.md'];

/** Links of a page to files of the repository. */
const linksOf = (text: string): readonly string[] =>
  [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target);

const known = new Set(
  ['src', 'test', 'media']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
    .concat(readdirSync(root))
    .map((path) => basename(path)),
);

/** A user's own, a placeholder, and a file of another repository. */
const others = ['modelbench.json', 'NAME.json', 'contributionUtils.ts'];

/** Every folder of `src` says what it is. */
const folders = [
  'api',
  'base',
  'chat-core',
  'cli',
  'compose',
  'features',
  'language-server',
  'model',
  'shared/page',
  'shell',
  'tools',
].concat(
  ['shell/vscode', 'sync/core', 'sync/disk'],
  Object.keys(arrows).map((name) => `features/${name}`),
);
const pages = [...folders.map((folder) => `src/${folder}/README.md`), 'ARCHITECTURE.md', 'CONTRIBUTING.md'];

describe('a page for developers', () => {
  it.each(pages)('exists and names only files that exist: %s', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const named = [...text.matchAll(/[\w./-]+\.(?:tsx?|mjs|json)\b/g)].map(([path]) => basename(path));
    expect(named.filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
  });
});

describe('a page about security', () => {
  it.each(linking)('links only to files that are there: %s', (page) => {
    const links = linksOf(readFileSync(join(root, page), 'utf8'));
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });

  it('names for each rule where it is and what proves it', () => {
    const rows = readFileSync(join(root, 'docs/security.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| **'));
    const rules = rows.map((row) => row.split('|').slice(1, -1)).filter((cells) => cells.length === 4);
    expect(rules.length).toBeGreaterThan(12);
    const isLinked = (cell = ''): boolean => linksOf(cell).length > 0;
    expect(rules.filter(([, , where, proof]) => !isLinked(where) || !isLinked(proof))).toEqual([]);
  });

  it('would be noticed with a link to nowhere', () => {
    expect(linksOf('[a](../src/nowhere.ts), [b](https://example.com), [c](x.md#part)')).toEqual([
      '../src/nowhere.ts',
      'x.md',
    ]);
  });
});
