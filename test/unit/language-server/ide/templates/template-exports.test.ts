import { describe, expect, it } from 'vitest';
import { jinja } from '#support/language/raw.ts';
import { completions, definitions, hovered, renamed } from '#support/language/show.ts';

/** A template beside one with two macros and two variables, of which a block hides one. */
const beside = (text: string): string => jinja`
  # file: model/a.yml
  ${text}
  # file: macros/m.jinja
  {% macro dim(name, type='string') %}{{ name }} {{ type }}{% endmacro %}
  {% macro other(name) %}{{ name }}{% endmacro %}
  {% set LIMIT = 3 %}
  {% for each in [1] %}{% set HIDDEN = each %}{% endfor %}
`;

describe('what a template gives to others', () => {
  // @shows templates
  it.each([
    ['{% from "macros/m.jinja" import $0 %}'],
    ['{% from "macros/m.jinja" import dim, $0 %}'],
    ['{% import "macros/m.jinja" as m %}{{ m.$0 }}'],
  ])('is its macros and the variables that it sets outside of loops: %s', (text) => {
    expect(completions(beside(text)).drawn).toBe('dim, other, LIMIT');
  });

  it('is named by its path in every statement that takes one', () => {
    for (const word of ['from', 'import', 'include', 'extends'])
      expect(completions(beside(`{% ${word} '$0' %}`)).drawn).toBe('macros/m.jinja');
  });

  it('is described and found where another template uses it', () => {
    expect(hovered(beside('{% import "macros/m.jinja" as m %}{{ m.LI$0MIT }}'))).toMatchInlineSnapshot(`
      **LIMIT** · variable

      \`\`\`jinja
      LIMIT = 3
      \`\`\`

      Defined in macros/m.jinja
    `);
    expect(definitions(beside('{% from "macros/m.jinja" import LIMIT %}{{ LI$0MIT }}'))).toMatchInlineSnapshot(
      `macros/m.jinja:3 LIMIT`,
    );
  });

  it('is renamed in every template', () => {
    const text =
      '{% from "macros/m.jinja" import LIMIT as most %}{% import "macros/m.jinja" as m %}{{ m.LI$0MIT + most }}';
    expect(renamed(beside(text), 'MOST')).toMatchInlineSnapshot(`
      macros/m.jinja
      3 - {% set LIMIT = 3 %}
      3 + {% set MOST = 3 %}
      model/a.yml
      1 - {% from "macros/m.jinja" import LIMIT as most %}{% import "macros/m.jinja" as m %}{{ m.LIMIT + most }}
      1 + {% from "macros/m.jinja" import MOST as most %}{% import "macros/m.jinja" as m %}{{ m.MOST + most }}
    `);
  });
});

describe('a parameter of a macro', () => {
  it('is renamed where a call names it, also in other templates', () => {
    const text = jinja`
      {% from "macros/m.jinja" import dim as d, other %}
      {% import "macros/m.jinja" as m %}
      {{ d(name='a', type='time') }} {{ m.dim(na$0me=other(name='b')) }} {{ x.dim(name=1) }} {{ 1 | dim(name=1) }}
    `;
    expect(renamed(beside(text), 'what')).toMatchInlineSnapshot(`
      macros/m.jinja
      1 - {% macro dim(name, type='string') %}{{ name }} {{ type }}{% endmacro %}
      1 + {% macro dim(what, type='string') %}{{ what }} {{ type }}{% endmacro %}
      model/a.yml
      3 - {{ d(name='a', type='time') }} {{ m.dim(name=other(name='b')) }} {{ x.dim(name=1) }} {{ 1 | dim(name=1) }}
      3 + {{ d(what='a', type='time') }} {{ m.dim(what=other(name='b')) }} {{ x.dim(name=1) }} {{ 1 | dim(name=1) }}
    `);
  });

  it('may have the name of a variable beside a call', () => {
    const text = jinja`
      {% macro f(o$0ne) %}{{ one }}{% endmacro %}
      {% set two = 1 %}
    `;
    expect(renamed(beside(text), 'three')).toMatchInlineSnapshot(`
      1 - {% macro f(one) %}{{ one }}{% endmacro %}
      1 + {% macro f(three) %}{{ three }}{% endmacro %}
    `);
  });
});

describe('a word of the template engine', () => {
  // @shows hover
  it.each([
    ['{% for x in [] %}{{ loop.ind$0ex }}{% endfor %}', '**index** · property of the loop'],
    ['{% if x is defi$0ned %}{% endif %}', '**defined** · test of templates'],
    ['{% if x is not nu$0mber %}{% endif %}', '**number** · test of templates'],
    ['{{ x.loop.ind$0ex }}', 'nothing'],
  ])('is described: %s', (text, first) => {
    expect(hovered(beside(text)).drawn.split('\n')[0]).toBe(first);
  });

  it('is not offered behind `loop.` outside of a loop', () => {
    expect(completions(beside('{% for x in [] %}{% endfor %}{{ loop.$0 }}')).drawn).toBe('nothing');
  });
});
