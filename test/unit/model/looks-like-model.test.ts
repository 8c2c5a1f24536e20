import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isModelPath } from '#model/file.ts';
import { looksLikeModel } from '#model/looks-like-model.ts';
import { notModels } from '#support/language/not-models.ts';

describe('a file that looks like a model', () => {
  it.each(Object.entries(notModels))('is not %s', (path, text) => {
    expect(looksLikeModel(path, text)).toBe(false);
  });

  it.each([
    ['orders.yml', 'cubes:\n  - name: orders\n'],
    ['orders.yml', '# Orders\n---\ncubes:\n- name: orders\n  sql_table: t\n'],
    ['orders.yml', 'cubes:\r\n  - sql_table: t\r\n    name: orders\r\n'],
    ['orders.yml', 'cubes:\n  -\n    sql_table: t\n    name: orders\n'],
    ['orders.yml', 'cubes: [{name: orders, sql_table: t}]\n'],
    ['views.yml', 'views:\n\n  # The first one\n  - name: sales\n    cubes: []\n'],
    ['groups.yml', 'view_groups:\n  - name: sales\n'],
    ['all.yml.jinja', '{% set a = 1 %}\ncubes:\n{% for each in a %}\n  - name: {{ each }}\n{% endfor %}\n'],
    ['begun.yml', 'cubes:\n  - \n'],
    ['begun.yml', 'views:\n'],
    ['orders.js', 'cube(`orders`, { sql: `select 1` });\n'],
    ['orders.js', "const a = 1;\n\ncube('orders', {\n  extends: base,\n});\n"],
    ['sales.js', 'view(`sales`, { cubes: [{ join_path: orders, includes: `*` }] });\n'],
  ])('is %s with %j', (path, text) => {
    expect(looksLikeModel(path, text)).toBe(true);
  });

  it('is each file of the real models that has a cube or view', () => {
    const paths = globSync('test/fixtures/corpora/{ix-eda-llm,embeddable*,remarkable*,vanilla*}/**/cubes/*').filter(
      isModelPath,
    );
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !looksLikeModel(path, readFileSync(path, 'utf8')))).toEqual([]);
  });

  it('is decided for any text', () => {
    const line = fc.constantFrom(
      'cubes:',
      'views: ',
      '  - name: a',
      '- ',
      '  -',
      'x: 1',
      '{% if a %}',
      '# c',
      '\t',
      'cube(`a`, {',
    );
    const text = fc.array(fc.oneof(line, fc.string()), { maxLength: 12 }).map((lines) => lines.join('\n'));
    const decided = fc.property(
      text,
      (given) => [looksLikeModel('a.yml', given), looksLikeModel('a.js', given)].length === 2,
    );
    expect(() => fc.assert(decided)).not.toThrow();
  });
});
