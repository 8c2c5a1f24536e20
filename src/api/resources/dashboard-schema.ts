import * as v from 'valibot';
import { answering, atMost, freeObject, isObject, mapOf, strictObject } from '#api/schema.ts';

/**
 * The dashboard schemas of docs/platform-api.md#dashboard-configuration. Input is strict; responses keep every field
 * and every null.
 */

const dashboardKinds = ['CLASSIC', 'APP'] as const;
const widgetTypes = ['CHART', 'TEXT', 'FILTER', 'AI', 'TIME_GRAIN', 'SPACER', 'DIVIDER', 'CONTAINER'] as const;

const wholeNumber = v.pipe(v.number('must be a whole number'), v.integer('must be a whole number'));
const optionalText = v.nullish(v.string('must be text or null'));
const free = v.nullish(freeObject);
const byText = mapOf(v.string(), v.string('must be text'), 'must be an object of text values');

const eachBreakpoint = <const S extends v.GenericSchema>(schema: S) => {
  const entry = v.nullish(schema);
  return { lg: entry, md: entry, sm: entry, xs: entry, xxs: entry };
};

const position = strictObject({ x: wholeNumber, y: wholeNumber, w: wholeNumber, h: wholeNumber });

const appInput = strictObject({
  entry: v.nullish(v.pipe(v.string('must be text or null'), atMost(255))),
  files: v.nullish(byText),
  html: optionalText,
  manifest: v.nullish(strictObject({ dependencies: v.nullish(byText), version: v.nullish(wholeNumber) })),
});

const layoutInput = strictObject({
  breakpoints: v.nullish(strictObject(eachBreakpoint(wholeNumber))),
  cols: v.nullish(strictObject(eachBreakpoint(wholeNumber))),
  containerPadding: v.nullish(v.array(wholeNumber)),
  margin: v.nullish(v.array(wholeNumber)),
  rowHeight: v.nullish(wholeNumber),
});

const border = v.nullish(
  strictObject({ color: optionalText, radius: optionalText, style: optionalText, width: optionalText }),
);
const title = v.nullish(
  strictObject({ color: optionalText, fontFamily: optionalText, fontSize: optionalText, fontWeight: optionalText }),
);
const themeInput = strictObject({
  backgroundColor: optionalText,
  fontFamily: optionalText,
  primaryColor: optionalText,
  themeId: optionalText,
  dashboard: v.nullish(strictObject({ backgroundColor: optionalText, padding: optionalText })),
  controls: v.nullish(strictObject({ backgroundColor: optionalText, padding: optionalText, border, title })),
  widgets: v.nullish(
    strictObject({
      backgroundColor: optionalText,
      margin: optionalText,
      padding: optionalText,
      border,
      text: v.nullish(
        strictObject({
          codeFontFamily: optionalText,
          color: optionalText,
          fontFamily: optionalText,
          secondaryColor: optionalText,
        }),
      ),
      title,
    }),
  ),
});

/** `DashboardWidgetInput`. */
const widgetInput = strictObject({
  id: v.pipe(v.string('must be text'), v.nonEmpty('must not be empty'), atMost(128)),
  type: v.picklist(widgetTypes, `must be one of ${widgetTypes.join(', ')}`),
  position,
  responsiveLayouts: v.nullish(strictObject(eachBreakpoint(position))),
  config: free,
  style: free,
});

/** `DashboardConfigInput`: everything optional and nullable. */
export const dashboardConfigInput = strictObject({
  app: v.nullish(appInput),
  description: optionalText,
  kind: v.nullish(v.picklist(dashboardKinds, `must be one of ${dashboardKinds.join(', ')}`)),
  layout: v.nullish(layoutInput),
  settings: free,
  theme: v.nullish(themeInput),
  title: optionalText,
  widgets: v.nullish(v.array(widgetInput)),
});

/**
 * `DashboardConfig`, as served: a draft is edited and written back as a whole, so no field may be lost because
 * Modelbench does not know it.
 */
const dashboardConfig = freeObject;

/** `WorkbookDashboard`; also accepted within `{data:{…}}`. */
export const workbookDashboard = answering(
  v.looseObject({ dashboardDraft: v.nullish(dashboardConfig), dashboardPublished: v.nullish(dashboardConfig) }),
  (value) => (isObject(value) && isObject(value['data']) ? value['data'] : value),
);
