import { describe, expect, it } from 'vitest';
import { indented, jinja } from '#support/language/raw.ts';
import { renderedFixture } from '#support/language/rendered.ts';
import { documentSymbols } from '#language-server/ide/navigation/symbols.ts';
import { completions, definitions, lines, problems, renamed, renameRefusal, uses } from '#support/language/show.ts';

/** Cubes, measures and dimensions that loops, macros and conditions make. */
const EVENTS = jinja`
  # file: macros/fields.jinja
  {% macro total(name) -%}
  - name: total_{{ name | safe }}
          sql: "{CUBE}.{{ name | safe }}"
          type: sum
  {%- endmacro %}
  # file: cubes/events.yml.jinja
  {%- from "macros/fields.jinja" import total %}
  {%- set kinds = ['click', 'view'] %}
  cubes:
    {%- for kind in kinds %}
    - name: {{ kind | safe }}_events
      sql_table: {{ kind | safe }}s
      dimensions:
        - name: id
          sql: id
          type: number
          primary_key: true
      measures:
        {{ total('price') }}
        - name: {{ kind | safe }}_count
          type: count
        {%- if env_var('TARGET') == 'prod' %}
        - name: cost
          sql: cost
          type: sum
        {%- endif %}
    {%- endfor %}
`;

/** A plain cube beside them. */
const orders = (sql: string): string => jinja`
  ${EVENTS}
  # file: cubes/orders.yml
  cubes:
    - name: orders
      sql_table: orders
      joins:
        - name: click_events
          sql: "{CUBE}.event_id = {click_events}.id"
          relationship: many_to_one
      dimensions:
        - name: id
          sql: id
          type: number
          primary_key: true
      measures:
        - name: count
          type: count
        - name: ratio
          sql: "${sql}"
          type: number
`;

describe('problems beside templates', () => {
  it.each([
    '{click_events.total_price}',
    '{click_events.click_count}',
    // Whether it is there, only the platform knows.
    '{click_events.cost}',
  ])('are none where a template makes %s', (reference) => {
    expect(problems(renderedFixture(orders(reference)))).toMatchInlineSnapshot(`nothing`);
  });

  // @shows templates
  it('name what no template makes', () => {
    expect(problems(renderedFixture(orders('{click_events.view_count} + {click_event.id}')))).toMatchInlineSnapshot(`
      cubes/orders.yml
      17         sql: "{click_events.view_count} + {click_event.id}"
                                     ~~~~~~~~~~ error unknown-reference: \`click_events\` has no member \`view_count\`.
                                                    ~~~~~~~~~~~ error unknown-reference: \`click_event\` is neither a cube nor a member of \`orders\`. Did you mean \`click_events\`?
    `);
  });

  it('are none of members of a cube that Python adds members to, and those of other cubes stay', () => {
    const model = jinja`
      # file: cubes/open.yml.jinja
      cubes:
        - name: open
          sql_table: t
          measures:
            {%- for column in load_columns() %}
            - name: {{ column.name }}
              sql: {{ column.sql }}
              type: sum
            {%- endfor %}
        - name: closed
          sql_table: t
          measures:
            - name: a
              sql: "{CUBE}.a + {missing} + {open.anything} + {open.other}"
              type: sum
          joins:
            - name: open
              sql: "{CUBE}.id = {open}.id"
              relationship: one_to_one
          dimensions:
            - name: id
              sql: id
              type: number
              primary_key: true
    `;
    expect(problems(renderedFixture(model))).toMatchInlineSnapshot(`
      14         sql: "{CUBE}.a + {missing} + {open.anything} + {open.other}"
                                   ~~~~~~~ error unknown-reference: \`missing\` is neither a cube nor a member of \`closed\`.
    `);
  });

  it('are none of cubes whose names may match, and stay for other names', () => {
    const model = jinja`
      # file: cubes/tenants.yml.jinja
      cubes:
        - name: {{ env_var('TENANT') | safe }}_orders
          sql_table: t
      # file: cubes/a.yml
      cubes:
        - name: a
          extends: acme_orders
        - name: b
          extends: acme_order
    `;
    expect(problems(renderedFixture(model))).toMatchInlineSnapshot(`
      cubes/a.yml
      5     extends: acme_order
                     ~~~~~~~~~~ error unknown-reference: There is no cube \`acme_order\`.
    `);
  });

  it('are none of any cube where whole lines are unknown', () => {
    const model = jinja`
      # file: cubes/all.yml.jinja
      cubes:
        - name: known
          sql_table: t
        {{ more_cubes() }}
      # file: cubes/a.yml
      cubes:
        - name: a
          extends: unheard_of
    `;
    expect(problems(renderedFixture(model))).toMatchInlineSnapshot(`nothing`);
  });
});

describe('problems in templates', () => {
  it('stand at the text that is wrong, or at the expression that makes it', () => {
    const model = jinja`
      # file: cubes/a.yml.jinja
      cubes:
        - name: a
          sql_table: t
          dimensions:
            {%- for name in ['id', 'size'] %}
            - name: {{ name }}
              sql: {{ name }}
              type: nmber
            {%- endfor %}
          measures:
            {%- for name in ['size', 'weight'] %}
            - name: total_{{ name | safe }}
              sql: "{{ '{' | safe }}{{ name | safe }}{{ '}' | safe }} + {siz}"
              type: sum
            {%- endfor %}
    `;
    expect(problems(renderedFixture(model))).toMatchInlineSnapshot(`
      8         type: nmber
                      ~~~~~ error bad-value: \`nmber\` is not allowed here. Use one of: string, number, boolean, time, geo, switch.
      13         sql: "{{ '{' | safe }}{{ name | safe }}{{ '}' | safe }} + {siz}"
                                       ~~~~~~~~~~~~~~~~~ error unknown-reference: \`weight\` is neither a cube nor a member of \`a\`.
                                                                            ~~~ error unknown-reference: \`siz\` is neither a cube nor a member of \`a\`. Did you mean \`size\`?
    `);
  });

  it('of a branch that may not be taken, or a loop of unknown length, are found as well', () => {
    const model = jinja`
      # file: cubes/a.yml.jinja
      cubes:
        - name: a
          sql_table: t
          measures:
            {%- if env_var('X') %}
            - name: one
              sql: "{nothing}"
              type: sum
            {%- else %}
            - name: one
              sql: "{one_more}"
              type: sum
            {%- endif %}
            {%- for each in fetch() %}
            - name: {{ each | safe }}_total
              sql: "{CUBE.none_such}"
              type: sum
            {%- endfor %}
    `;
    expect(problems(renderedFixture(model))).toMatchInlineSnapshot(`
      7         sql: "{nothing}"
                       ~~~~~~~ warning unknown-reference: \`nothing\` is neither a cube nor a member of \`a\`.
      11         sql: "{one_more}"
                        ~~~~~~~~ warning unknown-reference: \`one_more\` is neither a cube nor a member of \`a\`.
      16         sql: "{CUBE.none_such}"
                             ~~~~~~~~~ warning unknown-reference: \`a\` has no member \`none_such\`.
    `);
  });
});

describe('navigation through templates', () => {
  it('leads to the text that makes the name', () => {
    expect(definitions(renderedFixture(orders('{click_events.total_pr$0ice}')))).toMatchInlineSnapshot(
      `cubes/events.yml.jinja:13 {{ total('price') }}`,
    );
  });

  it('finds the uses of a member that a loop makes', () => {
    const text = orders('{click_events.cost}').replace('- name: cost', '- name: co$0st');
    expect(uses(renderedFixture(text))).toMatchInlineSnapshot(`
      cubes/events.yml.jinja:17 cost
      cubes/orders.yml:17 cost
    `);
  });

  it('offers the members that loops make', () => {
    expect(completions(renderedFixture(orders('{click_events.$0}')))).toMatchInlineSnapshot(
      `click_count, cost, total_price, id`,
    );
  });
});

describe('rename through templates', () => {
  it('changes the one text that stands for the name everywhere', () => {
    const text = orders('{click_events.cost}').replace('- name: cost', '- name: co$0st');
    expect(renamed(renderedFixture(text), 'expense')).toMatchInlineSnapshot(`
      cubes/events.yml.jinja
      17 -       - name: cost
      17 +       - name: expense
      cubes/orders.yml
      17 -         sql: "{click_events.cost}"
      17 +         sql: "{click_events.expense}"
    `);
  });

  it('is refused where the template computes the name', () => {
    expect(renameRefusal(renderedFixture(orders('{click_events.click_co$0unt}')))).toMatchInlineSnapshot(
      `The template events.yml.jinja computes “click_count”: change the template.`,
    );
  });

  it('is refused where the text also stands for the member of another cube', () => {
    const text = orders('{click_events.co$0st}');
    expect(renameRefusal(renderedFixture(text), 'expense')).toMatchInlineSnapshot(
      `The text “cost” in the template events.yml.jinja also stands for other names: rename it there.`,
    );
  });
});

describe('the outline of a template', () => {
  const TENANT = indented(
    2,
    jinja`
      - name: {{ env_var('TENANT') | safe }}_visits
        sql_table: visits
    `,
  );

  it('has each cube and member that comes out, and an ellipsis for what only the platform knows', () => {
    const model = renderedFixture(`${EVENTS}${TENANT}`);
    const outline = documentSymbols(model.file('cubes/events.yml.jinja'));
    const drawn = outline.map(({ name, children = [] }) => `${name}: ${children.map((each) => each.name).join(', ')}`);
    expect(lines(drawn)).toMatchInlineSnapshot(`
      click_events: id, total_price, click_count, cost
      view_events: id, total_price, view_count, cost
      …_visits:
    `);
  });
});
