import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outsideReferences } from '../../tools/outside-references.ts';
import { root } from '../../tools/run.ts';

const TEXTS = [
  '{src,test,docs,media,.github,.devcontainer,.vscode,.ci}/**/*.{ts,tsx,mjs,md,json,yml,css}',
  '*.{md,mjs,ts,json}',
];
/** Models of other projects, installed packages, and the two files that name the phrases themselves. */
const LEFT_OUT = /^test\/fixtures\/|node_modules\/|^package-lock\.json$|outside-references(?:\.test)?\.ts$/;

const files = new Map(
  globSync(TEXTS, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !LEFT_OUT.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

describe('the repository', () => {
  it('refers to no document outside of it', () => {
    expect(files.size).toBeGreaterThan(1000);
    expect(outsideReferences(files)).toEqual([]);
  });
});

describe('outsideReferences', () => {
  const found = (line: string): readonly string[] =>
    outsideReferences(new Map([['src/a.ts', `\n${line}`]])).map(({ line: at, phrase }) => `${at} ${phrase}`);

  it.each([
    ['/** See design/sync.md. */', '2 design/sync'],
    ['// research/sync.md 1.1', '2 research/sync'],
    ["const spec = '../shared/writing.md';", '2 ../shared'],
    ['/** Management 4.11. */', '2 Management 4.11'],
    ['/** The order of lines (chat 6.1). */', '2 chat 6.1'],
    ['/** Its shape is from payloads, Build API. */', '2 payloads, B'],
    ['/** Names (§1.4). */', '2 §1'],
    ['/** ◇ Deletes a branch. */', '2 ◇'],
    ['/** In neither document. */', '2 neither document'],
    ['/** A field that no document lists. */', '2 no document lists'],
    ['/** The documents leave it open. */', '2 The documents leave'],
  ])('finds %s', (line, phrase) => {
    expect(found(line)).toEqual([phrase]);
  });

  it.each([
    '/** See docs/sync.md#row-5. */',
    "import { specOf } from './chart/spec/values.ts';",
    "import '#shared/page/visible.ts';",
    '/** Shows two documents beside each other. */',
    "const marks = ['§', 'ß'];",
    '/** The management API. */',
  ])('accepts %s', (line) => {
    expect(found(line)).toEqual([]);
  });
});
