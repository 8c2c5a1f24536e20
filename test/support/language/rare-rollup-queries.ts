type Query = Readonly<Record<string, unknown>>;

const created = 'orders.created_at';

/**
 * Returns queries to `ROLLUP_MODEL` of the kinds that `rollupQueries` does not combine: stages, calculated distinct counts,
 * zones, alternatives, custom granularities.
 */
export function rareRollupQueries(): readonly (readonly [string, Query])[] {
  return RARE_MEASURES.flatMap((measures) =>
    RARE_ASPECTS.map(([title, aspect]) => [`${measures.join('+')} ${title}`, { measures, ...aspect }] as const),
  );
}

const RARE_MEASURES: readonly (readonly string[])[] = [
  ['orders.paid_count'],
  ['orders.per_user'],
  ['orders.share'],
  ['orders.rank_of_status'],
  ['orders.total_of_city'],
  ['orders.count', 'orders.share'],
  ['orders.users', 'customers.count'],
  ['orders.total', 'items.count'],
];
const zone = { timezone: 'America/Los_Angeles' };
const byStatus = { dimensions: ['orders.status'] };
const alternatives = [
  {
    or: [
      { member: 'orders.channel', operator: 'equals', values: ['web'] },
      { member: 'orders.status', operator: 'equals', values: ['paid'] },
    ],
  },
];
const RARE_ASPECTS: readonly (readonly [string, Query])[] = [
  ['by status', byStatus],
  ['by day in a zone', { ...zone, timeDimensions: [{ dimension: created, granularity: 'day' }] }],
  [
    'in a zone, by quarter of a range',
    {
      ...zone,
      timeDimensions: [{ dimension: created, granularity: 'quarter', dateRange: ['2026-01-01', '2026-06-30'] }],
    },
  ],
  ['by half-year', { timeDimensions: [{ dimension: 'orders.shipped_at', granularity: 'half_year' }] }],
  [
    'by two times',
    {
      timeDimensions: [
        { dimension: created, granularity: 'month' },
        { dimension: 'orders.shipped_at', granularity: 'day' },
      ],
    },
  ],
  ['by city with alternatives', { dimensions: ['customers.city'], filters: alternatives }],
  [
    'by city, with a region and a large measure',
    {
      dimensions: ['customers.city'],
      filters: [
        { member: 'regions.name', operator: 'notEquals', values: ['North'] },
        { member: 'orders.total', operator: 'gt', values: ['100'] },
      ],
    },
  ],
  ['by status in a segment', { ...byStatus, segments: ['orders.paid'], order: { 'orders.status': 'asc' }, limit: 10 }],
];
