import type { DataQuery } from '#api/data/data.ts';

/** Queries of the models in `model`, by name; `npm run test:cube-core` records what a real server answers to them. */
export const cubeCoreQueries = {
  'rows with their number': {
    measures: ['orders.count'],
    dimensions: ['orders.status'],
    order: { 'orders.status': 'asc' },
    limit: 1,
    total: true,
  },
  'values of every type': {
    measures: ['readings.count', 'readings.big_total', 'readings.exact_total', 'readings.mean', 'readings.share'],
    dimensions: [
      ...['id', 'big', 'exact', 'approximate', 'nothing', 'flag', 'local', 'zoned', 'day', 'nested', 'note'].map(
        (name) => `readings.${name}`,
      ),
    ],
    order: { 'readings.id': 'asc' },
  },
  'months in a time zone': {
    measures: ['readings.count'],
    timeDimensions: [{ dimension: 'readings.zoned', granularity: 'month', dateRange: ['2026-01-01', '2026-03-31'] }],
    timezone: 'Europe/Berlin',
  },
  'no rows': {
    dimensions: ['orders.status'],
    filters: [{ member: 'orders.status', operator: 'equals', values: ['?'] }],
  },
  'an unknown member': { measures: ['orders.nope'] },
  'an unknown cube': { measures: ['nope.count'] },
  'an unknown operator': {
    measures: ['orders.count'],
    filters: [{ member: 'orders.status', operator: 'like', values: ['o'] }],
  },
  'an unknown granularity': {
    measures: ['readings.count'],
    timeDimensions: [{ dimension: 'readings.local', granularity: 'fortnight' }],
  },
  'a column that the database does not have': { measures: ['readings.absent'] },
  'a query that takes longer than the server waits': { measures: ['readings.slow'] },
} satisfies Readonly<Record<string, DataQuery>>;
