// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { render } from '#shared/page/chart/render.ts';
import { chartTheme } from '#shared/page/chart/theme.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];
const value = { field: 'value', type: 'quantitative' };
const store = { field: 'store', type: 'nominal' };
const day = { field: 'day', type: 'temporal' };
const bars = { mark: 'bar', encoding: { x: store, y: value } };
const lines = { mark: 'line', encoding: { x: day, y: value, color: store } };

const widths = [160, 260, 410];
const drawn = async (spec: object, rows: Rows, width = 260): Promise<string> =>
  (await render({ spec: JSON.stringify(spec), rows, config: chartTheme(), width })).svg;
const named = (values: readonly unknown[]): Rows => values.map((each, at) => ({ store: `S${at}`, value: each }));
/** A row for each day of a store, in the order of the days. */
const days = (name: string, values: readonly unknown[]): Rows =>
  values.map((each, at) => ({ store: name, day: `2026-01-0${at + 1}`, value: each }));
const names = (count: number, name: (at: number) => string): Rows =>
  Array.from({ length: count }, (_, at) => days(name(at), [at, 2 * at, at + 3])).flat();

/** The labels beside a vertical axis; those that would be written over each other are hidden. */
function axisLabels(svg: string): readonly string[] {
  const [, axis = ''] =
    /class="mark-group role-axis"[^>]*aria-label="Y-axis[^]*?role-axis-label[^>]*>([^]*?)<\/g>/.exec(svg) ?? [];
  return [...axis.matchAll(/<text([^>]*)>([^<]*)</g)].flatMap(([, style = '', label = '']) =>
    style.includes('opacity="0"') ? [] : [label],
  );
}
const points = (svg: string): number => svg.match(/aria-roledescription="point"/g)?.length ?? 0;
const widthOf = (svg: string): number => Number(/viewBox="0 0 (\S+)/.exec(svg)?.[1]);
/** How many entries of the legend stand beside each other. */
function legendColumns(svg: string): number {
  const entry =
    /translate\(([-.\d]+),[-.\d]+\)"><path class="background"[^>]*><g><g class="mark-symbol role-legend-symbol/g;
  return new Set([...svg.matchAll(entry)].map(([, left]) => left)).size;
}

describe('the numbers beside a chart', () => {
  it.each<readonly [string, readonly unknown[], string]>([
    ['millions', [1e6, 2.5e6, 9e6], '8M'],
    ['billions', [1e9, 2.5e9, 9e9], '8B'],
    ['negative trillions', [-1e12, -9e12], '−8T'],
    ['more than trillions', [1e15, 2.5e15, 9e15], '8e+15'],
    ['enormous numbers', [1e25, 2.5e30, 9e29], '2e+30'],
    ['tiny numbers', [1e-9, 2e-9, 3e-9], '2e-9'],
    ['small numbers', [0.001, 0.002], '0.0010'],
    ['nothing but zeros', [0, 0, null], '0'],
    ['a single zero', [0], '0'],
    ['a single number', [5], '5'],
  ])('are whole, and unlike each other: %s', async (_, values, shown) => {
    for (const width of widths) {
      const labels = axisLabels(await drawn(bars, named(values), width));
      expect(labels).toContain(shown);
      expect(labels.filter((label) => label.endsWith('…') || label === '0.000000')).toEqual([]);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });

  it('keep the digits by which they differ', async () => {
    const y = { ...value, scale: { zero: false } };
    const labels = axisLabels(await drawn({ mark: 'point', encoding: { x: store, y } }, named([1_000_001, 1_000_004])));
    expect(labels).toContain('1.000002M');
    expect(new Set(labels).size).toBe(labels.length);
  });

  it.each([
    ['a format', { axis: { format: ',.0f' } }, '8,000,000'],
    ['shares of a whole', { stack: 'normalize' }, '100%'],
  ])('are written as the chart says: %s', async (_, more, shown) => {
    const labels = axisLabels(
      await drawn({ mark: 'bar', encoding: { x: store, y: { ...value, ...more } } }, named([9e6])),
    );
    expect(labels).toContain(shown);
  });

  it('leave room for the plot beside the numbers of a colour', async () => {
    const color = { ...value, type: 'quantitative' };
    for (const width of widths) {
      const svg = await drawn({ mark: 'point', encoding: { x: store, y: value, color } }, named([1e9, 11e9]), width);
      expect(widthOf(svg)).toBeLessThanOrEqual(width);
    }
  });
});

describe('a line', () => {
  it.each<readonly [string, object, Rows, number]>([
    ['the only row', lines, days('a', [5]), 1],
    ['the only row of each series', lines, [...days('a', [5]), ...days('b', [7])], 2],
    ['a value between two that are missing', lines, days('a', [1, null, 3, null, 5, 6]), 4],
    ['the only row of an area', { mark: 'area', encoding: { x: day, y: value } }, days('a', [5]), 1],
    [
      'the only month of several days',
      { mark: 'line', encoding: { x: { ...day, timeUnit: 'yearmonth' }, y: { ...value, aggregate: 'sum' } } },
      days('a', [5, 6]),
      1,
    ],
    ['the only row of a layer', { layer: [lines, { mark: 'rule', encoding: { y: value } }] }, days('a', [5]), 1],
  ])('shows %s as a point', async (_, spec, rows, count) => {
    expect(points(await drawn(spec, rows))).toBe(count);
  });

  it('shows no points where each value has a neighbour', async () => {
    expect(points(await drawn(lines, [...days('a', [1, 2, 3]), ...days('b', [-1, 0])]))).toBe(0);
  });

  it('goes from day to day, in whichever order the rows are', async () => {
    const rows = days('a', [1, 5, 2, 8, 3]);
    const path = (svg: string): string | undefined => /role-mark marks"[^]*?<path[^>]* d="([^"]+)"/.exec(svg)?.[1];
    const inOrder = path(await drawn(lines, rows));
    expect(inOrder).toMatch(/^M.*L/);
    const mixed = [3, 0, 4, 2, 1].flatMap((at) => rows.slice(at, at + 1));
    expect(path(await drawn(lines, mixed))).toBe(inOrder);
  });
});

describe('a chart of many series', () => {
  it.each([
    [1, 1],
    [2, 2],
    [30, 2],
  ])('has a legend with room for each of %d short names', async (count, columns) => {
    expect(
      legendColumns(
        await drawn(
          lines,
          names(count, (at) => `Store ${at + 1}`),
        ),
      ),
    ).toBe(columns);
  });

  it('shows more of long names, one below the other', async () => {
    const svg = await drawn(
      lines,
      names(4, (at) => `North ${at}, a warehouse of the former mill`),
    );
    expect(legendColumns(svg)).toBe(1);
    expect(svg).toContain('>North 3, a warehouse');
  });

  it.each<readonly [string, object]>([
    ['a channel', { mark: 'line', encoding: { x: day, y: value, facet: store } }],
    ['an operator', { facet: store, spec: { mark: 'line', encoding: { x: day, y: value } } }],
  ])('fits its small views of %s into the picture', async (_, spec) => {
    for (const width of widths) expect(widthOf(await drawn(spec, names(12, String), width))).toBeLessThanOrEqual(width);
  });
});
