/** The maximum number of rows of a chart, each of them different. */
export const manyRows = Array.from({ length: 5_000 }, (_, at) => ({
  a: at,
  b: at * 1e6,
  text: `${'a'.repeat(28)}b`,
  day: new Date(at * 8.64e9).toISOString(),
}));
const point = (encoding: object, others: object = {}): object => ({ mark: 'point', encoding, ...others });
const x = { field: 'a', type: 'quantitative' };
const nest = (times: number, inner: object, wrap: (spec: object) => object): object =>
  Array.from({ length: times }).reduce<object>((spec) => wrap(spec), inner);
/** Name → a specification that would take forever, or all memory, if it were drawn unchanged. */
export const bombs: Readonly<Record<string, object>> = {
  'a regular expression': point({ x }, { transform: [{ filter: "test(regexp('^(a+)+$'), datum.text)" }] }),
  'a regular expression as a literal': point({ x }, { transform: [{ filter: 'test(/^(a+)+$/, datum.text)' }] }),
  'a sequence': point({ x }, { transform: [{ calculate: 'length(sequence(0, 3e8))', as: 'c' }] }),
  padding: point({ x }, { transform: [{ calculate: "pad('a', 4e8)", as: 'c' }] }),
  'a format of that width': point({ x: { ...x, axis: { format: '0999999999d' } } }),
  'a written format of that width': point({ x }, { transform: [{ calculate: "format(1, '0999999999d')", as: 'c' }] }),
  'tiny bins': point({ x: { ...x, bin: { step: 1e-7 } } }),
  'tiny bins of a transform': point({ x }, { transform: [{ bin: { step: 1e-7 }, field: 'a', as: 'c' }] }),
  'tiny bins of what a transform stretched': point(
    { x: { field: 'a', type: 'quantitative', bin: { step: 1 } } },
    { transform: [{ calculate: 'datum.a * 1e12', as: 'a' }] },
  ),
  'bins of a wide extent': point({ x: { ...x, bin: { extent: [0, 1e12], step: 1 } } }),
  'bins whose base is close to one': point({ x: { ...x, bin: { base: 1.000_000_1, maxbins: 1 } } }),
  'axis values by expression': point({ x: { ...x, axis: { values: { expr: 'sequence(0, 3e6)' } } } }),
  'ticks by expression': point({ x: { ...x, axis: { tickCount: { expr: '3e8' } } } }),
  'a tick each millisecond': point({
    x: { field: 'day', type: 'temporal', axis: { tickCount: { interval: 'millisecond', step: 1 } } },
  }),
  'a tick each second by name': point({ x: { field: 'day', type: 'temporal', axis: { tickCount: 'second' } } }),
  'ticks beyond count': point({ x: { ...x, axis: { tickCount: 1e9 } } }),
  'bins of a scale': point({ x: { ...x, scale: { bins: { start: 0, stop: 1e9, step: 1e-3 } } } }),
  'a logarithm to a base close to one': point({ x: { ...x, scale: { type: 'log', base: 1.000_001 } } }),
  'a density with a billion steps': point(
    { x: { field: 'value', type: 'quantitative' } },
    { transform: [{ density: 'a', steps: 1e9 }] },
  ),
  'a density for each row': point(
    { x: { field: 'value', type: 'quantitative' } },
    { transform: [{ density: 'b', groupby: ['a'] }] },
  ),
  'keys to fill in': point(
    { x },
    { transform: [{ impute: 'b', key: 'a', keyvals: { start: 0, stop: 1e9, step: 1 }, value: 0 }] },
  ),
  'each row filled in for each group': point(
    { x },
    { transform: [{ impute: 'b', key: 'a', groupby: ['day'], value: 0 }] },
  ),
  'each row filled in for each colour': point({
    x,
    y: { field: 'b', type: 'quantitative', impute: { value: 0 } },
    color: { field: 'day', type: 'nominal' },
  }),
  'folds of folds': point(
    { x },
    { transform: Array.from({ length: 12 }, () => ({ fold: ['a', 'b', 'text', 'day'] })) },
  ),
  'folds in layers of layers': nest(6, point({ x }), (spec) => ({
    transform: [{ fold: ['a', 'b', 'text', 'day'] }],
    layer: [spec],
  })),
  'texts that double': point(
    { x },
    { transform: Array.from({ length: 40 }, () => ({ calculate: 'datum.text + datum.text', as: 'text' })) },
  ),
  'a chart for each row': point({ x, row: { field: 'a', type: 'nominal' } }),
  'a chart for each row and column': point({
    x,
    row: { field: 'a', type: 'nominal' },
    column: { field: 'day', type: 'nominal' },
  }),
  'repeats of repeats': nest(5, point({ x }), (spec) => ({
    repeat: Array.from({ length: 20 }, (_, at) => String(at)),
    spec,
  })),
  'a repeat by row and column': {
    repeat: { row: Array(20).fill('a'), column: Array(20).fill('b') },
    spec: point({ x }),
  },
  'facets of repeats': {
    facet: { field: 'text' },
    spec: { repeat: Array(20).fill('a'), spec: { repeat: Array(20).fill('b'), spec: point({ x }) } },
  },
  'layers of layers': nest(8, point({ x }), (spec) => ({ layer: [spec, spec, spec] })),
  'concatenated concatenations': nest(8, point({ x }), (spec) => ({ hconcat: [spec, spec, spec] })),
  'a size beyond every screen': {
    width: 1e9,
    height: 1e9,
    padding: 1e9,
    hconcat: [{ width: 1e9, height: 1e9, ...point({ x }) }],
  },
  'dashes too small to be seen': { mark: { type: 'line', strokeDash: [1e-9, 1e-9] }, encoding: { x, y: x } },
  'a precise projection': point({ longitude: x, latitude: x }, { projection: { type: 'mercator', precision: 1e-12 } }),
  'quantiles without end': point({ x }, { transform: [{ quantile: 'a', step: 1e-12 }] }),
  'a pivot of every row': point({ x }, { transform: [{ pivot: 'day', value: 'a', limit: 1e9 }] }),
};
