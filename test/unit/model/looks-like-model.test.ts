import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isModelPath } from '#model/project/model-path.ts';
import { language } from '#model/language/language.ts';
import { KEYS_OF_MODELS, looksLikeModel } from '#model/project/looks-like-model.ts';
import { notModels } from '#support/language/not-models.ts';
import { jinja, js, yaml } from '#support/language/raw.ts';

const { cube: cubes, view: views, viewGroup: groups } = language;

describe('a file that looks like a model', () => {
  it('is recognised by keys of the language', () => {
    const known = new Set([cubes, views, groups].flatMap(({ keys }) => Object.keys(keys)));
    expect(KEYS_OF_MODELS.filter((key) => !known.has(key))).toEqual([]);
  });

  it.each(Object.entries(notModels))('is not %s', (path, text) => {
    expect(looksLikeModel(path, text)).toBe(false);
  });

  it.each<readonly [path: string, what: string, text: string]>([
    [
      'orders.yml',
      'a cube',
      yaml`
        cubes:
          - name: orders
      `,
    ],
    [
      'orders.yml',
      'a key that is misspelt',
      yaml`
        cubes:
          - name: orders
            sql_tabel: t
      `,
    ],
    [
      'orders.yml',
      'a cube as in JavaScript, with a key that nobody knows',
      yaml`
        cubes:
          - name: orders
            owner: team
            preAggregations: []
      `,
    ],
    ['orders.yml', 'a byte order mark', '\uFEFFcubes:\n  - name: orders\n    sql_table: t\n'],
    [
      'orders.yml',
      'keys in quotes',
      yaml`
        "cubes":
          - "name": orders
            'sql_table': t
      `,
    ],
    [
      'orders.yml',
      'a key of another tool beside its SQL',
      yaml`
        cubes:
          - name: orders
            fact: t
            dimensions:
              - name: id
                sql: id
      `,
    ],
    [
      'orders.yml',
      'a comment and a mark of the document above it',
      yaml`
        # Orders
        ---
        cubes:
        - name: orders
          sql_table: t
      `,
    ],
    [
      'orders.yml',
      'Windows line ends, and a name that is not the first key',
      yaml`
        cubes:
          - sql_table: t
            name: orders
      `.replaceAll('\n', '\r\n'),
    ],
    [
      'orders.yml',
      'a dash on a line of its own',
      yaml`
        cubes:
          -
            sql_table: t
            name: orders
      `,
    ],
    [
      'orders.yml',
      'cubes in one line',
      yaml`
        cubes: [{name: orders, sql_table: t}]
      `,
    ],
    [
      'views.yml',
      'a blank line and a comment in front of the first view',
      yaml`
        views:

          # The first one
          - name: sales
            cubes: []
      `,
    ],
    [
      'groups.yml',
      'a group of views',
      yaml`
        view_groups:
          - name: sales
      `,
    ],
    [
      'all.yml.jinja',
      'a loop of a template',
      jinja`
        {% set a = 1 %}
        cubes:
        {% for each in a %}
          - name: {{ each }}
        {% endfor %}
      `,
    ],
    ['begun.yml', 'a cube that has nothing yet', 'cubes:\n  - \n'],
    ['begun.yml', 'no view yet', 'views:\n'],
    [
      'orders.js',
      'a cube in one line',
      js`
        cube(\`orders\`, { sql: \`select 1\` });
      `,
    ],
    [
      'orders.js',
      'a constant above its cube',
      js`
        const a = 1;

        cube('orders', {
          extends: base,
        });
      `,
    ],
    [
      'sales.js',
      'a view',
      js`
        view(\`sales\`, { cubes: [{ join_path: orders, includes: \`*\` }] });
      `,
    ],
  ])('is %s with %s', (path, _, text) => {
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
