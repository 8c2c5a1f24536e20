import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proposedBlocks } from '#chat-core/proposed-files.ts';
import { parseFile } from '#model/file.ts';
import { inventoryOf, missingIn } from '#model/proposed/inventory.ts';
import { classifyBlocks, problemOf } from '#model/proposed/classify-blocks.ts';
import { indented, yaml } from '#support/language/raw.ts';
import { files } from './answers/files.ts';
import { answers } from './answers/index.ts';
import type { Answer } from './answers/kit.ts';

const blocksFor = (path: string, markdown: string) => proposedBlocks(markdown).filter((block) => block.path === path);

describe('classifyBlocks', () => {
  it('covers what agents write every day', () => {
    expect(answers.length).toBeGreaterThanOrEqual(60);
  });

  it.each(answers)('classifies $name', ({ path, markdown, expected }) => {
    const blocks = blocksFor(path, markdown);
    expect(blocks.length).toBeGreaterThan(0);
    expect(classifyBlocks(path, files[path], blocks)).toEqual(classificationOf(expected, files[path] ?? ''));
  });

  const measures = indented(
    4,
    yaml`
      measures:
        - name: three
          sql: three
          type: sum
    `,
  );
  const list = yaml`
    - name: three
      sql: three
      type: sum
  `;
  const partOfCube = `cubes:\n  - name: a\n${measures}`;
  it.each([
    ['an empty file', 'model/a.yml', ''],
    ['a file with blank lines', 'model/a.yml', '\n  \n'],
    ['a file with comments only', 'model/a.yml', '# cubes of sales\n'],
    ['cubes as a flow mapping', 'model/a.yml', 'cubes: { name: a, sql_table: a, measures: [] }\n'],
    [
      'keys that are no model',
      'model/a.yml',
      yaml`
        settings:
          timezone: UTC
      `,
    ],
    ['a script without a cube', 'model/a.js', 'module.exports = { tables: { a: `a` } };\n'],
  ])('never takes a fragment for the whole of %s', (_what, path, base) => {
    for (const text of [measures, list, partOfCube, 'const three = 3;\n']) {
      expect(classifyBlocks(path, base, [{ language: '', text, above: `Add this to ${path}:` }]).kind).not.toBe(
        'change',
      );
    }
  });

  it.each([
    [
      'removes a measure',
      yaml`
        measures:
              - name: count
                type: count
      `,
      'measures:\n',
      /^It would remove the measure “count” of “stores”\.$/,
    ],
    [
      'defines a measure twice',
      '      - name: count\n',
      indented(
        6,
        yaml`
          - name: count
            type: count
          - name: count
        `,
      ),
      /twice/,
    ],
    ['cannot be read', '    measures:\n', '    measures\n', /cannot be read/],
  ])('refuses a result that %s', (_what, from, to, expected) => {
    const path = 'model/cubes/shop.yml';
    const base = files[path] ?? '';
    expect(problemOf(path, base, base, [])).toBeUndefined();
    expect(problemOf(path, base, base.replace(from, to), [])).toMatch(expected);
  });

  it('drops no cube, view or member that the block does not remove by name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(files)), mangled, (path, mangle) => {
        const base = files[path] ?? '';
        const block = { language: '', above: '', text: mangle(base) };
        const classified = classifyBlocks(path, base, [block]);
        if (classified.kind !== 'change') return;
        const lost = missingIn(inventoryOf(parseFile(path, base)), inventoryOf(parseFile(path, classified.text)));
        expect(lost).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('changes nothing but the lines that it adds, however the new member is given', () => {
    const path = 'model/cubes/shop.yml';
    const base = files[path] ?? '';
    const cube = fc.constantFrom('stores', 'suppliers');
    const space = fc.constantFrom('', '  ', '      ', '\t');
    const form = fc.constantFrom<(cube: string, member: string) => string>(
      (_, member) => member,
      (_, member) => yaml`
        measures:
        ${member}`,
      (_, member) => yaml`
        measures:
          # ... existing
        ${member}`,
      (name, member) => yaml`
        cubes:
          - name: ${name}
            measures:
              ${member}`,
      (name, member) => yaml`
        - name: ${name}
          # ...
          measures:
            ${member}`,
    );
    fc.assert(
      fc.property(cube, space, form, fc.stringMatching(/^[a-z]{4,8}_new$/), (name, indent, wrap, member) => {
        const text = wrap(name, `- name: ${member}\n  sql: ${member}\n  type: sum`).replaceAll(/^/gm, indent);
        const classified = classifyBlocks(path, base, [{ language: 'yaml', above: `In the ${name} cube:`, text }]);
        if (classified.kind !== 'change') throw new Error(`The block was not placed: ${JSON.stringify(classified)}`);
        const rest = classified.text.split('\n').filter((line) => !line.includes(member));
        const own = rest.join('\n').replace(/\n {8}type: sum(?=\n|$)/, '');
        expect(own).toBe(base);
        const owner =
          classified.text.indexOf('name: suppliers') < classified.text.indexOf(member) ? 'suppliers' : 'stores';
        expect(owner).toBe(name);
      }),
    );
  });
});

/** A file as an answer may give it: without some lines, with marks for what is left out, cut, moved to the side. */
const mangled: fc.Arbitrary<(text: string) => string> = fc
  .record({
    drop: fc.array(fc.nat(60), { maxLength: 6 }),
    elide: fc.array(fc.nat(60), { maxLength: 3 }),
    mark: fc.constantFrom('# ...', '...', '# existing members', '// ... rest'),
    cut: fc.tuple(fc.nat(40), fc.nat(60)),
    isCut: fc.boolean(),
    indent: fc.constantFrom('', '  ', '\t'),
    rename: fc.boolean(),
  })
  .map(({ drop, elide, mark, cut, isCut, indent, rename }) => (text: string) => {
    const lines = text
      .split('\n')
      .flatMap((line, at) => (elide.includes(at) ? [mark] : drop.includes(at) ? [] : [line]));
    const [from, length] = cut;
    const left = isCut ? lines.slice(from, from + length) : lines;
    const changed = left.map((line) => indent + (rename ? line.replace('count', 'counted') : line));
    return changed.join('\n');
  });

function classificationOf(expected: Answer['expected'], base: string): unknown {
  if (expected === 'quote') return { kind: 'quote' };
  if ('draft' in expected) return { kind: 'draft', reason: expected.draft };
  if ('creates' in expected) return { kind: 'change', text: expected.creates, removed: [] };
  return { kind: 'change', text: expected.becomes(base), removed: expected.removes ?? [] };
}
