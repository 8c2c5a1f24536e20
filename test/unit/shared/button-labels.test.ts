import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localisedManifest } from '#support/manifest.ts';
import { root } from '../../tools/run.ts';

/** Words that stay in lower case inside of a title. */
const small = new Set([
  'a',
  'an',
  'and',
  'as',
  'at',
  'by',
  'for',
  'from',
  'in',
  'into',
  'its',
  'of',
  'on',
  'or',
  'the',
  'to',
  'with',
]);

/** Names with a spelling of their own. */
const names = new Set(['curl', 'dbt']);

/** Whether a label is in Title Case, like the buttons and commands of VS Code. */
function isTitle(label: string): boolean {
  return label
    .replace(/ \(.*\)$/, '')
    .split(/[\s,/-]+/)
    .every((word, at) => /^[^a-z]/.test(word) || names.has(word) || (at > 0 && small.has(word)) || word === '');
}

/** The texts of buttons in the source of a page: labels of icons, and plain texts between the tags. */
function labelsIn(source: string): readonly string[] {
  const icons = [...source.matchAll(/<(?:IconButton|Again)\b[^>]*?\blabel="([^"]+)"/gs)];
  const texts = [...source.matchAll(/<button\b(?:[^>]|=>)*>\s*([A-Z][\w ’…]*?)\s*<\/button>/gs)];
  return [...icons, ...texts].map(([, label = '']) => label);
}

const pages = globSync('src/**/page/**/*.tsx', { cwd: root });

describe('labels of buttons and commands', () => {
  it('are in Title Case on every page', () => {
    const labels = pages.flatMap((file) => labelsIn(readFileSync(join(root, file), 'utf8')));
    expect(labels.length).toBeGreaterThan(40);
    expect(labels.filter((label) => !isTitle(label))).toEqual([]);
  });

  it('are in Title Case in the manifest', () => {
    const { contributes } = JSON.parse(localisedManifest()) as {
      readonly contributes: { readonly commands: readonly { readonly title: string }[] };
    };
    expect(contributes.commands.map(({ title }) => title).filter((title) => !isTitle(title))).toEqual([]);
  });

  it('would be noticed in another case', () => {
    expect(
      labelsIn('<IconButton icon="x"\n label="Ask again" /><button type="button">\n Show more\n</button>'),
    ).toEqual(['Ask again', 'Show more']);
    expect(['Ask again', 'Show more', 'Copy as CSV', 'Find in This Thread (Ctrl+F)'].map(isTitle)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
