import { describe, expect, it } from 'vitest';
import { jinja } from '#support/language/raw.ts';
import { completions, definitions, hovered, renamed, renameRefusal, uses } from '#support/language/show.ts';

const TEMPLATES = jinja`
  # file: m.yml
  {% from "macros/columns.jinja" import column, total as sum_of %}
  {% import "macros/columns.jinja" as columns %}
  {% set kinds = ["a", "b"] %}
  cubes:
    - name: orders
      sql_table: orders
      dimensions:
  {% for kind in kinds %}
        - name: {{ kind | upper }}_x
          sql: {{ column(kind, prefix="c") }}
          type: string
  {% endfor %}
      measures:
        - name: total
          sql: {{ sum_of("x") }} {{ columns.column("y") }}
          type: number
  # file: macros/columns.jinja
  {% macro column(name, prefix="") %}{{ prefix }}_{{ name }}{% endmacro %}
  {% macro total(name) %}SUM({{ column(name) }}){% endmacro %}
`;

/** The templates with the cursor behind the first occurrence of a text. */
const at = (text: string): string => {
  const found = TEMPLATES.indexOf(text);
  expect(found).not.toBe(-1);
  return `${TEMPLATES.slice(0, found + text.length)}$0${TEMPLATES.slice(found + text.length)}`;
};

const COLUMN = '**column** · macro\n\n```jinja\ncolumn(name, prefix="")\n```\n\nDefined in macros/columns.jinja';

describe('the hover of a name in a template', () => {
  // @shows templates
  it.each([
    ['a macro', '{{ colu', COLUMN],
    [
      'a macro under another name',
      '{{ sum',
      '**total** · macro\n\n```jinja\ntotal(name)\n```\n\nDefined in macros/columns.jinja',
    ],
    ['a macro behind its template', 'columns.col', COLUMN],
    ['a variable', 'in kin', '**kinds** · variable\n\n```jinja\nkinds = ["a", "b"]\n```'],
    ['a loop variable', '{{ kin', '**kind** · loop variable\n\n```jinja\nfor kind in kinds\n```'],
    ['a parameter', '{{ pre', '**prefix** · parameter'],
    ['a filter', '| upp', '**upper** · filter of templates\n\nThe text in upper case.'],
    [
      'a statement',
      '{% fo',
      '**for** · statement of templates\n\nRepeats its body for each item: `{% for x in list %}`.',
    ],
    ['a template that is imported', 'as colum', '**columns** · import\n\nFrom `macros/columns.jinja`'],
  ])('shows %s', (_, text, expected) => {
    expect(hovered(at(text)).drawn).toBe(expected);
  });
});

describe('the definition of a name in a template', () => {
  // @shows templates
  it.each([
    ['a macro', '{{ colu', 'macros/columns.jinja:1 column'],
    ['a macro under another name', '{{ sum', 'macros/columns.jinja:2 total'],
    ['a macro behind its template', 'columns.col', 'macros/columns.jinja:1 column'],
    ['a variable', 'in kin', 'm.yml:3 kinds'],
    ['a loop variable', '{{ kin', 'm.yml:8 kind'],
    ['a parameter', '{{ pre', 'macros/columns.jinja:1 prefix'],
  ])('is found for %s', (_, text, place) => {
    expect(definitions(at(text)).drawn).toBe(place);
  });

  it('is the template for a path', () => {
    expect(definitions(at('from "macros/col')).drawn).toMatch(/^macros\/columns.jinja:1/);
  });
});

describe('the uses of a name in a template', () => {
  // @shows templates
  it('are found through imports, other names and the template in front', () => {
    expect(uses(at('{{ colu'))).toMatchInlineSnapshot(`
      macros/columns.jinja:1 column
      m.yml:1 column
      m.yml:10 column
      m.yml:15 column
      macros/columns.jinja:2 column
    `);
    expect(uses(at('{{ sum'))).toMatchInlineSnapshot(`
      macros/columns.jinja:2 total
      m.yml:1 total
    `);
  });

  it('end with the loop or the macro that declares it', () => {
    expect(uses(at('{{ kin'))).toMatchInlineSnapshot(`
      m.yml:8 kind
      m.yml:9 kind
      m.yml:10 kind
    `);
    expect(uses(at('{{ pre'))).toMatchInlineSnapshot(`
      macros/columns.jinja:1 prefix
      m.yml:10 prefix
      macros/columns.jinja:1 prefix
    `);
  });
});

describe('rename of a name in a template', () => {
  // @shows templates
  it('changes a macro in every file that imports it', () => {
    expect(renamed(at('{{ colu'), 'field')).toMatchInlineSnapshot(`
      macros/columns.jinja
      1 - {% macro column(name, prefix="") %}{{ prefix }}_{{ name }}{% endmacro %}
      2 - {% macro total(name) %}SUM({{ column(name) }}){% endmacro %}
      1 + {% macro field(name, prefix="") %}{{ prefix }}_{{ name }}{% endmacro %}
      2 + {% macro total(name) %}SUM({{ field(name) }}){% endmacro %}
      m.yml
      1 - {% from "macros/columns.jinja" import column, total as sum_of %}
      1 + {% from "macros/columns.jinja" import field, total as sum_of %}
      10 -         sql: {{ column(kind, prefix="c") }}
      10 +         sql: {{ field(kind, prefix="c") }}
      15 -         sql: {{ sum_of("x") }} {{ columns.column("y") }}
      15 +         sql: {{ sum_of("x") }} {{ columns.field("y") }}
    `);
  });

  it('keeps the other name that an import gives to a macro', () => {
    expect(renamed(at('{{ sum'), 'sum_all')).toMatchInlineSnapshot(`
      macros/columns.jinja
      2 - {% macro total(name) %}SUM({{ column(name) }}){% endmacro %}
      2 + {% macro sum_all(name) %}SUM({{ column(name) }}){% endmacro %}
      m.yml
      1 - {% from "macros/columns.jinja" import column, total as sum_of %}
      1 + {% from "macros/columns.jinja" import column, sum_all as sum_of %}
    `);
  });

  it('changes a loop variable in its loop', () => {
    expect(renamed(at('{{ kin'), 'each')).toMatchInlineSnapshot(`
      8 - {% for kind in kinds %}
      9 -       - name: {{ kind | upper }}_x
      10 -         sql: {{ column(kind, prefix="c") }}
      8 + {% for each in kinds %}
      9 +       - name: {{ each | upper }}_x
      10 +         sql: {{ column(each, prefix="c") }}
    `);
  });

  it('is refused for what is not a name, for a name that is taken, and for what a filter computes', () => {
    expect(renameRefusal(at('{{ kin'), 'a b').drawn).toBe('`a b` cannot be a name in a template.');
    expect(renameRefusal(at('{{ kin'), 'for').drawn).toBe('`for` cannot be a name in a template.');
    expect(renameRefusal(at('{{ kin'), 'kinds').drawn).toBe('`kinds` is already a name in m.yml.');
    expect(renameRefusal(at('| upp')).drawn).toBe('Nothing here can be renamed.');
  });
});

describe('completion of a template', () => {
  const MACROS = jinja`
    # file: macros/x.jinja
    {% macro column(name) %}{% endmacro %}
  `;

  // @shows templates
  it('offers statements, and first the end of the block around', () => {
    expect(
      completions(jinja`
        {% for k in [1] %}
        {% $0`).drawn,
    ).toMatch(/^endfor, for, if, else, set, /);
  });

  it('offers the names of loops, variables and macros that are known at the cursor', () => {
    const text = jinja`
      {% macro m(p) %}{{ p }}{% endmacro %}
      {% for gone in [1] %}{% endfor %}
      {% set kinds = ["a"] %}
      {% for k in kinds %}{{ $0 }}{% endfor %}
    `;
    expect(completions(text).drawn).toBe(
      'k, kinds, COMPILE_CONTEXT, env_var, loop, m, range, namespace, dict, true, false, none, not',
    );
  });

  it.each(['{% from "$0" import x %}', "{% include '$0", '{% import "ma$0'])('offers templates in %s', (text) => {
    expect(completions(`# file: m.yml\n${text}\n${MACROS}`).drawn).toBe('macros/x.jinja');
  });

  it.each(['{% from "macros/x.jinja" import $0 %}', '{% import "macros/x.jinja" as x %}{{ x.$0 }}'])(
    'offers the macros of a template in %s',
    (text) => {
      expect(completions(`# file: m.yml\n${text}\n${MACROS}`).drawn).toBe('column');
    },
  );

  it.each(["{{ a['x'].$0 }}", '{{ a().$0 }}', "{{ 'x'.$0 }}", "{{ a['x'] .b$0 }}"])(
    'offers no names behind a value that is not known: %s',
    (text) => {
      expect(completions(`{% set a = {} %}${text}`).drawn).toBe('nothing');
    },
  );

  it('offers what the loop knows, tests, and filters', () => {
    expect(completions('{% for k in [1] %}{{ loop.$0 }}{% endfor %}').drawn).toMatchInlineSnapshot(`
      "index, index0, first, last, length, revindex, revindex0, cycle, depth, depth0, previtem, nextitem,
      changed"
    `);
    expect(completions('{% if x is $0 %}{% endif %}').drawn).toMatchInlineSnapshot(`
      "defined, none, undefined, string, number, startingwith, endingwith, in, boolean, containing,
      divisibleby, eq, even, false, ge, gt, integer, iterable, le, lower, lt, mapping, ne, odd, sequence,
      true, upper"
    `);
    expect(completions('{{ x | $0 }}').drawn).toMatchInlineSnapshot(`
      "safe, default, items, join, lower, upper, replace, length, trim, first, last, list, map, abs, attr,
      batch, bool, capitalize, chain, count, d, dictsort, e, escape, float, format, groupby, indent, int,
      keys, lines, max, min, pprint, reject, rejectattr, reverse, round, select, selectattr, slice, sort,
      split, string, sum, title, tojson, unique, urlencode, values, zip"
    `);
  });
});
