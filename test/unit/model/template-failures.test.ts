import { describe, expect, it } from 'vitest';
import { fileProblems } from '#model/checks/file-problems.ts';
import { parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { verdict } from '#support/language/injected/verdict.ts';
import { indexOf } from '#support/language/problems.ts';
import { filesIn, jinja } from '#support/language/raw.ts';
import { renderTemplates } from '#support/language/rendered.ts';

/** The errors of a model with its templates rendered, as `file: marked text: message`. */
function errorsIn(model: string, index: ModelIndex = indexOf(Object.fromEntries(filesIn(model)))): readonly string[] {
  renderTemplates(index);
  return [...index.files()].flatMap((file) =>
    fileProblems(file, index)
      .filter(({ severity }) => severity === 'error')
      .map(({ problem, start, end }) => `${file.path}: ${file.text.slice(start, end)}: ${problem.message}`),
  );
}

const cube = (rest: string): string => jinja`
  # file: m.yml.jinja
  cubes:
    - name: a
      sql_table: t
      description: ${rest}
`;

describe('a template with what the template engine has or lacks', () => {
  it.each([
    ["{{ 'a'.upper() }}", false],
    ["{{ 'a b'.title() }}", false],
    ["{{ 'a,b'.split(',')[0] }}", false],
    ["{{ 'a'.startswith('a') }}", true],
    ["{{ ({'a': 'b'}).get('a') }}", false],
    ["{{ 'a'.zfill(3) }}", true],
    ["{{ 'a'.nothing() }}", true],
    ["{{ ['a'].append('b') }}", true],
    ["{{ 'a' + 1 }}", true],
    ["{{ 'a' ~ 1 }}", false],
    ["{{ 'a' | replace }}", true],
    ["{{ 'a' | replace('a', 'b') }}", false],
    ['{{ 5 | first }}', true],
    ["{{ ('a').b.c }}", true],
    ["{{ 'a'.b }}", true],
    ["{{ 'a' if false }}", true],
    ['{% for x in 5 %}{% endfor %}a', true],
    ['{% for x, y in [1] %}{% endfor %}a', true],
    ["{% set n = namespace(x=1) %}{% set n.x = n.x + 'a' %}a", true],
    ['{% macro f(a) %}a{% endmacro %}{{ f(1, 2) }}', true],
    ['{% macro f(a) %}a{{ a.b.c }}{% endmacro %}{{ f(1) }}', true],
    ['{% macro f(a) %}a{{ a.b.c }}{% endmacro %}{{ "a" }}', false],
    ['{% if false %}{{ "a".nothing() }}{% endif %}a', false],
    ['{% raw %}{{ "a".nothing() }}{% endraw %}', true],
  ])('is judged as by the engine: %s', async (rest, isRefused) => {
    expect(await verdict(cube(rest))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('the failure of a template', () => {
  it('is at the name that the template engine lacks, whatever is left out before it', () => {
    const model = jinja`
      # file: m.yml.jinja
      {# A
         note #}
      {%- set names = ['a'] -%}

      {{- names.pop('c') -}}
      cubes:
        - name: a
          sql_table: t
    `;
    expect(errorsIn(model)).toEqual([
      'm.yml.jinja: pop: The template engine cannot render this: sequence has no method named pop.',
    ]);
  });

  it('is in the imported file in which it occurs, and reported once', () => {
    const use = jinja`
      {% from 'lib.jinja' import f %}
      cubes:
        - name: a
          sql_table: t
          description: {{ f('x') }}
    `;
    const model = `# file: a.yml.jinja\n${use}# file: b.yml.jinja\n${use.replace('name: a', 'name: b')}# file: lib.jinja\n{% macro f(x) %}\n{{ x.foo() }}{% endmacro %}\n`;
    expect(errorsIn(model)).toEqual([
      'lib.jinja: foo: The template engine cannot render this: string has no method named foo.',
    ]);
  });

  it('is in one tag of several in a line, or covers them', () => {
    expect(errorsIn(cube("{{ 'a' }} {{ ('a').b.c }}"))).toEqual([
      "m.yml.jinja: {{ 'a' }} {{ ('a').b.c }}: The template engine cannot render this: undefined value.",
    ]);
  });

  it('is none of what may never be rendered, or depends on the platform', () => {
    const python = (text: string): readonly string[] => {
      const index = new ModelIndex('');
      index.templateGlobals = { names: ['wanted'], isPython: true };
      index.set(parseFile('m.yml.jinja', text));
      return errorsIn('', index);
    };
    const head = 'cubes:\n  - name: a\n    sql_table: t\n    description: ';
    expect(python(`${head}{{ wanted().nothing() }}\n`)).toEqual([]);
    expect(python(`${head}{% if wanted() %}{{ 'a'.nothing() }}{% endif %}\n`)).toEqual([]);
    expect(python(`${head}a\n{% if wanted() %}\n{{ 'a'.nothing() }}\n{% endif %}\n`)).toEqual([]);
    expect(python(`${head}{% for x in wanted() %}{{ 'a'.nothing() }}{% endfor %}a\n`)).toEqual([]);
    expect(python(`${head}{% macro f(x) %}{{ x.y.z }}{% endmacro %}{{ f(wanted()) }}a\n`)).toEqual([]);
    expect(python(`${head}{% set x = 'a' %}{% if wanted() %}{% set x = {'b': {}} %}{% endif %}{{ x.b.c }}\n`)).toEqual(
      [],
    );
    expect(python(`${head}{{ 'a'.nothing() }}\n`)).toEqual([
      'm.yml.jinja: nothing: The template engine cannot render this: string has no method named nothing.',
    ]);
  });

  it('ends with the next edit, until the template is rendered again', () => {
    const text = [...filesIn(cube("{{ 'a'.nothing() }}")).values()].join('');
    const index = indexOf({ 'm.yml.jinja': text });
    expect(errorsIn('', index)).toHaveLength(1);
    const edited = parseFile('m.yml.jinja', text.replace('nothing', 'upper'));
    index.set(edited);
    expect(fileProblems(edited, index).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(errorsIn('', index)).toEqual([]);
  });

  it('is reported only where nothing else says what is wrong', () => {
    expect(errorsIn(cube("{{ 'a' | nothing }}"))).toHaveLength(1);
    expect(errorsIn(cube("{{ 'a' | }}"))).toHaveLength(1);
  });
});

describe('a template that includes a file', () => {
  it('is rendered again by the engine when only that file has changed', async () => {
    const model = (type: string): string => jinja`
      # file: m.yml.jinja
      {% set is_part = true %}
      cubes:
        - name: a
          sql_table: t
          measures: [{% include 'part.jinja' %}]
      # file: part.jinja
      {%- if is_part is defined -%} {name: c, type: ${type}} {%- endif %}
    `;
    expect(await verdict(model('count'))).toEqual({ engine: false, ours: false });
    expect(await verdict(model('summ'))).toEqual({ engine: true, ours: true });
    expect(await verdict(model('count'))).toEqual({ engine: false, ours: false });
  });
});
