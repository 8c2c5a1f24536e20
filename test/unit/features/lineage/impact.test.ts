import { describe, expect, it, vi } from 'vitest';
import type { Client } from '#api/client/client.ts';
import { upsertReportByPublicId } from '#api/resources/reports.ts';
import { upsertWorkbookBySlug } from '#api/resources/workbooks.ts';
import { changeLine, goneNames } from '#features/lineage/model-changes.ts';
import type { RenderTemplates } from '#model/templates/render-model.ts';
import * as lineage from '#features/lineage/model-impact.ts';
import type { ModelImpact, ModelTexts } from '#features/lineage/model-changes.ts';
import { modelDiffOf } from '#features/lineage/model-diff.ts';
import { impactSummary, impactText } from '#features/lineage/report.ts';
import { namesIn, workspaceUsage } from '#features/language/usage.ts';
import { openDesk } from '#support/features.ts';
import { indented, jinja, yaml } from '#support/language/raw.ts';
import { templates } from '#support/language/rendered.ts';

const cube = (members: string): string => `cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
${members}`;
const status = indented(
  6,
  yaml`
    - name: status
      sql: status
      type: string
  `,
);
const view = yaml`
  views:
    - name: overview
      cubes:
        - join_path: orders
          includes:
            - id
            - status
`;
const model = (orders: string, extra: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> =>
  new Map(Object.entries({ 'model/cubes/orders.yml': orders, ...extra }));

/** The template engine, as the language server has it. */
const render: RenderTemplates = async (questions) => templates.render(questions);
const modelImpact = async (before: ModelTexts, after: ModelTexts): Promise<ModelImpact> =>
  lineage.modelImpact(before, after, render);
const impactOfFiles = async (
  before: ModelTexts,
  after: ModelTexts,
  others: () => Promise<ModelTexts>,
): Promise<ModelImpact> => lineage.impactOfFiles(before, after, others, render);

describe('model impact', () => {
  it('is empty when only comments change', async () => {
    const impact = await modelImpact(model(cube(status)), model(`# why\n${cube(status)}`));
    expect(impact).toEqual({ changes: [], broken: [], queries: [], incomplete: false });
  });

  it('shows a removed member, and which view it breaks', async () => {
    const extra = { 'model/views/overview.yml': view };
    const impact = await modelImpact(model(cube(status), extra), model(cube(''), extra));
    expect(impact.changes.map(changeLine)).toMatchInlineSnapshot(`
      [
        "removed dimension string orders.status",
        "removed dimension string overview.status",
      ]
    `);
    expect(impact.broken.map(({ owner, names, path }) => [owner, names, path])).toEqual([
      ['overview', 'status', 'model/views/overview.yml'],
    ]);
    expect(goneNames(impact)).toMatchInlineSnapshot(`
      [
        "orders.status",
        "overview.status",
      ]
    `);
  });

  it('knows a rename by its definition and a new type by its name', async () => {
    const renamed = await modelImpact(model(cube(status)), model(cube(status.replace('name: status', 'name: state'))));
    expect(renamed.changes.map(changeLine)).toEqual(['renamed orders.status → orders.state']);
    const retyped = await modelImpact(model(cube(status)), model(cube(status.replace('type: string', 'type: number'))));
    expect(retyped.changes.map(changeLine)).toEqual(['retyped orders.status: dimension string → dimension number']);
  });

  it('shows whole cubes and views that come and go', async () => {
    const other = {
      'model/cubes/users.yml': yaml`
        cubes:
          - name: users
            sql_table: users
      `,
    };
    expect((await modelImpact(model(cube('')), model(cube(''), other))).changes).toEqual([
      { kind: 'added', what: 'cube', name: 'users' },
    ]);
    expect(goneNames(await modelImpact(model(cube(''), other), model(cube(''))))).toEqual(['users.']);
  });

  it('does not blame the change for what was broken before', async () => {
    const broken = { 'model/views/overview.yml': view.replace('- status', '- ghost') };
    expect((await modelImpact(model(cube(''), broken), model(cube(status), broken))).broken).toEqual([]);
  });
});

describe('the impact on a model of templates', () => {
  const macros = jinja`
    {%- macro counts(kinds) -%}
    {%- for kind in kinds %}
          - name: {{ kind | safe }}_count
            type: count
    {%- endfor %}
    {%- endmacro -%}
  `;
  const events = jinja`
    {% from "macros/counts.jinja" import counts %}
    cubes:
      - name: events
        sql_table: events
        measures:
          {{ counts(['click', 'view']) }}
  `;
  const overview = yaml`
    views:
      - name: overview
        cubes:
          - join_path: events
            includes: [click_count]
  `;
  const files = (text: string, macro = macros): ReadonlyMap<string, string> =>
    new Map([
      ['model/macros/counts.jinja', macro],
      ['model/cubes/events.yml.jinja', text],
      ['model/views/overview.yml', overview],
    ]);

  it('shows members that a loop no longer makes, and what they break', async () => {
    const impact = await modelImpact(files(events), files(events.replace("'click', ", '')));
    expect(modelDiffOf(impact)).toEqual({
      summary: '1 reference broken, 2 members removed',
      lines: [
        { severity: 'warning', text: 'breaks click_count in includes of overview (model/views/overview.yml)' },
        { severity: 'warning', text: 'removed measure count events.click_count' },
        { severity: 'warning', text: 'removed measure count overview.click_count' },
      ],
    });
  });

  it('shows what a macro changes in the cubes that call it', async () => {
    const impact = await modelImpact(files(events), files(events, macros.replace('_count', 's')));
    expect(impact.changes.map(changeLine)).toMatchInlineSnapshot(`
      [
        "renamed events.click_count → events.clicks",
        "renamed events.view_count → events.views",
        "removed measure count overview.click_count",
      ]
    `);
    expect(impact.broken.map(({ names }) => names)).toEqual(['click_count']);
  });

  it('finds the templates that a changed macro reaches among the other files', async () => {
    const one = (text: string): ReadonlyMap<string, string> => new Map([['model/macros/counts.jinja', text]]);
    const rest = files(events);
    const impact = await impactOfFiles(
      one(macros),
      one(macros.replace('_count', 's')),
      async () => new Map([...rest].filter(([path]) => path !== 'model/macros/counts.jinja')),
    );
    expect(impact.broken.map(({ owner, names }) => [owner, names])).toEqual([['overview', 'click_count']]);
  });

  it('says that there may be more where templates are not rendered', async () => {
    const notRendered: RenderTemplates = async () => Promise.resolve(null);
    const impact = await lineage.modelImpact(files(events), files(events.replace("'click', ", '')), notRendered);
    expect(impact).toMatchInlineSnapshot(`
      {
        "broken": [],
        "changes": [],
        "incomplete": true,
        "queries": [],
      }
    `);
  });

  it('lets other work run while it takes in many renderings', async () => {
    const many = new Map(
      Array.from({ length: 30 }, (_, at) => [`model/cubes/e${at}.yml.jinja`, events.replace('events', `e${at}`)]),
    );
    many.set('model/macros/counts.jinja', macros);
    const order: string[] = [];
    const done = modelImpact(many, many).then(() => order.push('impact'));
    const whenAsked = new Promise<void>((resolve) => setImmediate(resolve)).then(() => order.push('key'));
    await Promise.all([done, whenAsked]);
    expect(order).toEqual(['key', 'impact']);
  });
});

describe('the impact of a few files', () => {
  const others = {
    'model/views/overview.yml': view,
    'model/cubes/users.yml': yaml`
      cubes:
        - name: users
    `,
  };

  it('finds what other files lose by it', async () => {
    const impact = await impactOfFiles(
      model(cube(status)),
      model(cube('')),
      async () => new Map(Object.entries(others)),
    );
    expect(modelDiffOf(impact)).toEqual({
      summary: '1 reference broken, 2 members removed',
      lines: [
        { severity: 'warning', text: 'breaks status in includes of overview (model/views/overview.yml)' },
        { severity: 'warning', text: 'removed dimension string orders.status' },
        { severity: 'warning', text: 'removed dimension string overview.status' },
      ],
    });
  });

  it('knows the members of a view whose cube is in another file', async () => {
    const texts = (text: string): ReadonlyMap<string, string> => new Map([['model/views/overview.yml', text]]);
    const impact = await impactOfFiles(texts(view), texts(view.replace('- status', '')), async () =>
      model(cube(status)),
    );
    expect(modelDiffOf(impact).summary).toBe('1 member removed');
  });

  it('reads no other file where nothing needs one', async () => {
    const read = async (): Promise<never> => Promise.reject(new Error('read'));
    const impact = await impactOfFiles(model(cube(status)), model(`# why\n${cube(status)}`), read);
    expect(modelDiffOf(impact)).toEqual({ summary: 'nothing that queries or users see', lines: [] });
  });

  it('lists what breaks queries before what they get', async () => {
    const impact = await modelImpact(model(cube(status)), model(cube(status.replaceAll('status', 'state'))));
    expect(modelDiffOf(impact).lines.map(({ severity, text }) => [severity, text])).toEqual([
      ['warning', 'removed dimension string orders.status'],
      ['info', 'added dimension string orders.state'],
    ]);
  });
});

describe('workspace usage', () => {
  it('finds whole names only', () => {
    const content = { measures: ['orders.total_amount'], filter: 'orders.total' };
    expect(namesIn(content, ['orders.total', 'orders.tot', 'orders.', 'ders.total'])).toEqual([
      'orders.total',
      'orders.',
    ]);
  });

  it('finds the dashboards of the demo workspace that use a member', async () => {
    const { client } = await openDesk();
    const used = await workspaceUsage(
      { client: () => client },
      { accountId: 'a', deploymentId: '1' },
      ['sales.revenue', 'nothing.here'],
      { dashboards: true },
    );
    expect(used.length).toBeGreaterThan(0);
    expect(new Set(used.flatMap(({ names }) => names))).toEqual(new Set(['sales.revenue']));
  });

  it('finds reports and workbooks that name a member, and whole cubes that are gone', async () => {
    const { client } = await openDesk();
    const query = { measures: ['orders.count'], dimensions: ['orders.status'] };
    await client.call(upsertReportByPublicId, {
      params: { deploymentId: '1', publicId: 'by-status' },
      body: { name: 'By status', query },
    });
    await client.call(upsertWorkbookBySlug, {
      params: { deploymentId: '1', slug: 'weekly' },
      body: { name: 'Weekly', cells: [query] },
    });
    const used = await workspaceUsage(
      { client: () => client },
      { accountId: 'a', deploymentId: '1' },
      ['orders.status'],
      { dashboards: true },
    );
    expect(used.map(({ type, name }) => `${type} ${name}`).sort()).toMatchInlineSnapshot(`
      [
        "report By status",
        "workbook Weekly",
      ]
    `);
    const gone = await workspaceUsage({ client: () => client }, { accountId: 'a', deploymentId: '1' }, ['orders.'], {
      dashboards: false,
    });
    expect(gone.map(({ name }) => name).sort()).toMatchInlineSnapshot(`
      [
        "By status",
      ]
    `);
  });

  it('ends where the server goes in circles', async () => {
    const end = { items: [], pageInfo: { hasNextPage: true, endCursor: 'same' } };
    const call = vi.fn(async () => Promise.resolve(end));
    const data = { client: () => ({ call }) as unknown as Client };
    const target = { accountId: 'a', deploymentId: '1' };
    expect(await workspaceUsage(data, target, ['orders.id'], { dashboards: true })).toEqual([]);
    expect(call).toHaveBeenCalledTimes(4);
  });
});

describe('the review', () => {
  const report = async () =>
    ({
      from: 'dev-ada-1',
      to: 'main',
      build: 'built',
      files: [{ path: 'model/cubes/orders.yml', change: 'changed' }],
      model: await modelImpact(model(cube(status)), model(cube(''))),
      usedBy: [{ type: 'dashboard', name: 'Weekly', names: ['orders.status'] }],
    }) as const;

  it('says everything at length and in short', async () => {
    const made = await report();
    expect(impactText(made)).toMatchInlineSnapshot(`
      "# dev-ada-1 → main

      Build of \`dev-ada-1\`: built. 1 file changed.

      ## What changes for users

      - removed dimension string orders.status

      ## What it breaks in the model

      Nothing known.

      ## Query files that use it

      None.

      ## What it breaks in the workspace

      - dashboard **Weekly** uses \`orders.status\`

      ## What may show other results in the workspace

      No report, workbook or dashboard that the platform lists uses a redefined name.

      ## Files

      - changed model/cubes/orders.yml
      "
    `);
    expect(impactSummary(made)).toBe('1 name changed or gone; still used by dashboard “Weekly”.');
  });
});
