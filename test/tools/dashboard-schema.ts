// node test/tools/dashboard-schema.ts: writes the JSON Schema of dashboards from the client's own.
import { writeFileSync } from 'node:fs';
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import { dashboardConfigInput } from '#api/resources/dashboard-schema.ts';
import { isObject } from '#api/schema.ts';
import { querySchema } from '#model/query-files/query-schema.ts';

type Json = Readonly<Record<string, unknown>>;

export const dashboardSchemaPath = 'media/schema/dashboard.schema.json';

/**
 * Returns the JSON Schema (draft 7) of a dashboard's draft, generated from what the client validates before it sends one. The
 * queries of widgets get the keys and words of query files, without a limit to what they may hold: config is free-form.
 */
export function dashboardSchemaText(): string {
  const schema = toJsonSchema(dashboardConfigInput, config) as Json;
  const whole = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Dashboard',
    description: 'The draft of a workbook’s dashboard.',
    ...(described(schema, []) as Json),
    definitions: queryDefinitions(),
  };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

/** The shapes of a query file that a query itself consists of. */
const QUERY_SHAPES = ['query', 'timeDimension', 'filter'];

function queryDefinitions(): Json {
  const { definitions } = querySchema();
  const all = isObject(definitions) ? definitions : {};
  return Object.fromEntries(QUERY_SHAPES.map((name) => [name, all[name]]));
}

/** What is offered in fields that are free-form, by their path without list items. */
const OFFERED: Readonly<Record<string, Json>> = {
  'widgets.config': {
    properties: {
      query: { $ref: '#/definitions/query' },
      queries: { items: { $ref: '#/definitions/query' } },
    },
  },
};

const config: ConversionConfig = { target: 'draft-07', typeMode: 'input', errorMode: 'ignore' };

/** Adds the user-visible description of a field, by its path without list items. */
function described(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => described(item, path));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    if (key === 'properties' && isObject(item)) return [key, properties(item, path)] as const;
    return [key, described(item, path)] as const;
  });
  return Object.fromEntries(entries);
}

function properties(fields: Json, path: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const here = [...path, name];
      const description = descriptions[here.join('.')] ?? breakpointWords(here);
      const field = described(schema, here);
      const more = { ...(description === undefined ? {} : { description }), ...OFFERED[here.join('.')] };
      return [name, isObject(field) ? { ...field, ...more } : field];
    }),
  );
}

function breakpointWords(path: readonly string[]): string | undefined {
  const name = path.at(-1) ?? '';
  const widths: Readonly<Record<string, string>> = {
    lg: 'Large screens.',
    md: 'Medium screens.',
    sm: 'Small screens.',
    xs: 'Very small screens.',
    xxs: 'The smallest screens.',
  };
  return widths[name];
}

const descriptions: Readonly<Record<string, string>> = {
  title: 'The dashboard’s title.',
  description: 'What the dashboard is about.',
  kind: 'CLASSIC: a grid of widgets. APP: source code of its own.',
  app: 'The source of a dashboard of kind APP.',
  'app.entry': 'The file that is started; at most 255 characters.',
  'app.files': 'The text of every file, by its path.',
  'app.html': 'The page.',
  'app.manifest': 'What the app needs.',
  'app.manifest.dependencies': 'Versions of packages, by name.',
  layout: 'The grid.',
  'layout.breakpoints': 'The width in pixels from which each layout is used.',
  'layout.cols': 'The number of columns of each layout.',
  'layout.containerPadding': 'Pixels around all widgets: [horizontal, vertical].',
  'layout.margin': 'Pixels between widgets: [horizontal, vertical].',
  'layout.rowHeight': 'The height of a row in pixels.',
  settings: 'Settings of the dashboard, free-form.',
  theme: 'Colours and fonts.',
  widgets: 'What the dashboard shows.',
  'widgets.id': 'Names the widget in this dashboard; at most 128 characters.',
  'widgets.type': 'What the widget is.',
  'widgets.position': 'Where the widget is on large screens, in columns and rows.',
  'widgets.position.x': 'The first column, from 0.',
  'widgets.position.y': 'The first row, from 0.',
  'widgets.position.w': 'How many columns it takes.',
  'widgets.position.h': 'How many rows it takes.',
  'widgets.responsiveLayouts': 'Where the widget is on other screens.',
  'widgets.config': 'What the widget shows, free-form: a query, a text, a prompt.',
  'widgets.style': 'How the widget looks, free-form.',
};

if (import.meta.main) writeFileSync(dashboardSchemaPath, dashboardSchemaText());
