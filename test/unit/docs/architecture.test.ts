import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrows } from '../../tools/layers.ts';
import { root } from '../../tools/run.ts';

const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

/** What the map lacks or has too much of. */
function problems(text: string): readonly string[] {
  const words = text.split(/\s+/).length;
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const named = [...text.matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  return [
    ...(words > 1200 ? [`it has ${words} words`] : []),
    ...folders.filter(({ name }) => !text.includes(`src/${name}`)).map(({ name }) => `src/${name} is not on the map`),
    ...Object.keys(arrows)
      .filter((name) => !text.includes(name))
      .map((name) => `the feature ${name} is not on the map`),
    ...named.filter((path) => !existsSync(join(root, path))).map((path) => `${path} does not exist`),
  ];
}

describe('ARCHITECTURE.md', () => {
  it('stays short, names every folder of src and every feature, and no path that does not exist', () => {
    expect(problems(page)).toEqual([]);
  });

  it('would be found wrong with too many words, without a folder or a feature, or with a wrong path', () => {
    expect(problems(`${page} word`.padEnd(20_000, ' word'))).toHaveLength(1);
    expect(problems(page.replaceAll('src/compose', 'src'))).toEqual(
      expect.arrayContaining(['src/compose is not on the map']),
    );
    expect(problems(page.replaceAll('lineage', ''))).toEqual(['the feature lineage is not on the map']);
    expect(problems(`${page}\n\`src/nowhere.ts\``)).toEqual(['src/nowhere.ts does not exist']);
  });
});
