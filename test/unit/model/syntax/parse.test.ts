import { readFileSync, globSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSimple } from '#model/syntax/yaml/simple-yaml.ts';
import { maskJinja } from '#model/syntax/jinja/jinja.ts';
import { parseFull } from '#model/syntax/yaml/full-yaml.ts';
import { splitYaml } from '#model/syntax/yaml/split.ts';
import { walk, type TreeNode } from '#model/syntax/tree.ts';

const corpora = globSync('test/fixtures/corpora/**/*.{yml,yaml,jinja}');

/** Names, values and ranges of a tree; a block scalar's trailing blank lines are not compared. */
function outline(node: TreeNode | undefined): string[] {
  const found: string[] = [];
  walk(node, (item) => {
    const value = item.kind === 'scalar' && item.style !== 'block' ? item.value : '';
    found.push(
      `${item.kind} ${item.start} ${item.kind === 'scalar' && item.style === 'block' ? '' : item.end} ${value}`,
    );
  });
  return found;
}

function chunks(text: string): string[] {
  const masked = maskJinja(text).text;
  return splitYaml(masked).ranges.map(({ start, end }) => masked.slice(start, end));
}

/** What the fast parser takes, the full parser takes without complaint and reads the same. */
function agree(text: string): boolean {
  const fast = parseSimple(text);
  if (!fast) return false;
  const slow = parseFull(text);
  expect({ text, problems: slow.problems, nodes: outline(fast.node) }).toEqual({
    text,
    problems: [],
    nodes: outline(slow.node),
  });
  return true;
}

describe('the fast parser', () => {
  // @shows yaml-scanner
  it('reads the corpora as `yaml` does, and nearly all of them', () => {
    const all = corpora.flatMap((path) => chunks(readFileSync(path, 'utf8')));
    const fast = all.filter(agree);
    expect(fast.length).toBeGreaterThan(all.length * 0.95);
  });

  it('ends a block where its text ends, whatever spaces follow', () => {
    for (const text of ['- name: a\n  sql: >\n    x \n', '- name: a\n  sql: |\n    x: \n  title: b\n'])
      expect(agree(text)).toBe(true);
  });

  // @shows yaml-scanner
  it('never disagrees with `yaml` on mutated models', () => {
    const texts = corpora.flatMap((path) => chunks(readFileSync(path, 'utf8'))).filter((text) => text.length < 1500);
    const piece = fc.constantFrom(
      ':',
      ': ',
      '- ',
      '\n',
      ' ',
      '  ',
      '"',
      "'",
      '{',
      '}',
      '[',
      ']',
      ',',
      '#',
      ' #',
      '|',
      '>',
      '&a ',
      '*a',
      '?',
      '\t',
      'x',
      '1',
      '!t ',
      '\\',
      '@',
      '\r\n',
      '%',
    );
    const mutation = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(3), insert: piece });
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(mutation, { minLength: 1, maxLength: 3 }), (text, mutations) => {
        let mutated = text;
        for (const { at, remove, insert } of mutations) {
          const offset = Math.floor(at * mutated.length);
          mutated = mutated.slice(0, offset) + insert + mutated.slice(offset + remove);
        }
        expect([true, false]).toContain(agree(mutated));
      }),
      { numRuns: 1500, seed: 20261121 },
    );
  });
});
