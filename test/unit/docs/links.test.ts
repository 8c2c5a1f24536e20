import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsIn, brokenLinks } from '../../tools/doc-links.ts';
import { root } from '../../tools/run.ts';

/** What is read for links; everything else only has to exist. */
const READ = /\.(?:md|[cm]?tsx?|[cm]?js|yml|json)$/;
const FOLDERS = ['src', 'test', 'docs', 'media', '.github', '.devcontainer', '.vscode', '.ci'];

const repository = new Map<string, string | undefined>(
  [...filesAtRoot(), ...FOLDERS.flatMap((folder) => filesBelow(folder))].map((path) => [
    path,
    READ.test(path) && !path.startsWith('test/fixtures/') ? readFileSync(join(root, path), 'utf8') : undefined,
  ]),
);

function filesAtRoot(): readonly string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    );
}

describe('the links of the documentation', () => {
  it('all lead to a file, and to a heading where they name one', () => {
    expect(brokenLinks(repository)).toEqual([]);
  });
});

/** The links that are found broken in a repository of these files. */
function brokenIn(files: Readonly<Record<string, string>>): readonly string[] {
  return brokenLinks(new Map(Object.entries(files))).map(
    ({ file, line, link, why }) => `${file}:${line} ${link}: ${why}`,
  );
}

describe('brokenLinks', () => {
  const guide = '# Guide\n\n## What it does\n';
  const GUIDE = 'docs/guide.md';
  const gone = 'gone.md';

  it('accepts links to files, folders, headings and web addresses', () => {
    const page = '[a](guide.md) [b](guide.md#what-it-does) [c](../src/) [d](https://example.com/x.md#y) [e](#page)';
    expect(brokenIn({ 'docs/page.md': `# Page\n\n${page}`, 'docs/guide.md': guide, 'src/a.ts': '' })).toEqual([]);
  });

  it('reports a page that does not exist, with its line', () => {
    expect(brokenIn({ 'docs/page.md': 'First.\n\n[a](gone.md)' })).toEqual([
      'docs/page.md:3 gone.md: there is no such file',
    ]);
  });

  it('reports a heading that does not exist', () => {
    expect(brokenIn({ 'README.md': '[a](docs/guide.md#what-it-did)', 'docs/guide.md': guide })).toEqual([
      'README.md:1 docs/guide.md#what-it-did: the page has no such heading',
    ]);
  });

  it('reports a comment in a source file that links to nowhere', () => {
    const source = `/** See ${GUIDE}#what-it-does. */\n// ${GUIDE}#nothing and docs/${gone}`;
    expect(brokenIn({ 'src/a.ts': source, 'docs/guide.md': guide })).toEqual([
      'src/a.ts:2 docs/guide.md#nothing: the page has no such heading',
      'src/a.ts:2 docs/gone.md: there is no such file',
    ]);
  });

  it('reports a link that leaves the repository', () => {
    expect(brokenIn({ 'docs/page.md': '[a](../../other/page.md)' })).toEqual([
      'docs/page.md:1 ../../other/page.md: leads out of the repository',
    ]);
  });

  it('reads no links in code', () => {
    expect(brokenIn({ 'docs/page.md': '`[a](gone.md)`\n```md\n[b](gone.md)\n```' })).toEqual([]);
  });
});

describe('anchorsIn', () => {
  it('names headings as GitHub does', () => {
    const page = '# The `sync` table\n## A & B\n## Row 1\n## Row 1\n<a id="own"></a>\n```\n# not a heading\n```';
    expect([...anchorsIn(page)].toSorted()).toEqual(['a--b', 'own', 'row-1', 'row-1-1', 'the-sync-table']);
  });
});
