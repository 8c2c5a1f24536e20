// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { render } from '#shared/page/chart/render.ts';
import { chartTheme } from '#shared/page/chart/theme.ts';

const rows = Array.from({ length: 40 }, (_, at) => ({
  category: `Category number ${at + 1}`,
  revenue: (at - 20) * 1000,
  orders_completed_total_amount_net_of_returns_and_discounts_in_euros: at,
  month: `2026-${String((at % 12) + 1).padStart(2, '0')}-01`,
}));
const category = { field: 'category', type: 'nominal' };
const revenue = { field: 'revenue', type: 'quantitative' };
const drawn = (spec: unknown, data: readonly Record<string, unknown>[] = rows) =>
  render({ spec: JSON.stringify(spec), rows: data, config: chartTheme(), width: 300 });
const bars = (x: object, y: object, more: object = {}): object => ({ mark: 'bar', encoding: { x, y }, ...more });

/** The width and height of the plot, in pixels. */
function plotOf(svg: string): readonly number[] {
  const [, width, height] = /class="background"[^>]*d="M0[.\d]*,0[.\d]*h([-.\d]+)v([-.\d]+)/.exec(svg) ?? [];
  return [Number(width), Number(height)];
}
/** The lines of text that contain some letters. */
const linesOf = (svg: string): readonly string[] =>
  [...svg.matchAll(/<(?:text|tspan)[^>]*>([^<]+)</g)].map(([, line]) => line ?? '');
const heightOf = (svg: string): number => Number(/viewBox="0 0 \S+ (\d+)/.exec(svg)?.[1]);

const long =
  'Net revenue after returns, discounts and shipping, converted to euros at the rate of the bank of that day';
const chinese = '扣除退货、折扣和运费后的净收入（按银行当日汇率换算）各门店及各月份的变化趋势以及与去年同月的比较';
const endless = 'x'.repeat(400);

describe('the plot of a chart', () => {
  it.each<readonly [string, object]>([
    ['a long title', bars(category, revenue, { title: long })],
    ['a long title in several lines of its own', bars(category, revenue, { title: [long, long] })],
    ['a title without spaces', bars(category, revenue, { title: chinese })],
    ['a title that is one endless word', bars(category, revenue, { title: endless })],
    ['a title as long as an answer', bars(category, revenue, { title: `${long} `.repeat(4) })],
    ['a long title and subtitle', bars(category, revenue, { title: { text: long, subtitle: [chinese, endless] } })],
    ['long titles of axes', bars({ ...category, title: long }, { ...revenue, title: long })],
    [
      'endless titles of axes',
      bars({ ...category, axis: { title: endless } }, { ...revenue, axis: { title: chinese } }),
    ],
    ['long names of columns', bars(category, { field: Object.keys(rows[0] ?? {})[2], type: 'quantitative' })],
    [
      'long titles of axes around its layers',
      {
        layer: [{ mark: 'bar' }, { mark: 'point' }],
        encoding: { x: { ...category, title: long }, y: { ...revenue, title: long } },
      },
    ],
    ['labels as wide as an agent allows', bars({ ...category, axis: { labelLimit: 2000 } }, revenue)],
  ])('keeps its room beside %s', async (_, spec) => {
    const { svg } = await drawn(spec);
    const [width, height] = plotOf(svg);
    expect(width).toBeGreaterThan(120);
    expect(height).toBeGreaterThan(40);
  });

  it('says so where texts leave no room for it', async () => {
    const labels = { labelLimit: 2000, labelFontSize: 40 };
    await expect(
      drawn(bars({ ...category, axis: labels }, { ...revenue, axis: { titleFontSize: 200 } })),
    ).rejects.toThrow('The texts of the chart leave no room for its marks.');
  });

  it('grows with the categories of horizontal bars, up to a limit', async () => {
    const heights = [5, 40, 400].map(async (count) => {
      const data = Array.from({ length: count }, (_, at) => ({ category: `c${at}`, revenue: at }));
      return heightOf((await drawn(bars(revenue, category), data)).svg);
    });
    const [few = 0, many = 0, most = 0] = await Promise.all(heights);
    expect(few).toBe(240);
    expect(many).toBeGreaterThanOrEqual(40 * 12);
    expect(most).toBeLessThanOrEqual(800);
  });
});

describe('a title of a chart', () => {
  it.each([
    ['between words', long],
    ['within a text that has no spaces', chinese],
  ])('is written in lines that break %s', async (_, title) => {
    const lines = linesOf((await drawn(bars(category, revenue, { title }))).svg);
    const plain = (text: string): string => text.replaceAll(/\s/g, '');
    expect(plain(lines.join(''))).toContain(plain(title));
    expect(lines).not.toContain(title);
  });

  it('ends with an ellipsis where it has more lines than there is room for', async () => {
    const lines = linesOf((await drawn(bars(category, revenue, { title: `${long} `.repeat(4) }))).svg);
    expect(lines.filter((line) => /revenue|euros/.test(line)).length).toBeLessThan(6);
    expect(lines.some((line) => line.endsWith('…') && !line.startsWith('Category'))).toBe(true);
  });

  it('names a column as it is in tooltips, also where the axis writes it in lines', async () => {
    const { svg } = await drawn(bars({ ...category, title: long }, revenue));
    expect(svg).toContain(`${long}: Category number 1;`);
  });
});

describe('labels of many categories', () => {
  it.each([
    ['below the plot', bars(category, revenue)],
    ['beside the plot', bars(revenue, category)],
  ])('leave out what would be written over each other %s', async (_, spec) => {
    const data = Array.from({ length: 200 }, (__, at) => ({ category: `Category number ${at + 1}`, revenue: at }));
    const { svg } = await drawn(spec, data);
    const [, labels = ''] = /role-axis-label"[^>]*>(.*?)<\/g><g/s.exec(svg.slice(svg.indexOf('Category') - 600)) ?? [];
    const texts = [...svg.matchAll(/<text[^>]*>Category[^<]*</g)].map(([text]) => text);
    const shown = texts.filter((text) => !text.includes('opacity="0"'));
    expect(labels).toBeDefined();
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.length).toBeLessThan(70);
  });
});

describe('what cannot be drawn', () => {
  it.each<readonly [string, object, string]>([
    [
      'a map',
      { mark: 'geoshape', projection: { type: 'albersUsa' } },
      'A chart of the type “geoshape” cannot be drawn here.',
    ],
    [
      'an unknown mark',
      { mark: { type: 'sankey' }, encoding: {} },
      'A chart of the type “sankey” cannot be drawn here.',
    ],
    ['an unknown mark in a layer', { layer: [{ mark: 'gauge' }] }, 'A chart of the type “gauge” cannot be drawn here.'],
    [
      'Vega instead of Vega-Lite',
      { $schema: 'https://vega.github.io/schema/vega/v5.json', marks: [{ type: 'rect' }], scales: [] },
      'The specification is written in Vega; only Vega-Lite can be drawn.',
    ],
    ['nothing', {}, 'The specification of the chart draws nothing.'],
  ])('is named: %s', async (_, spec, message) => {
    await expect(drawn(spec)).rejects.toThrow(message);
  });

  it('is named where slices have negative values or values of zero are on a logarithmic axis', async () => {
    const slices = await drawn({ mark: 'arc', encoding: { theta: revenue, color: category } });
    expect(slices.remarks).toEqual(['20 of 40 rows have a negative value in “revenue”, which slices cannot show.']);
    const data = [0, 1, 10, 100].map((value, at) => ({ category: `c${at}`, revenue: value }));
    const points = { mark: 'point', encoding: { x: category, y: { ...revenue, scale: { type: 'log' } } } };
    expect((await drawn(points, data)).remarks).toEqual([
      '1 of 4 rows has a value of zero or less in “revenue”, which a logarithmic axis cannot show.',
    ]);
  });
});
