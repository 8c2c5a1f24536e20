import type { Row } from '#base/cells.ts';
import type { PlaygroundChart } from './messages.ts';
import { type Draft, type granularities, isCommonGranularity, timeColumn } from './draft.ts';
import { numberIn } from '#base/cells.ts';

/** The most points to draw: more cannot be distinguished, and slow the page down. */
const mostPoints = 5_000;
/** The most slices of a pie: more angles cannot be compared by eye. */
const mostSlices = 24;
/** The most points of a line that get their own mark. */
const mostMarked = 60;

export type ChartKind = PlaygroundChart['kind'];

/** The rows of a run, their draft, and the titles of members. */
export interface ChartInput {
  readonly draft: Draft;
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly Row[];
  readonly titleOf: (member: string) => string;
}

/**
 * Returns the chart of a run’s rows, of the chosen kind if it suits the query, otherwise of the most suitable one: numbers for
 * figures without groups, lines over time, bars by dimension, a table for anything else.
 */
export function chartOf(given: ChartInput, chosen?: ChartKind): PlaygroundChart {
  const { draft } = given;
  const input = { ...given, titleOf: distinctTitles(draft.measures, given.titleOf) };
  const points = pointsOf(input);
  const kinds = kindsOf(draft, points);
  const [suits = 'table'] = kinds;
  const kind = chosen !== undefined && kinds.includes(chosen) ? chosen : suits;
  const base: PlaygroundChart = { type: 'chart', kind, kinds: [...kinds], spec: '', rows: [], figures: [], hint: '' };
  switch (kind) {
    case 'table':
      return base;
    case 'number':
      return { ...base, figures: figuresOf(input) };
    default: {
      const all = drawnPoints(kind, draft, points);
      const shown = all.slice(0, mostPoints);
      const hint =
        points.length > shown.length
          ? `The chart shows the first ${mostPoints.toLocaleString('en')} of ${points.length.toLocaleString('en')} points.`
          : '';
      return { ...base, rows: [...shown], spec: JSON.stringify(specOf(kind, input, shown)), hint };
    }
  }
}

/** Returns a function for the titles of members, with its name after a title that another measure has as well. */
function distinctTitles(measures: readonly string[], titleOf: ChartInput['titleOf']): ChartInput['titleOf'] {
  const isShared = (title: string): boolean => measures.filter((each) => titleOf(each) === title).length > 1;
  return (name) => (measures.includes(name) && isShared(titleOf(name)) ? `${titleOf(name)} (${name})` : titleOf(name));
}

/** One mark: `x` is a time or a group, `series` determines the colour. */
interface Point {
  readonly x: string;
  readonly series: string;
  readonly value: number | null;
}

function pointsOf({ draft, columns, rows, titleOf }: ChartInput): readonly Point[] {
  const at = new Map(columns.map(({ name }, index) => [name, index]));
  const [first, ...others] = groupsOf(draft);
  return rows.flatMap((row) => {
    const cell = (name: string): unknown => row[at.get(name) ?? -1];
    const x = first === undefined ? '' : shownValue(cell(first));
    const own = others.map((name) => shownValue(cell(name)));
    return draft.measures.map((measure) => ({
      x: first !== undefined && first === timeColumn(draft.time) ? drawnTime(x) : x,
      series: [...own, ...(draft.measures.length > 1 || own.length === 0 ? [titleOf(measure)] : [])].join(' · '),
      value: numberIn(cell(measure)),
    }));
  });
}

/** Bars as wide as a granularity of the model are not known to Vega: each has a name instead of a time. */
const hasNamedBars = (kind: ChartKind, { time }: Draft): boolean =>
  kind === 'bar' && !isCommonGranularity(time.granularity);

function drawnPoints(kind: ChartKind, draft: Draft, points: readonly Point[]): readonly Point[] {
  if (kind === 'pie') return points.map((point) => named(point, groupsOf(draft).length > 1));
  return hasNamedBars(kind, draft) ? points.map((point) => named(point, false)) : points;
}

/** Returns a point with a name, such as a slice of a pie: a day without its time, and with its series if there are several groups. */
function named({ x, series, value }: Point, hasSeries: boolean): Point {
  const name = x.replace(/(\d)(?:T00:00:00(?:\.0+)?)?Z$/, '$1');
  return { x: hasSeries ? `${name} · ${series}` : name, series, value };
}

function groupsOf({ time, dimensions }: Draft): readonly string[] {
  const column = timeColumn(time);
  return [...(column === undefined ? [] : [column]), ...dimensions];
}

function kindsOf(draft: Draft, points: readonly Point[]): readonly ChartKind[] {
  if (draft.measures.length === 0) return ['table'];
  const groups = groupsOf(draft);
  if (groups.length === 0) return ['number', 'table'];
  const isPie =
    draft.measures.length === 1 && points.length <= mostSlices && points.every(({ value }) => (value ?? 0) >= 0);
  const pie: readonly ChartKind[] = isPie ? ['pie'] : [];
  return timeColumn(draft.time) === undefined
    ? ['bar', 'line', 'area', ...pie, 'table']
    : ['line', 'bar', 'area', ...pie, 'table'];
}

function figuresOf({ draft, columns, rows: [row = []], titleOf }: ChartInput): PlaygroundChart['figures'] {
  return draft.measures.map((measure) => {
    const value = row[columns.findIndex(({ name }) => name === measure)];
    const number = numberIn(value);
    // A value that a number cannot represent exactly stays as the server formatted it.
    const isExact = number !== null && Number.isSafeInteger(Math.trunc(number));
    return { label: titleOf(measure), value: isExact ? number.toLocaleString('en') : shownValue(value) };
  });
}

function specOf(kind: ChartKind, { draft, titleOf }: ChartInput, points: readonly Point[]): object {
  const [first = '', ...others] = groupsOf(draft);
  const isGrouped = first === timeColumn(draft.time);
  const isTime = isGrouped && !hasNamedBars(kind, draft);
  const title = titleOf(isGrouped ? draft.time.dimension : first);
  const { granularity } = draft.time;
  const unit = isCommonGranularity(granularity) ? timeUnits[granularity] : 'utcyearmonthdatehoursminutes';
  // Points of a line need the unit for their names only: a day is named without it.
  const isNamed = kind === 'bar' || unit.includes('hours');
  const time = { type: 'temporal', scale: { type: 'utc' }, ...(isNamed ? { timeUnit: unit } : {}) };
  const x = { field: 'x', title, ...(isTime ? time : { type: 'nominal', sort: null, ...levelLabels(points) }) };
  const [measure = ''] = draft.measures;
  const value = { field: 'value', type: 'quantitative', title: draft.measures.length > 1 ? null : titleOf(measure) };
  if (kind === 'pie') {
    const color = { field: 'x', type: 'nominal', title: groupsOf(draft).map(titleOf).join(' · '), sort: null };
    return { mark: { type: 'arc', innerRadius: 40 }, height: 280, encoding: { theta: value, color } };
  }
  const isColoured = points.some(({ series }) => series !== points[0]?.series);
  const coloured = { field: 'series', type: 'nominal', title: others.map(titleOf).join(' · ') || null, sort: null };
  return {
    mark: marks(kind, points.length),
    height: 280,
    encoding: {
      x,
      y: kind === 'line' ? value : { ...value, stack: 'zero' },
      ...(isColoured ? { color: coloured } : {}),
    },
  };
}

/** The most characters of all labels below an axis that fit beside each other in a narrow view. */
const mostLevelText = 40;

/** Few short labels are read more easily where they are level; otherwise they stand upright. */
function levelLabels(points: readonly Point[]): object {
  const labels = new Set(points.map(({ x }) => x));
  return [...labels].join('  ').length <= mostLevelText ? { axis: { labelAngle: 0 } } : {};
}

function marks(kind: ChartKind, points: number): object {
  if (kind === 'line') return { type: 'line', point: points <= mostMarked };
  return kind === 'area' ? { type: 'area', opacity: 0.7 } : { type: kind };
}

/**
 * Bars are as wide as their unit of time. A week is drawn as a day, because Vega's weeks start on another day. All are of UTC, which
 * has every hour once: the time zone of this machine skips one and repeats another.
 */
const timeUnits: Readonly<Record<(typeof granularities)[number], string>> = {
  '': 'utcyearmonthdate',
  second: 'utcyearmonthdatehoursminutesseconds',
  minute: 'utcyearmonthdatehoursminutes',
  hour: 'utcyearmonthdatehours',
  day: 'utcyearmonthdate',
  week: 'utcyearmonthdate',
  month: 'utcyearmonth',
  quarter: 'utcyearquarter',
  year: 'utcyear',
};

function shownValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  // As the grid shows it: a label without text looks like a mistake.
  if (value === '') return 'empty';
  if (typeof value !== 'string') return JSON.stringify(value);
  // A group that is really called so is another one than the group without a value.
  return value === 'null' || value === 'empty' ? `“${value}”` : value;
}

/** Returns a time as one of UTC: times of the data API have no zone and are drawn as they are. */
function drawnTime(text: string): string {
  const bare = text.replace(/Z$/, '');
  return `${/^\d{4}-\d{2}-\d{2}$/.test(bare) ? `${bare}T00:00:00` : bare}Z`;
}
