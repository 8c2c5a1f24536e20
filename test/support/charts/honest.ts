/** Rows for charts as agents and the gallery of Vega-Lite write them; each must show marks when these rows are its only data. */
export const rows = Array.from({ length: 60 }, (_, at) => ({
  'orders.status': ['new', 'paid', 'sent', 'done'][at % 4],
  status: ['new', 'paid', 'sent', 'done'][at % 4],
  region: ['north', 'south', 'west'][at % 3],
  month: `2025-${String((at % 12) + 1).padStart(2, '0')}-01T00:00:00.000`,
  revenue: 1_000_000 + ((at * 7919) % 4_000_000),
  cost: 500_000 + ((at * 104_729) % 2_000_000),
  count: (at * 31) % 97,
  low: at % 10,
  high: (at % 10) + 5,
  lon: -120 + (at % 50),
  lat: 30 + (at % 15),
}));

const status = { field: 'status', type: 'nominal' };
const region = { field: 'region', type: 'nominal' };
const month = { field: 'month', type: 'temporal' };
const revenue = { field: 'revenue', type: 'quantitative' };
const cost = { field: 'cost', type: 'quantitative' };
const total = { aggregate: 'sum', ...revenue };
const $schema = 'https://vega.github.io/schema/vega-lite/v5.json';

/** Name → a specification. */
export const honest: Readonly<Record<string, object>> = {
  'a bar chart': { $schema, mark: 'bar', encoding: { x: status, y: total } },
  'a sorted horizontal bar chart': { mark: 'bar', encoding: { y: { ...status, sort: '-x' }, x: total } },
  'bars sorted by another field': {
    mark: 'bar',
    encoding: { x: { ...status, sort: { field: 'count', op: 'sum', order: 'descending' } }, y: total },
  },
  'a stacked bar chart': { mark: 'bar', encoding: { x: status, y: total, color: region } },
  'a normalized stacked bar chart': {
    mark: 'bar',
    encoding: { x: status, y: { ...total, stack: 'normalize' }, color: region },
  },
  'a grouped bar chart': {
    mark: 'bar',
    encoding: { x: status, xOffset: { field: 'region' }, y: total, color: region },
  },
  'a bar chart with labels': {
    layer: [{ mark: 'bar' }, { mark: { type: 'text', dy: -6 }, encoding: { text: { ...total, format: ',.0f' } } }],
    encoding: { x: status, y: total },
  },
  'a bar chart with a highlighted bar': {
    mark: 'bar',
    encoding: {
      x: status,
      y: total,
      color: { condition: { test: "datum.status === 'paid'", value: 'orange' }, value: 'steelblue' },
    },
  },
  'a ranged bar (Gantt) chart': {
    mark: 'bar',
    encoding: { y: status, x: { field: 'low', type: 'quantitative' }, x2: { field: 'high' } },
  },
  'a line chart': { mark: { type: 'line', point: true }, encoding: { x: month, y: total } },
  'a multi-line chart': { mark: 'line', encoding: { x: { ...month, timeUnit: 'yearmonth' }, y: total, color: region } },
  'a line chart with dashes and interpolation': {
    mark: { type: 'line', interpolate: 'monotone', strokeDash: [4, 2] },
    encoding: {
      x: { ...month, axis: { format: '%b %Y', labelAngle: -45, tickCount: 'month' } },
      y: { ...total, scale: { zero: false } },
    },
  },
  'an area chart with a gradient': {
    mark: {
      type: 'area',
      line: { color: 'darkgreen' },
      color: {
        gradient: 'linear',
        stops: [
          { offset: 0, color: 'white' },
          { offset: 1, color: 'darkgreen' },
        ],
        x1: 1,
        y1: 1,
        x2: 1,
        y2: 0,
      },
    },
    encoding: { x: month, y: total },
  },
  'a stacked area chart': { mark: 'area', encoding: { x: month, y: total, color: region } },
  'a streamgraph': {
    mark: 'area',
    encoding: { x: month, y: { ...total, stack: 'center', axis: null }, color: region },
  },
  'a trail': { mark: 'trail', encoding: { x: month, y: total, size: total } },
  'a scatter plot': { mark: 'point', encoding: { x: cost, y: revenue, shape: status, color: region } },
  'a bubble chart': {
    mark: { type: 'circle', opacity: 0.6 },
    encoding: { x: cost, y: revenue, size: { field: 'count', type: 'quantitative' } },
  },
  'a strip plot': { mark: 'tick', encoding: { x: revenue, y: status } },
  'a log scale': { mark: 'point', encoding: { x: { ...cost, scale: { type: 'log', base: 10 } }, y: revenue } },
  'a pie chart': { mark: 'arc', encoding: { theta: total, color: status }, view: { stroke: null } },
  'a donut chart': { mark: { type: 'arc', innerRadius: 50 }, encoding: { theta: total, color: status } },
  'a radial chart': {
    layer: [{ mark: { type: 'arc', innerRadius: 20, stroke: '#fff' } }],
    encoding: {
      theta: { ...total, stack: true },
      radius: { ...total, scale: { type: 'sqrt', zero: true, rangeMin: 20 } },
      color: status,
    },
  },
  'a heatmap': { mark: 'rect', encoding: { x: status, y: region, color: { ...total, scale: { scheme: 'blues' } } } },
  'a heatmap of bins': {
    mark: 'rect',
    encoding: {
      x: { ...cost, bin: { maxbins: 20 } },
      y: { ...revenue, bin: true },
      color: { aggregate: 'count', type: 'quantitative' },
    },
  },
  'a histogram': { mark: 'bar', encoding: { x: { ...revenue, bin: true }, y: { aggregate: 'count' } } },
  'a histogram with steps of one over millions': {
    mark: 'bar',
    encoding: { x: { ...revenue, bin: { step: 1 } }, y: { aggregate: 'count' } },
  },
  'a cumulative histogram': {
    transform: [
      { sort: [{ field: 'revenue' }], window: [{ op: 'count', field: 'count', as: 'cumulative' }], frame: [null, 0] },
    ],
    mark: 'area',
    encoding: { x: revenue, y: { field: 'cumulative', type: 'quantitative' } },
  },
  'a density': {
    transform: [{ density: 'revenue', groupby: ['region'] }],
    mark: 'area',
    encoding: {
      x: { field: 'value', type: 'quantitative' },
      y: { field: 'density', type: 'quantitative' },
      color: region,
    },
  },
  'a boxplot': { mark: { type: 'boxplot', extent: 'min-max' }, encoding: { x: status, y: revenue } },
  'an error bar': {
    layer: [
      { mark: 'errorbar', encoding: { x: status, y: revenue } },
      { mark: 'point', encoding: { x: status, y: { aggregate: 'mean', ...revenue } } },
    ],
  },
  'an error band': {
    layer: [
      { mark: { type: 'errorband', extent: 'ci' } },
      { mark: 'line', encoding: { y: { aggregate: 'mean', ...revenue } } },
    ],
    encoding: { x: month, y: revenue },
  },
  'a threshold rule': {
    layer: [
      { mark: 'bar', encoding: { x: status, y: total } },
      { mark: { type: 'rule', color: 'red' }, encoding: { y: { datum: 20_000_000 } } },
    ],
  },
  'a mean line over bars': {
    layer: [
      { mark: 'bar', encoding: { x: status, y: { aggregate: 'mean', ...revenue } } },
      { mark: 'rule', encoding: { y: { aggregate: 'mean', ...revenue } } },
    ],
  },
  'two axes': {
    encoding: { x: month },
    layer: [
      { mark: 'bar', encoding: { y: total } },
      { mark: { type: 'line', color: 'firebrick' }, encoding: { y: { aggregate: 'mean', ...cost } } },
    ],
    resolve: { scale: { y: 'independent' } },
  },
  'a regression line': {
    layer: [
      { mark: { type: 'point', filled: true } },
      { mark: 'line', transform: [{ regression: 'revenue', on: 'cost' }] },
    ],
    encoding: { x: cost, y: revenue },
  },
  'a smoothed line': {
    layer: [{ mark: 'point' }, { mark: 'line', transform: [{ loess: 'revenue', on: 'cost', bandwidth: 0.5 }] }],
    encoding: { x: cost, y: revenue },
  },
  'a calculated share': {
    transform: [
      { joinaggregate: [{ op: 'sum', field: 'revenue', as: 'all' }] },
      { calculate: 'datum.revenue / datum.all', as: 'share' },
      { filter: 'datum.share > 0' },
    ],
    mark: 'bar',
    encoding: { x: status, y: { field: 'share', type: 'quantitative', axis: { format: '.0%' } } },
  },
  'the ten largest': {
    transform: [
      { window: [{ op: 'rank', as: 'rank' }], sort: [{ field: 'revenue', order: 'descending' }] },
      { filter: 'datum.rank <= 10' },
    ],
    mark: 'bar',
    encoding: { x: revenue, y: { field: 'count', type: 'nominal', sort: '-x' } },
  },
  'folded measures': {
    transform: [{ fold: ['revenue', 'cost'], as: ['measure', 'amount'] }],
    mark: 'line',
    encoding: {
      x: month,
      y: { aggregate: 'sum', field: 'amount', type: 'quantitative' },
      color: { field: 'measure', type: 'nominal' },
    },
  },
  'a pivot with a tooltip': {
    transform: [{ pivot: 'region', value: 'revenue', groupby: ['month'] }],
    mark: { type: 'line', tooltip: { content: 'data' } },
    encoding: { x: month, y: { field: 'north', type: 'quantitative' } },
  },
  'filled gaps': { mark: 'line', encoding: { x: month, y: { ...revenue, impute: { value: 0 } }, color: region } },
  'a filter by values': {
    transform: [
      { filter: { field: 'status', oneOf: ['new', 'paid'] } },
      {
        filter: {
          and: [
            { field: 'count', gte: 5 },
            { field: 'count', lt: 90 },
          ],
        },
      },
    ],
    mark: 'point',
    encoding: { x: cost, y: revenue, tooltip: [status, { ...revenue, format: '$,.2f' }] },
  },
  'small multiples by column': { mark: 'bar', encoding: { x: status, y: total, column: region } },
  'small multiples by row and column': {
    mark: 'point',
    encoding: { x: cost, y: revenue, row: status, column: region },
  },
  'wrapped small multiples': { mark: 'line', encoding: { x: month, y: total, facet: { ...status, columns: 2 } } },
  'a facet of layers': {
    facet: { row: region },
    spec: { layer: [{ mark: 'line' }, { mark: 'point' }], encoding: { x: month, y: total } },
  },
  'charts beside each other': {
    hconcat: [
      { mark: 'bar', encoding: { x: status, y: total } },
      { mark: 'line', encoding: { x: month, y: total } },
    ],
  },
  'charts below each other': {
    vconcat: [
      { mark: 'bar', encoding: { x: status, y: total } },
      { mark: 'arc', encoding: { theta: total, color: region } },
    ],
    spacing: 20,
  },
  'a repeated chart': {
    repeat: ['revenue', 'cost'],
    spec: {
      mark: 'bar',
      encoding: { x: status, y: { aggregate: 'sum', field: { repeat: 'repeat' }, type: 'quantitative' } },
    },
  },
  'a scatter matrix': {
    repeat: { row: ['revenue', 'cost'], column: ['cost', 'count'] },
    spec: {
      mark: 'point',
      encoding: {
        x: { field: { repeat: 'column' }, type: 'quantitative' },
        y: { field: { repeat: 'row' }, type: 'quantitative' },
      },
    },
  },
  'repeated layers': {
    repeat: { layer: ['revenue', 'cost'] },
    spec: {
      mark: 'line',
      encoding: {
        x: month,
        y: { aggregate: 'sum', field: { repeat: 'layer' }, type: 'quantitative' },
        color: { datum: { repeat: 'layer' }, type: 'nominal' },
      },
    },
  },
  'a big number': { mark: { type: 'text', fontSize: 48 }, encoding: { text: { ...total, format: '.3s' } } },
  'a map of points': {
    projection: { type: 'mercator' },
    mark: 'circle',
    encoding: { longitude: { field: 'lon', type: 'quantitative' }, latitude: { field: 'lat', type: 'quantitative' } },
  },
  'a chart with a selection': {
    params: [{ name: 'brush', select: 'interval' }],
    mark: 'point',
    encoding: { x: cost, y: revenue, color: { condition: { param: 'brush', ...status }, value: 'grey' } },
  },
  'names with dots': {
    mark: 'bar',
    encoding: { x: { field: 'orders\\.status', type: 'nominal', title: 'Status' }, y: total },
  },
  'shortened labels': {
    mark: 'bar',
    encoding: {
      x: { ...status, axis: { labelExpr: "upper(slice(datum.label, 0, 2)) + '…'" } },
      y: { ...total, axis: { labelExpr: "format(datum.value / 1e6, ',.1f') + ' M'" } },
    },
  },
  'titles and colours of its own': {
    title: { text: 'Revenue', subtitle: ['by status', '2025'], anchor: 'start' },
    config: {
      bar: { color: 'teal', cornerRadius: 3 },
      axis: { grid: false },
      view: { stroke: null },
      range: { category: ['#111', '#222'] },
    },
    mark: { type: 'bar', cornerRadiusEnd: 4, tooltip: true },
    encoding: {
      x: { ...status, axis: { labelAngle: 0 }, title: 'Status' },
      y: { ...total, title: null },
      color: { ...status, legend: { orient: 'bottom', title: null } },
    },
  },
  'a waterfall': {
    transform: [
      { window: [{ op: 'sum', field: 'count', as: 'sum' }], sort: [{ field: 'month' }] },
      { calculate: 'datum.sum - datum.count', as: 'previous' },
    ],
    mark: 'bar',
    encoding: {
      x: { field: 'month', type: 'ordinal' },
      y: { field: 'previous', type: 'quantitative' },
      y2: { field: 'sum' },
    },
  },
};
