import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { draftProblems } from '#features/dashboards/draft-problems.ts';
import { dashboardSchemaText } from '../../../tools/dashboard-schema.ts';

/** The schema that the editor checks with, by a judge of its own. */
const bySchema = new Ajv({ strict: false }).compile(JSON.parse(dashboardSchemaText()) as object);

const position = { x: 0, y: 0, w: 4, h: 2 };
const widget = (more: object = {}) => ({ id: 'a', type: 'TEXT', position, ...more });
const withWidget = (more: object): object => ({ widgets: [widget(more)] });
const sizes = { lg: 1, md: 1, sm: null };

/** docs/platform-api.md#dashboard-configuration, every row of its tables: what it takes. */
const taken: readonly object[] = [
  {},
  { app: null, description: null, kind: null, layout: null, settings: null, theme: null, title: null, widgets: null },
  {
    app: {
      entry: 'e'.repeat(255),
      files: { 'a.js': 'x' },
      html: '<p>',
      manifest: { dependencies: { d: '1' }, version: 2 },
    },
  },
  {
    app: { entry: null, files: null, html: null, manifest: null },
    kind: 'APP',
    settings: { any: [1, { thing: true }] },
  },
  {
    kind: 'CLASSIC',
    layout: { breakpoints: sizes, cols: sizes, containerPadding: [1, 2], margin: [3], rowHeight: 30 },
  },
  { layout: { breakpoints: null, cols: null, containerPadding: null, margin: null, rowHeight: null } },
  {
    theme: {
      backgroundColor: 'red',
      fontFamily: null,
      primaryColor: '#fff',
      themeId: 't',
      dashboard: { backgroundColor: 'x', padding: null },
    },
  },
  {
    theme: {
      controls: {
        backgroundColor: 'x',
        padding: '1',
        border: { color: 'c', radius: '1', style: 's', width: 'w' },
        title: { color: 'c', fontFamily: 'f', fontSize: '1', fontWeight: '1' },
      },
    },
  },
  {
    theme: {
      widgets: {
        backgroundColor: 'x',
        margin: '1',
        padding: '1',
        border: {},
        text: { codeFontFamily: 'c', color: 'c', fontFamily: 'f', secondaryColor: 's' },
        title: {},
      },
    },
  },
  ...['CHART', 'TEXT', 'FILTER', 'AI', 'TIME_GRAIN', 'SPACER', 'DIVIDER', 'CONTAINER'].map((type) =>
    withWidget({ type }),
  ),
  withWidget({ id: 'x'.repeat(128), responsiveLayouts: { lg: position, md: null }, config: { any: 1 }, style: null }),
];

/** And what it does not, with the field that is named. */
const refused: readonly (readonly [draft: object, field: string])[] = [
  [{ kind: 'MODERN' }, 'kind'],
  [{ title: 7 }, 'title'],
  [{ description: {} }, 'description'],
  [{ settings: 'x' }, 'settings'],
  [{ colour: 'red' }, 'colour'],
  [{ app: { entry: 'e'.repeat(256) } }, 'app.entry'],
  [{ app: { files: { 'a.js': 1 } } }, 'app.files'],
  [{ app: { html: 1 } }, 'app.html'],
  [{ app: { manifest: { version: 1.5 } } }, 'app.manifest.version'],
  [{ app: { manifest: { dependencies: { d: 1 } } } }, 'app.manifest.dependencies'],
  [{ app: { other: 1 } }, 'app.other'],
  [{ layout: { breakpoints: { lg: 1.5 } } }, 'layout.breakpoints.lg'],
  [{ layout: { breakpoints: { xl: 1 } } }, 'layout.breakpoints.xl'],
  [{ layout: { cols: { xxs: '2' } } }, 'layout.cols.xxs'],
  [{ layout: { containerPadding: [1.5] } }, 'layout.containerPadding'],
  [{ layout: { margin: 3 } }, 'layout.margin'],
  [{ layout: { rowHeight: '30' } }, 'layout.rowHeight'],
  [{ theme: { primaryColor: 1 } }, 'theme.primaryColor'],
  [{ theme: { dashboard: { padding: 4 } } }, 'theme.dashboard.padding'],
  [{ theme: { controls: { border: { width: 1 } } } }, 'theme.controls.border.width'],
  [{ theme: { controls: { title: { fontSize: 12 } } } }, 'theme.controls.title.fontSize'],
  [{ theme: { widgets: { text: { color: 1 } } } }, 'theme.widgets.text.color'],
  [{ theme: { widgets: { margin: 1 } } }, 'theme.widgets.margin'],
  [{ widgets: {} }, 'widgets'],
  [{ widgets: [{ type: 'TEXT', position }] }, 'widgets[0].id'],
  [{ widgets: [{ id: 'a', position }] }, 'widgets[0].type'],
  [{ widgets: [{ id: 'a', type: 'TEXT' }] }, 'widgets[0].position'],
  [withWidget({ id: 'x'.repeat(129) }), 'widgets[0].id'],
  [withWidget({ type: 'MAP' }), 'widgets[0].type'],
  [withWidget({ type: null }), 'widgets[0].type'],
  ...(['x', 'y', 'w', 'h'] as const).flatMap((side) => [
    [withWidget({ position: { ...position, [side]: 1.5 } }), `widgets[0].position.${side}`] as const,
    [withWidget({ position: { ...position, [side]: undefined } }), `widgets[0].position.${side}`] as const,
    [
      withWidget({ responsiveLayouts: { md: { ...position, [side]: null } } }),
      `widgets[0].responsiveLayouts.md.${side}`,
    ] as const,
  ]),
  [withWidget({ responsiveLayouts: { xl: position } }), 'widgets[0].responsiveLayouts.xl'],
  [withWidget({ config: [] }), 'widgets[0].config'],
  [withWidget({ style: 'x' }), 'widgets[0].style'],
  [withWidget({ extra: 1 }), 'widgets[0].extra'],
];

/** As it stands in a file: nothing is `undefined` there. */
const written = (draft: object): unknown => JSON.parse(JSON.stringify(draft));

describe('every constraint of docs/platform-api.md#dashboard-configuration', () => {
  it.each(taken.map((draft) => [written(draft)]))('takes %j', (draft) => {
    expect(draftProblems(draft)).toEqual([]);
    expect(bySchema(draft)).toBe(true);
  });

  it.each(refused.map(([draft, field]) => [field, written(draft)] as const))('names %s in %j', (field, draft) => {
    expect(draftProblems(draft).map(({ message }) => message)).toEqual([expect.stringMatching(startOf(field))]);
    expect(bySchema(draft)).toBe(false);
  });
});

/** `app.files` is named for what is wrong in it, too. */
const startOf = (field: string): RegExp => new RegExp(`^${field.replaceAll(/[.[\]]/g, String.raw`\$&`)}\\b`);
