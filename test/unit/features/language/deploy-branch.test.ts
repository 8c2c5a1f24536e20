import { describe, expect, it } from 'vitest';
import type { BranchTree } from '#features/folders/index.ts';
import { deployBranchModel } from '#features/language/deploy-branch.ts';
import type { RenderTemplates } from '#model/templates/render-model.ts';
import { jinja, yaml } from '#support/language/raw.ts';
import { templates } from '#support/language/rendered.ts';

const MACRO = jinja`
  {%- macro counts(kinds) -%}
  {%- for kind in kinds %}
        - name: {{ kind | safe }}s
          type: count
  {%- endfor %}
  {%- endmacro -%}
`;
const EVENTS = jinja`
  {% from "macros.jinja" import counts %}
  cubes:
    - name: events
      sql_table: events
      measures:
        {{ counts(['click', 'view']) }}
`;
const ORDERS = yaml`
  cubes:
    - name: orders
      sql_table: orders
      measures: [{name: count, type: count}]
`;

function tree(): BranchTree {
  const files = { 'model/macros.jinja': MACRO, 'model/events.yml.jinja': EVENTS, 'model/orders.yml': ORDERS };
  return new Map(Object.entries(files).map(([path, content]) => [path, { path, content }])) as unknown as BranchTree;
}

/** The names of the members of each cube. */
async function membersOf(branch: BranchTree, render: RenderTemplates): Promise<Readonly<Record<string, unknown>>> {
  const { cubes } = await deployBranchModel({ branch: 'main', tree: branch, modelPath: 'model' }, render);
  return Object.fromEntries(cubes.map(({ name, members }) => [name, members.map((member) => member.name)]));
}

describe('the model of a deploy branch', () => {
  // @shows templates
  it('has the members that its templates make', async () => {
    const members = await membersOf(tree(), async (questions) => templates.render(questions));
    expect(members).toEqual({ events: ['clicks', 'views'], orders: ['count'] });
  });

  it('is read again as long as its templates could not be rendered, and then once', async () => {
    const branch = tree();
    expect(await membersOf(branch, async () => Promise.resolve(null))).toMatchInlineSnapshot(`
      {
        "events": [],
        "orders": [
          "count",
        ],
      }
    `);
    let rendered = 0;
    const render: RenderTemplates = async (questions) => {
      rendered++;
      return templates.render(questions);
    };
    expect(await membersOf(branch, render)).toEqual({ events: ['clicks', 'views'], orders: ['count'] });
    expect(await membersOf(branch, render)).toEqual({ events: ['clicks', 'views'], orders: ['count'] });
    expect(rendered).toBe(1);
  });
});
