import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';

/** Messages between the extension host, which reads a dashboard's JSON, and the view that shows its layout. */

const text = v.string();
const number = v.number();
const count = v.pipe(number, v.integer(), v.minValue(0));

const pair = v.tuple([number, number]);

const Placed = v.object({
  /** Of the widget in the document. */
  index: count,
  x: number,
  y: number,
  w: number,
  h: number,
  /** Whether the document says so; else derived from the next wider breakpoint. */
  own: v.boolean(),
  overlaps: v.boolean(),
  /** Reaches beyond the grid's columns. */
  outside: v.boolean(),
});
export type Placed = v.InferOutput<typeof Placed>;

const Layout = v.object({
  name: v.picklist(['lg', 'md', 'sm', 'xs', 'xxs']),
  /** From this width on, in pixels. */
  minWidth: number,
  cols: count,
  /** In pixels, as the margin (between widgets) and the padding (around them). */
  rowHeight: number,
  margin: pair,
  padding: pair,
  /** How many rows the widgets reach down. */
  rows: count,
  placed: v.array(Placed),
});
export type Layout = v.InferOutput<typeof Layout>;

const Widget = v.object({
  id: text,
  type: text,
  title: text,
  /** The text of a text widget; of others what they would show. */
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
  /** Why what is shown is older than the document; empty when it is not. */
  stale: text,
  /** What keeps the draft from being saved. */
  problems: v.array(text),
  /** Why sample data is not loaded, where a widget could show some. */
  noSamples: text,
  layouts: v.array(Layout),
  widgets: v.array(Widget),
  /** By the widget's index. */
  samples: v.record(text, Sample),
});
export type DashboardState = v.InferOutput<typeof State>;

const HostToDashboard = v.variant('type', [
  State,
  v.object({ type: v.literal('select'), index: v.optional(count) }),
  /** Which document the preview is of: its URI, to be kept for the next window. */
  v.object({ type: v.literal('opened'), document: text }),
]);
export type HostToDashboard = v.InferOutput<typeof HostToDashboard>;

const DashboardToHost = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('reveal'), index: count }),
  v.object({ type: v.literal('loadSamples') }),
]);
export type DashboardToHost = v.InferOutput<typeof DashboardToHost>;

/** What a preview keeps, so that it comes back in the next window as it was. */
const Kept = v.object({
  document: v.exactOptional(text),
  breakpoint: v.exactOptional(Layout.entries.name),
});
export type KeptPreview = v.InferOutput<typeof Kept>;

/** What a preview kept; nothing of one that is older than this, or of none. */
export function parseKeptPreview(value: unknown): KeptPreview {
  return parsed(Kept, value) ?? {};
}

/** A message of the host, or `undefined` when it is none. */
export function parseHostToDashboard(value: unknown): HostToDashboard | undefined {
  return parsed(HostToDashboard, value);
}

/** A message of a preview, or `undefined` when it is none. */
export function parseDashboardToHost(value: unknown): DashboardToHost | undefined {
  return parsed(DashboardToHost, value);
}
