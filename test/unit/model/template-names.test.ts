import { describe, expect, it } from 'vitest';
import { templateProblems } from '#model/checks/check.ts';
import { parseFile } from '#model/file.ts';
import { ModelIndex, type TemplateNames } from '#model/index.ts';

const NO_PYTHON: TemplateNames = { names: [], isPython: false };

/** What is said of names in a template beside `macros.jinja`: severity, text, the fix. */
function problems(text: string, globals: TemplateNames | undefined = NO_PYTHON): string[] {
  const index = new ModelIndex();
  if (globals) index.templateGlobals = globals;
  index.set(parseFile('lib/macros.jinja', '{% macro money(x) %}{{ x }}{% endmacro %}'));
  const file = parseFile('m.yml', text);
  index.set(file);
  return templateProblems(file, index).map(({ severity, start, end, problem }) =>
    [severity, text.slice(start, end), problem.fix?.text].filter((word) => word !== undefined).join(' '),
  );
}

describe('names in templates', () => {
  it.each([
    ['{{ fetch_rows(1) }}', ['error fetch_rows']],
    ["{{ 'a' | uper }}", ['error uper upper']],
    ['{% set a = 1 is ood %}', ['error ood odd']],
    ["{% include 'parts/x.jinja' %}", ['error parts/x.jinja']],
    ["{% from 'lib/macro.jinja' import money %}", ['error lib/macro.jinja']],
  ])('that no cube has are errors: %s', (text, found) => {
    expect(problems(text)).toEqual(found);
  });

  it.each([
    '{% if x %}{{ fetch_rows(1) }}{% endif %}',
    '{% macro m() %}{{ fetch_rows(1) }}{% endmacro %}',
    '{{ fetch_rows(1) if x }}',
    '{{ x or fetch_rows(1) }}',
  ])('cause warnings where the engine may never come by: %s', (text) => {
    expect(problems(text)).toEqual(['warning fetch_rows']);
  });

  it.each([
    "{% from 'lib/macros.jinja' import money %}{{ money(1) | safe }}",
    "{% import './lib/macros.jinja' as m %}{{ m.money(1) }}",
    '{% macro m(f) %}{{ f(1) }}{{ caller() }}{% endmacro %}{{ m(range) }}',
    '{% for f in range(3) recursive %}{{ loop(f) }}{{ f() }}{% endfor %}',
    "{% set ns = namespace(a=1) %}{{ ns.a.items() | join(', ') }}",
    '{% with a = 1, b = 2 %}{{ b(a) }}{% endwith %}',
    "{{ 'fetch_rows(1) | nope is nope' }}{# {{ fetch_rows(1) }} #}",
    "{% raw %}{{ fetch_rows(1) }}{% endraw %}{% include 'notes.txt' %}",
    "{{ env_var('A') }}{{ 1 is not divisibleby(2) }}",
  ])('that the engine or the file has are fine: %s', (text) => {
    expect(problems(text)).toEqual([]);
  });

  // @shows templates
  it('of globals.py are fine, and others are not an error beside it: Python can register names unseen', () => {
    const globals = { names: ['fetch_rows'], isPython: true };
    expect(problems('{{ fetch_rows(1) }}{{ fetch_row(1) }}', globals)).toEqual(['warning fetch_row fetch_rows']);
  });

  it('cause no problem before globals.py was searched for', () => {
    const index = new ModelIndex();
    const file = parseFile('m.yml', '{{ fetch_rows(1) }}');
    index.set(file);
    expect(templateProblems(file, index)).toEqual([]);
  });

  it('cause nothing in a document that stands alone', () => {
    const file = parseFile('m.yml', "{% include 'x.yml' %}");
    expect(templateProblems(file, new ModelIndex(), true)).toEqual([]);
  });
});
