import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { jinja } from '#support/language/raw.ts';
import { renderedFixture } from '#support/language/rendered.ts';
import { problems } from '#support/language/show.ts';

const BASE = jinja`
  # file: base.jinja
  cubes:
  {% block cubes %}{% endblock %}
`;

describe('a template that extends another one', () => {
  it.each([
    ['a known key', 'title: x', false],
    ['an unknown key', 'titel: x', true],
    ['a known member', 'measures: [{name: m, type: max, sql: "{x}"}]', false],
    ['an unknown member', 'measures: [{name: m, type: max, sql: "{y}"}]', true],
    ['the block above, which is empty', 'title: "A{{ super() }}"', false],
  ])('is judged as by the engine with %s', async (_, rest, isRefused) => {
    const model = jinja`
      ${BASE}
      # file: a.yml
      {# Shared by all. #}
      {%- extends "base.jinja" -%}
      none of this: is rendered
      {% block cubes %}
        - name: a
          sql_table: t
          dimensions: [{name: x, sql: x, type: string}]
          ${rest}
      {% endblock %}
    `;
    expect(await verdict(model)).toEqual({ engine: isRefused, ours: isRefused });
  });

  it('shows what is wrong in its blocks there, and what is wrong above at its statement', () => {
    const model = jinja`
      # file: a.yml
      {% extends "middle.jinja" %}
      {% block members %}
            - {name: x, sql: "{y}", type: string}
      {% endblock %}
      ${BASE}
      # file: middle.jinja
      {% extends "base.jinja" %}
      {% block cubes %}
        - name: a
          sql_table: t
          titel: A
          dimensions:
      {% block members %}{% endblock %}
      {% endblock %}
    `;
    expect(problems(renderedFixture(model))).toMatchInlineSnapshot(`
      a.yml
      1 {% extends "middle.jinja" %}
        ~~~~~~~~~~~~~~~~~~~~~~~~~~~~ error unknown-key: A cube has no key \`titel\`. Did you mean \`title\`?
        ~~~~~~~~~~~~~~~~~~~~~~~~~~~~ error duplicate-name: Another cube is already called \`a\`: cubes and views share one namespace.
      3       - {name: x, sql: "{y}", type: string}
                                 ~ error unknown-reference: \`y\` is neither a cube nor a member of \`a\`.
      middle.jinja
      3   - name: a
                  ~ error duplicate-name: Another cube is already called \`a\`: cubes and views share one namespace.
      5     titel: A
            ~~~~~ error unknown-key: A cube has no key \`titel\`. Did you mean \`title\`?
    `);
  });
});
