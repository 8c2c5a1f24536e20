import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainExpression, isPlainFormat } from '#shared/page/chart/expression.ts';
import { render } from '#shared/page/chart/render.ts';
import { foldSeries } from '#shared/page/chart/fold-series.ts';
import { seriesStyle } from '#shared/page/chart/series.ts';
import { safeChart } from '#shared/page/chart/spec.ts';
import { honest, rows } from '#support/charts/honest.ts';
import { bombs, manyRows } from '#support/charts/hostile.ts';

const drawn = (spec: unknown, data: readonly Record<string, unknown>[] = rows) =>
  render({ spec: JSON.stringify(spec), rows: data, config: {}, width: 400 });
const bar = { mark: 'bar', encoding: { x: { field: 'status' }, y: { field: 'revenue', type: 'quantitative' } } };
const specOf = (spec: unknown): string => {
  const { data: _, ...safe } = safeChart(spec, rows).spec;
  return JSON.stringify(safe);
};

describe('charts that agents draw', () => {
  it.each(Object.entries(honest))('shows %s', async (_name, spec) => {
    const { svg } = await drawn(spec);
    // Marks of the rows, not only axes: Vega names the group of each mark by its kind.
    expect(svg).toMatch(/class="mark-(?:arc|area|line|rect|rule|symbol|text|trail|path)[^"]*role-mark/);
    expect(svg).not.toContain('NaN');
  });

  it.each(Object.entries(honest))('needs nothing of %s that it leaves out', (name, spec) => {
    const { leftOut } = safeChart(spec, rows);
    const expected: Readonly<Record<string, readonly string[]>> = {
      // A step of months over centuries would be thousands of ticks: the axis chooses its own.
      'a line chart with dashes and interpolation': ['tickCount'],
      // Nothing can be selected in a picture.
      'a chart with a selection': ['params'],
    };
    expect(leftOut).toEqual(expected[name] ?? []);
  });

  it('shows all marks as chosen where a chart colours what a user selects', async () => {
    const { svg } = await drawn(honest['a chart with a selection']);
    expect(new Set(svg.match(/stroke="#[0-9a-f]{6}"/g) ?? []).size).toBeGreaterThan(2);
  });

  it('raises a step that would make millions of bins to one that can be seen', () => {
    const { spec } = safeChart(honest['a histogram with steps of one over millions'], rows);
    const { step } = (spec['encoding'] as { x: { bin: { step: number } } }).x.bin;
    const revenues = rows.map(({ revenue }) => revenue);
    const bins = (Math.max(...revenues) - Math.min(...revenues)) / step;
    expect(bins).toBeLessThanOrEqual(200);
    expect(bins).toBeGreaterThan(50);
  });

  it('keeps a step that the data allow', () => {
    const spec = { mark: 'bar', encoding: { x: { field: 'count', type: 'quantitative', bin: { step: 10 } } } };
    expect(specOf(spec)).toContain('"bin":{"step":10}');
  });
});

describe('a chart with nothing to show', () => {
  const wrong = { x: { field: 'state' }, y: { field: 'revenue', type: 'quantitative' } };

  it.each([
    ['a single view', { mark: 'bar', encoding: wrong }],
    ['a layer', { layer: [{ mark: 'line', encoding: wrong }] }],
    ['small charts', { facet: { field: 'status' }, spec: { mark: 'bar', encoding: wrong } }],
  ])('says so instead of drawing an empty frame: %s', async (_, spec) => {
    await expect(drawn(spec)).rejects.toThrow('The result has no column “state”.');
  });

  const empty = rows.map((row) => ({ ...row, revenue: null }));
  const layers = { layer: [bar, { mark: 'rule', encoding: { y: { field: 'cost', type: 'quantitative' } } }] };

  it.each<readonly [string, unknown, readonly Record<string, unknown>[], string]>([
    ['no rows', bar, [], 'The result has no rows.'],
    ['no rows for its transform', { ...bar, transform: [{ filter: 'true' }] }, [], 'The result has no rows.'],
    ['no values to measure', bar, empty, 'The column “revenue” has no values.'],
  ])('says so instead of drawing an empty frame: %s', async (_, spec, data, message) => {
    await expect(drawn(spec, data)).rejects.toThrow(message);
  });

  it.each<readonly [string, unknown, readonly Record<string, unknown>[]]>([
    ['a single row', bar, rows.slice(0, 1)],
    ['a single value', bar, rows.map((row, at) => (at === 0 ? row : { ...row, revenue: null }))],
    ['a layer that has values', layers, empty],
    ['categories without a name', bar, rows.map((row) => ({ ...row, status: null }))],
  ])('is drawn from %s', async (_, spec, data) => {
    expect((await drawn(spec, data)).svg).toMatch(/role-mark/);
  });

  it('is drawn where only what is beside the positions is unknown', async () => {
    const encoding = { ...bar.encoding, tooltip: { field: 'nothing' } };
    expect((await drawn({ ...bar, encoding })).svg).toContain('<svg');
  });
});

describe('a chart of many series', () => {
  const stores = Array.from({ length: 12 }, (_, at) => `Store ${at + 1}`);
  const data = stores.flatMap((store, at) => [1, 2].map((month) => ({ store, month, revenue: at + month })));
  const lines = {
    mark: 'line',
    encoding: {
      x: { field: 'month', type: 'quantitative' },
      y: { field: 'revenue', type: 'quantitative' },
      color: { field: 'store', type: 'nominal' },
    },
  };
  const colours = (svg: string): number => new Set(svg.match(/stroke="#[0-9a-f]{6}"/gi) ?? []).size;
  const at = (width: number, values: readonly Record<string, unknown>[] = data) =>
    render({ spec: JSON.stringify(lines), rows: values, config: {}, width });

  it('gives twelve stores twelve colours', async () => {
    expect(colours((await at(600)).svg)).toBeGreaterThanOrEqual(12);
  });

  it('has its legend below the plot where it is narrow', () => {
    expect(seriesStyle(lines, data, 300)).toMatchObject({
      config: { legend: { orient: 'bottom', columns: 2 } },
      legendHeight: 108,
    });
    expect(seriesStyle(lines, data, 600).config).not.toHaveProperty('legend');
  });

  it('has its legend below the narrow plot though the chart wants it beside', () => {
    const legend = { orient: 'right', columns: 3, title: 'Shop' };
    const beside = { ...lines, encoding: { ...lines.encoding, color: { field: 'store', type: 'nominal', legend } } };
    expect(seriesStyle(beside, data, 200)).toMatchObject({
      encoding: { color: { field: 'store', legend: { orient: 'bottom', columns: 1, title: 'Shop' } } },
      legendHeight: 216,
    });
    expect(seriesStyle(beside, data, 600).encoding).toEqual({});
  });

  const many = Array.from({ length: 75 }, (_, n) => ({ store: `Store ${n % 25}`, month: n % 3, revenue: n % 25 }));

  it('shows the nineteen largest of many series, and the others together with their number', async () => {
    const { svg } = await at(600, many);
    expect(svg).toContain('Other (6 series)');
    expect(svg).toContain('>Store 24<');
    expect(svg).not.toContain('>Store 5<');
    expect(colours(svg)).toBeGreaterThanOrEqual(20);
  });

  it('adds nothing up: each of the other series is a line of its own', () => {
    const { spec, rows: folded } = foldSeries(lines, many);
    expect(folded.map(({ store, month, revenue }) => ({ store, month, revenue }))).toEqual(many);
    expect(spec).toMatchObject({
      encoding: { detail: [{ field: 'store', type: 'nominal' }] },
      data: { values: folded },
    });
  });

  it('folds no series of a chart with few of them or with colours of its own', () => {
    const own = {
      ...lines,
      encoding: { ...lines.encoding, color: { field: 'store', scale: { scheme: 'tableau20' } } },
    };
    expect(foldSeries(lines, data).spec).toBe(lines);
    expect(foldSeries(own, many).spec).toBe(own);
  });

  it('dashes lines that have colours of their own, of which there are more than colours', () => {
    expect(seriesStyle(lines, many, 600).encoding).toHaveProperty('strokeDash');
  });

  it('leaves a chart without series as it is', () => {
    expect(seriesStyle(bar, rows, 300)).toEqual({ config: {}, encoding: {}, legendHeight: 0 });
  });
});

describe('what a chart may not do', () => {
  it('draws the rows of the answer and no others', () => {
    const spec = {
      ...bar,
      data: { url: 'https://evil.example/x.json' },
      datasets: { other: [] },
      layer: [{ data: { sequence: { start: 0, stop: 1e9 } }, mark: 'bar' }],
      usermeta: { embedOptions: { loader: {} } },
      transform: [{ lookup: 'a', from: { data: { url: 'https://evil.example/z' }, key: 'a' } }],
    };
    const { spec: safe, leftOut } = safeChart(spec, [{ a: 1 }]);
    expect(safe['data']).toEqual({ values: [{ a: 1 }] });
    expect(JSON.stringify(safe)).not.toMatch(/evil|sequence|lookup|usermeta/);
    expect(leftOut).toContain('lookup');
  });

  const HOSTILE = [
    'bind',
    'params',
    'url',
    'href',
    'data',
    'datasets',
    'signal',
    'expr',
    'element',
    'select',
    'selection',
    'usermeta',
    'from',
    'lookup',
    'graticule',
  ];
  it('contains no key of what loads, links, listens or selects elements, wherever it stands', () => {
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('https://evil.example', 'url(https://evil.example)', 'image', 'bar', 'a'),
        fc.integer(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            ...HOSTILE,
            'mark',
            'layer',
            'encoding',
            'x',
            'color',
            'type',
            'title',
            'config',
            'axis',
            'transform',
            'value',
            'condition',
            'test',
            'facet',
            'spec',
          ),
          tie('value'),
          { maxKeys: 5 },
        ),
      ),
    })).value;
    const keys = (value: unknown): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...keys(inner)])
        : [];
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('layer', 'encoding', 'config', 'transform', ...HOSTILE), json),
        (given) => {
          const { data: _, ...safe } = safeChart({ ...given, mark: 'bar' }, []).spec;
          expect(keys(safe).filter((key) => HOSTILE.includes(key))).toEqual([]);
          expect(JSON.stringify(safe)).not.toContain('url(');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('draws no image, whose address would be loaded', () => {
    const image = { type: 'image', url: 'https://evil.example/x.png' };
    for (const mark of [image, 'image'])
      expect(() => safeChart({ mark }, rows)).toThrow('A chart of the type “image” cannot be drawn here.');
    expect(specOf({ layer: [bar, { mark: image }] })).not.toMatch(/image|evil/);
  });

  it.each([
    [
      'a password field in the place of the chat',
      { ...bar, params: [{ name: 'Session expired', bind: { input: 'password', element: 'body' } }] },
    ],
    [
      'a form that sends elsewhere',
      { ...bar, params: [{ name: 'a', bind: { input: 'submit', formaction: 'https://evil.example' } }] },
    ],
    ['a legend that listens', { ...bar, params: [{ name: 'a', select: { type: 'point' }, bind: 'legend' }] }],
  ])('leaves out %s and draws the rest', async (_what, spec) => {
    const { svg, leftOut } = await drawn(spec);
    expect(svg).toContain('<svg');
    expect(svg).not.toMatch(/password|formaction|Session/);
    expect(leftOut).toEqual(['params']);
  });
});

describe('charts that would freeze the page', () => {
  // Bounds grow with the rows, so few of them show what a bomb would come to.
  it.each(Object.entries(bombs))('is not held up by %s', async (_name, spec) => {
    const outcome = await drawn(spec, manyRows.slice(0, 50)).then(
      ({ svg }) => (svg.length < 6_000_000 ? 'drawn' : 'too much'),
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(/^(?:drawn|(?:The (?:chart|specification)|An expression|No row) .*\.)$/);
  });

  it.each(Object.entries(bombs))('takes over no expression of %s where a value belongs', (_name, spec) => {
    const data = manyRows.slice(0, 50);
    const outcome = ((): string => {
      try {
        const { data: _, ...safe } = safeChart(spec, data).spec;
        return JSON.stringify(safe);
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(outcome).not.toMatch(/"(?:expr|signal)"|sequence/);
  });

  it('refuses what is nested too deeply, too large, or no specification at all', () => {
    const deep: unknown = JSON.parse(`${'{"layer":['.repeat(100)}1${']}'.repeat(100)}`);
    expect(() => safeChart(deep, rows)).toThrow('too deeply');
    expect(() => safeChart({ ...bar, title: 'x'.repeat(300_000) }, rows)).toThrow('too large');
    for (const spec of [[], 'x', 1, null]) expect(() => safeChart(spec, rows)).toThrow('not an object');
  });

  it('draws no more than 5,000 rows and shortens long cells', () => {
    const many = Array.from({ length: 20_000 }, () => ({ a: 'x'.repeat(10_000), deep: { a: [1, 2] } }));
    const { values } = safeChart(bar, many).spec['data'] as { values: readonly Record<string, unknown>[] };
    expect(values).toHaveLength(5_000);
    expect(values[0]).toEqual({ a: 'x'.repeat(1_000), deep: {} });
  });
});

describe('expressions of a chart', () => {
  it.each([
    'datum.a > 5 && datum["b c"] !== null',
    "if(datum.x, 'yes', 'no')",
    "format(datum.value / 1e6, ',.1f') + ' M'",
    "replace(datum.label, 'Orders ', '')",
    'clamp(datum.a, 0, 100) ? PI : -1',
    "timeFormat(datum.month, '%b %Y')",
    'inrange(datum.a, [0, 10])',
  ])('may be %s', (source) => expect(isPlainExpression(source)).toBe(true));

  it.each([
    "test(regexp('a+'), datum.a)",
    'test(/a+/, datum.a)',
    'datum.constructor',
    "datum['__proto__']",
    "datum['con' + 'structor']",
    "datum.a.constructor.constructor('x')()",
    'sequence(0, 1e9)',
    "pad('a', 1e9)",
    "repeat('a', 1e9)",
    "data('source_0')",
    "scale('x', 1)",
    'event.item',
    'item.mark',
    'window',
    'format(1, datum.format)',
    "format(1, '0999999d')",
    "replace(datum.a, 'a', '$&$&')",
    "replace(datum.a, regexp('a'), 'b')",
    '{a: 1}',
    'datum.a = 1',
    `${'1+'.repeat(400)}1`,
    '(',
    '',
  ])('may not be %s', (source) => expect(isPlainExpression(source)).toBe(false));

  it('takes formats of numbers and times, and none that asks for a long text', () => {
    expect(['.2f', ',.0f', '$,.2f', '.3s', '0>8,d', '%Y-%m-%d %H:%M'].every(isPlainFormat)).toBe(true);
    expect(['0100d', '.999f', 5, null, 'x'.repeat(61)].some(isPlainFormat)).toBe(false);
  });
});
