import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';

/** The messages between the extension host, which reads a dashboard's JSON, and the view that shows its layout. */

const text = v.string();
const number = v.number();
const count = v.pipe(number, v.integer(), v.minValue(0));

const pair = v.tuple([number, number]);

const Placed = v.object({
  /** The index of the widget in the document. */
  index: count,
  x: number,
  y: number,
  w: number,
  h: number,
  /** Whether the document defines this position; otherwise it is derived from the next wider breakpoint. */
  own: v.boolean(),
  overlaps: v.boolean(),
  /** Whether the widget extends beyond the grid's columns. */
  outside: v.boolean(),
});
export type Placed = v.InferOutput<typeof Placed>;

const Layout = v.object({
  name: v.picklist(['lg', 'md', 'sm', 'xs', 'xxs']),
  /** The width from which the breakpoint applies, in pixels. */
  minWidth: number,
  cols: count,
  /** In pixels, like the margin (between widgets) and the padding (around them). */
  rowHeight: number,
  margin: pair,
  padding: pair,
  /** The number of rows that the widgets occupy. */
  rows: count,
  placed: v.array(Placed),
});
export type Layout = v.InferOutput<typeof Layout>;

const Widget = v.object({
  id: text,
  type: text,
  title: text,
  /** The text of a text widget; for others a description of their content. */
  says: text,
  hasQuery: v.boolean(),
});
export type Widget = v.InferOutput<typeof Widget>;

const Chart = v.object({
  kind: v.picklist(['line', 'bars', 'number', 'table']),
  labels: v.array(text),
  series: v.array(v.object({ name: text, values: v.array(v.nullable(number)) })),
  columns: v.array(text),
  rows: v.array(v.array(text)),
});
export type Chart = v.InferOutput<typeof Chart>;

const Sample = v.variant('kind', [
  v.object({ kind: v.literal('loading') }),
  v.object({ kind: v.literal('failed'), message: text }),
  v.object({ kind: v.literal('chart'), chart: Chart }),
]);
export type Sample = v.InferOutput<typeof Sample>;

const State = v.object({
  type: v.literal('state'),
  name: text,
  title: text,
  /** Why the preview is older than the document; empty if it is not. */
  stale: text,
  /** The problems of the draft. */
  problems: v.array(text),
  /** Why sample data could not be loaded; otherwise empty. */
  noSamples: text,
  layouts: v.array(Layout),
  widgets: v.array(Widget),
  /** By the widget's index, as text. */
  samples: v.record(text, Sample),
});
export type DashboardState = v.InferOutput<typeof State>;

const HostToDashboard = v.variant('type', [
  State,
  v.object({ type: v.literal('select'), index: v.optional(count) }),
  /** The URI of the previewed document, which the page stores for the next window. */
  v.object({ type: v.literal('opened'), document: text }),
]);
export type HostToDashboard = v.InferOutput<typeof HostToDashboard>;

const DashboardToHost = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('reveal'), index: count }),
  v.object({ type: v.literal('loadSamples') }),
]);
export type DashboardToHost = v.InferOutput<typeof DashboardToHost>;

/** The state that a preview stores, so that the next window can restore it. */
const Kept = v.object({
  document: v.exactOptional(text),
  breakpoint: v.exactOptional(Layout.entries.name),
});
export type KeptPreview = v.InferOutput<typeof Kept>;

/** Parses the stored state of a preview; empty for one of an older version or none. */
export function parseKeptPreview(value: unknown): KeptPreview {
  return parsed(Kept, value) ?? {};
}

/** Parses a message of the host; `undefined` if it is not one. */
export function parseHostToDashboard(value: unknown): HostToDashboard | undefined {
  return parsed(HostToDashboard, value);
}

/** Parses a message of a preview; `undefined` if it is not one. */
export function parseDashboardToHost(value: unknown): DashboardToHost | undefined {
  return parsed(DashboardToHost, value);
}
