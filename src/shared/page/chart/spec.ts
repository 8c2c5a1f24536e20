import { binOf } from './allowed/channels.ts';
import { type ChartContext } from './allowed/values.ts';
import { config, encoding, facetField, projection, resolve, title, view } from './allowed/views.ts';
import { mark } from './allowed/marks.ts';
import { transforms } from './allowed/transforms.ts';
import { type ChartRows, DataExtent } from './extent.ts';
import { any, isRecord, type Json, list, num, object, type Rule, text } from './rules.ts';

/** A specification that is safe to draw, with the given rows as its only data. */
export interface SafeChart {
  readonly spec: { readonly [key: string]: Json | { readonly values: ChartRows } };
  /** The rows in the form in which the specification contains them. */
  readonly rows: ChartRows;
  /** Keys that were left out, in the order in which they were found. */
  readonly leftOut: readonly string[];
}

type Record_ = { readonly [key: string]: Json };
/** `rows`: the number of rows at this point, after the transforms so far. */
interface ViewContext extends ChartContext {
  readonly rows: number;
  readonly count: { transforms: number };
}
type R = Rule<ViewContext>;

const MOST_ROWS = 5_000;
/** The maximum number of rows after a transform. */
const MOST_MADE = 30_000;
const MOST_TRANSFORMS = 40;
/** The maximum number of small views in one chart, and of rows drawn in all of them. */
const MOST_VIEWS = 120;
const MOST_DRAWN = 50_000;
const DEEPEST = 40;
const LARGEST = 200_000;
const LONGEST_CELL = 1_000;
const LARGEST_NUMBER = 1e300;

/** Keys that do not affect the picture, or that the page determines: leaving them out is not reported. */
const OURS = new Set(
  '$schema data datasets usermeta background padding autosize width height bounds name description'.split(' '),
);

/**
 * Reduces a Vega-Lite specification to an allow list of keys and values, so that a chart cannot load anything, navigate, use
 * elements of the page, run code, or require more work than its rows justify. Throws an error with a sentence for the user if
 * nothing can be drawn.
 */
export function safeChart(given: unknown, rows: ChartRows): SafeChart {
  if (JSON.stringify(given ?? null).length > LARGEST) throw new Error('The specification of the chart is too large.');
  if (!isRecord(given)) throw new Error('The specification of the chart is not an object.');
  checkDepth(given, 0);
  const data = rows.slice(0, MOST_ROWS).map((row) => plainCells(row, 0));
  const leftOut = new Set<string>();
  const extent = new DataExtent(data, madeFields(given));
  const context: ViewContext = {
    extent,
    rows: data.length,
    count: { transforms: 0 },
    leaveOut: (what) => void leftOut.add(what),
  };
  const spec = viewOf(given, context) as Record_;
  const views = viewsOf(spec, extent, true);
  if (views === 0) throw new Error(whyNothing(given));
  if (views > MOST_VIEWS)
    throw new Error(
      `The chart would have ${views.toLocaleString('en')} small charts: at most ${MOST_VIEWS} are drawn.`,
    );
  if (viewsOf(spec, extent, false) * data.length > MOST_DRAWN)
    throw new Error('The chart would draw its rows too many times.');
  return { spec: { ...spec, data: { values: data } }, rows: data, leftOut: [...leftOut] };
}

/** Returns a sentence that explains why a specification has nothing to draw. */
function whyNothing(given: Record_): string {
  if (Array.isArray(given['marks'])) return 'The specification is written in Vega; only Vega-Lite can be drawn.';
  const [type] = markTypes(given);
  if (type === undefined) return 'The specification of the chart draws nothing.';
  return `A chart of the type “${type.slice(0, 60)}” cannot be drawn here.`;
}

function markTypes(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((each) => markTypes(each));
  if (!isRecord(value)) return [];
  const type = isRecord(value['mark']) ? value['mark']['type'] : value['mark'];
  const inner = ['layer', 'hconcat', 'vconcat', 'concat', 'spec'].flatMap((key) => markTypes(value[key]));
  return typeof type === 'string' ? [type, ...inner] : inner;
}

function checkDepth(value: Json, depth: number): void {
  if (depth > DEEPEST) throw new Error('The specification of the chart is nested too deeply.');
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) checkDepth(inner, depth + 1);
}

/** Returns the cells as received, without values that no mark can show. Keeps nested objects: a name with dots may be a path. */
function plainCells(row: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  const cells = Object.entries(row).flatMap(([name, cell]): [string, unknown][] => {
    if (typeof cell === 'string') return [[name, cell.slice(0, LONGEST_CELL)]];
    // The range of an axis would not be a number.
    if (typeof cell === 'number' && !(Math.abs(cell) <= LARGEST_NUMBER)) return [[name, null]];
    if (typeof cell !== 'object' || cell === null) return [[name, cell]];
    return isRecord(cell) && depth < 10 ? [[name, plainCells(cell, depth + 1)]] : [];
  });
  return Object.fromEntries(cells);
}

/** Returns the fields that transforms create: the bounds that the rows set for a field of the same name do not apply to them. */
function madeFields(value: Json): ReadonlySet<string> {
  const made = new Set<string>();
  const visit = (inner: Json): void => {
    if (typeof inner !== 'object' || inner === null) return;
    if (isRecord(inner)) {
      for (const name of [inner['as'] ?? null].flat()) if (typeof name === 'string') made.add(name);
      for (const name of DEFAULT_NAMES.flatMap(([key, names]) => (key in inner ? names : []))) made.add(name);
      if (typeof inner['impute'] === 'string') made.add(inner['impute']);
      if (isRecord(inner['impute']) && typeof inner['field'] === 'string') made.add(inner['field']);
    }
    Object.values(inner).forEach((next) => visit(next));
  };
  visit(value);
  return made;
}

const DEFAULT_NAMES: readonly (readonly [key: string, names: readonly string[]])[] = [
  ['fold', ['key', 'value']],
  ['density', ['value', 'density']],
  ['quantile', ['prob', 'value']],
];

const pixels = any<ViewContext>(num(20, 1_000));

/** Accepts a single view or a composition of views. */
const viewOf: R = (given, context) => {
  if (!isRecord(given)) return undefined;
  const { transform, ...rest } = given;
  const made = transform === undefined ? { steps: [], rows: context.rows } : transformsOf(transform, context);
  const inner = { ...context, rows: made.rows };
  const known = object<ViewContext>(() => VIEW, OURS)(rest, inner) as Record_;
  return made.steps.length > 0 ? { transform: made.steps, ...known } : known;
};

const views = list<ViewContext>((given, context) => viewOf(given, context), 50);
const fieldNames = list<ViewContext>(text(200), 20);

const VIEW: Readonly<Record<string, R>> = {
  title,
  mark,
  encoding,
  projection,
  resolve,
  view,
  config,
  width: pixels,
  height: pixels,
  layer: views,
  hconcat: views,
  vconcat: views,
  concat: views,
  spec: (given, context) => viewOf(given, context),
  columns: num(1, 100),
  spacing: any(
    num(0, 200),
    object(() => ({ row: num(0, 200), column: num(0, 200) })),
  ),
  align: any(
    text(20),
    object(() => ({ row: text(20), column: text(20) })),
  ),
  center: any((given) => (typeof given === 'boolean' ? given : undefined)),
  facet: (given, context) =>
    isRecord(given) && ('row' in given || 'column' in given)
      ? object<ViewContext>(() => ({ row: facetField, column: facetField }))(given, context)
      : facetField(given, context),
  repeat: any(
    fieldNames,
    object(() => ({ row: fieldNames, column: fieldNames, layer: fieldNames })),
  ),
};

/** Returns the transforms that may run, and the maximum number of rows after them. */
function transformsOf(given: Json, context: ViewContext): { readonly steps: readonly Json[]; readonly rows: number } {
  if (!Array.isArray(given)) return { steps: [], rows: context.rows };
  let { rows } = context;
  const steps: Json[] = [];
  for (const transform of given as readonly Json[]) {
    const kind = isRecord(transform) ? KINDS.find((name) => name in transform) : undefined;
    const step = kind === undefined ? undefined : stepOf(kind, transform as Record_, context);
    const after = step && rowsAfter(step, rows, context);
    context.count.transforms += 1;
    if (!step || after === undefined || after > MOST_MADE || context.count.transforms > MOST_TRANSFORMS) {
      context.leaveOut(kind ?? (isRecord(transform) ? (Object.keys(transform)[0] ?? 'transform') : 'transform'));
      continue;
    }
    steps.push(step);
    rows = after;
  }
  return { steps, rows };
}

/** `bin` and `timeUnit` come last: other transforms may have such a key as well. */
const KINDS = Object.keys(transforms).sort(
  (a, b) => Number(a === 'bin' || a === 'timeUnit') - Number(b === 'bin' || b === 'timeUnit'),
);

function stepOf(kind: string, transform: Record_, context: ViewContext): Record_ | undefined {
  const keys = transforms[kind] ?? {};
  const step = object<ViewContext>(() => keys)(transform, context);
  if (!isRecord(step) || !(kind in step)) return undefined;
  if (kind !== 'bin') return step;
  const bin = binOf(step['bin'] ?? null, step['field'], context);
  return bin === undefined ? undefined : { ...step, bin };
}

/** Returns the maximum number of rows after a transform; it adds no more than the groups in the data require. */
function rowsAfter(step: Record_, rows: number, { extent }: ViewContext): number | undefined {
  const groups = extent.groups(namesOf(step['groupby']));
  if ('fold' in step) return rows * Math.max(1, namesOf(step['fold']).length);
  if ('density' in step) return groups * Number(step['steps'] ?? step['maxsteps'] ?? 200);
  if ('quantile' in step) return groups * Math.max(namesOf(step['probs']).length, 1 / Number(step['step'] ?? 0.01));
  if ('regression' in step) return Math.max(rows, groups * 100);
  if ('impute' in step) {
    const keys = Array.isArray(step['keyvals']) ? step['keyvals'].length : 0;
    return Math.max(rows, groups * (extent.groups(namesOf(step['key'])) + keys));
  }
  // A pivot adds a column for each value.
  if ('pivot' in step && step['limit'] === undefined)
    return extent.groups(namesOf(step['pivot'])) > 100 ? undefined : rows;
  return rows;
}

function namesOf(value: Json | undefined): readonly string[] {
  return [value ?? []].flat().flatMap((name) => (typeof name === 'string' ? [name] : []));
}

/** Returns how many views are drawn; with `split`, including those that a facet creates for the values of its field. */
function viewsOf(spec: Json | undefined, extent: DataExtent, split: boolean): number {
  if (!isRecord(spec)) return 0;
  const several = [spec['layer'], spec['hconcat'], spec['vconcat'], spec['concat']].flatMap((inner) =>
    Array.isArray(inner) ? (inner as readonly Json[]) : [],
  );
  const sum = several.reduce((all: number, inner) => all + viewsOf(inner, extent, split), 0);
  const own = 'mark' in spec ? 1 : 0;
  const below = viewsOf(spec['spec'], extent, split) * repeats(spec['repeat']);
  const times = split ? facets(spec['facet'], extent) * facets(spec['encoding'], extent) : imputed(spec, extent);
  return (own + sum + below) * times;
}

function repeats(repeat: Json | undefined): number {
  if (Array.isArray(repeat)) return Math.max(1, repeat.length);
  if (!isRecord(repeat)) return 1;
  return Object.values(repeat).reduce(
    (all: number, names) => all * Math.max(1, Array.isArray(names) ? names.length : 1),
    1,
  );
}

function facets(given: Json | undefined, extent: DataExtent): number {
  if (!isRecord(given)) return 1;
  const definitions = typeof given['field'] === 'string' ? [given] : [given['row'], given['column'], given['facet']];
  return definitions.reduce((all: number, definition) => all * groupsOf(definition, extent), 1);
}

function groupsOf(definition: Json | undefined, extent: DataExtent): number {
  if (!isRecord(definition) || typeof definition['field'] !== 'string') return 1;
  // The values that a transform creates are not known yet: assume a few and rely on the time limit.
  if (definition['timeUnit'] !== undefined || definition['bin'] !== undefined || !extent.knows(definition['field']))
    return 4;
  return extent.groups([definition['field']]);
}

/** Returns how many times more rows a channel that fills gaps draws: it has a row for each value of x in each group. */
function imputed(spec: Record_, extent: DataExtent): number {
  const channels = isRecord(spec['encoding']) ? Object.values(spec['encoding']).filter(isRecord) : [];
  if (extent.rows === 0 || !channels.some((channel) => isRecord(channel['impute']))) return 1;
  const names = channels.flatMap((channel) => (channel['impute'] === undefined ? namesOf(channel['field']) : []));
  const made = names.reduce((all, name) => all * extent.groups([name]), 1);
  return Math.max(1, Math.ceil(made / extent.rows));
}
