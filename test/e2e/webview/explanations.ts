import type { PreAggregationProposal, QueryExplanation } from '#model/pre-aggregations/explanation.ts';

/** One pre-aggregation that is too coarse, one of a long name, and one that the engine would serve the query with. */
export const unserved = {
  state: 'compiled',
  sql: 'SELECT count(*) FROM orders',
  values: [],
  candidates: [
    {
      id: 'orders.by_month',
      type: 'rollup',
      isUsed: false,
      failed: [
        { rule: 'dimensions', missing: ['orders.status'] },
        { rule: 'granularity', dimension: 'orders.created_at', has: 'month', needs: 'day' },
      ],
    },
    {
      id: 'orders.distinct_customers_by_country_and_acquisition_channel',
      type: 'rollup',
      isUsed: false,
      failed: [{ rule: 'measures', missing: ['orders.count'] }],
    },
  ],
  proposed: [
    { cube: 'orders', measures: ['count'], dimensions: ['status'], segments: [], timeDimensions: [], isStrict: false },
  ],
  obstacles: [],
} satisfies QueryExplanation;

/** The same once the proposed one is in the model. */
export const served = {
  ...unserved,
  candidates: [
    { id: 'orders.count_by_status', type: 'rollup', isUsed: true, failed: [] },
    ...unserved.candidates.slice(0, 1),
  ],
  proposed: [],
} satisfies QueryExplanation;

/** What is proposed for the query. */
export const proposal: PreAggregationProposal = {
  state: 'proposed',
  uri: 'file:///orders.yml',
  text: 'cubes:',
  id: 'orders.count_by_status',
};
