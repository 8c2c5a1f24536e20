import type { EngineFile } from '#language-server/engine/messages.ts';
import { filesIn } from '#support/language/raw.ts';

/** Cubes with every kind of measure, joins that multiply rows and joins that do not, and a view of them. */
export const ROLLUP_MODEL = `# file: cubes/orders.yml
cubes:
  - name: orders
    sql_table: orders
    joins:
      - name: customers
        sql: "{CUBE}.customer_id = {customers.id}"
        relationship: many_to_one
      - name: items
        sql: "{CUBE}.id = {items.order_id}"
        relationship: one_to_many
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: status
        sql: status
        type: string
      - name: channel
        sql: channel
        type: string
      - name: created_at
        sql: created_at
        type: time
      - name: shipped_at
        sql: shipped_at
        type: time
        granularities:
          - name: half_year
            interval: 6 months
            origin: "2024-01-01"
    segments:
      - name: paid
        sql: "{CUBE}.status = 'paid'"
    measures:
      - name: count
        type: count
      - name: total
        sql: amount
        type: sum
      - name: largest
        sql: amount
        type: max
      - name: average
        sql: "{total} / {count}"
        type: number
      - name: users
        sql: user_id
        type: count_distinct
      - name: about_users
        sql: user_id
        type: count_distinct_approx
      - name: running_total
        sql: amount
        type: sum
        rolling_window:
          trailing: unbounded
      - name: weekly_total
        sql: amount
        type: sum
        rolling_window:
          trailing: 7 day
      - name: paid_count
        type: count
        filters:
          - sql: "{CUBE}.status = 'paid'"
      - name: per_user
        sql: "{count} / {users}"
        type: number
      - name: share
        sql: "{count} / SUM({count}) OVER ()"
        type: number
        multi_stage: true
      - name: rank_of_status
        type: rank
        multi_stage: true
        order_by:
          - sql: "{total}"
            dir: desc
        reduce_by:
          - status
      - name: total_of_city
        sql: "{total}"
        type: sum
        multi_stage: true
        group_by:
          - customers.city
    pre_aggregations:
      - name: by_month
        measures:
          - CUBE.count
        dimensions:
          - CUBE.status
        time_dimension: CUBE.created_at
        granularity: month
      - name: users_by_status
        measures:
          - CUBE.users
        dimensions:
          - CUBE.status
      - name: source
        type: original_sql

# file: cubes/customers.yml
cubes:
  - name: customers
    sql_table: customers
    joins:
      - name: regions
        sql: "{CUBE}.region_id = {regions.id}"
        relationship: many_to_one
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: city
        sql: city
        type: string
      - name: signed_up_at
        sql: signed_up_at
        type: time
    measures:
      - name: count
        type: count

  - name: regions
    sql_table: regions
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: name
        sql: name
        type: string

// file: cubes/items.js
cube(\`items\`, {
  sql_table: \`items\`,
  dimensions: {
    id: { sql: \`id\`, type: \`number\`, primary_key: true },
    order_id: { sql: \`order_id\`, type: \`number\` },
    product: { sql: \`product\`, type: \`string\` },
    made_at: { sql: \`made_at\`, type: \`time\` },
  },
  measures: {
    count: { type: \`count\` },
    quantity: { sql: \`quantity\`, type: \`sum\` },
  },
});

# file: views/sales.yml
views:
  - name: sales
    cubes:
      - join_path: orders
        includes: "*"
      - join_path: orders.customers
        prefix: true
        includes:
          - city
          - count
      - join_path: orders.customers.regions
        prefix: true
        includes:
          - name
`;

export function rollupModel(): readonly EngineFile[] {
  return [...filesIn(ROLLUP_MODEL)].map(([fileName, content]) => ({ fileName, content }));
}

type Query = Readonly<Record<string, unknown>>;

/** Returns queries over every kind of measure, grouping, range, filter and join; each with a descriptive title. */
export function rollupQueries(): readonly (readonly [string, Query])[] {
  return MEASURES.flatMap((measures) =>
    GROUPS.flatMap(([group, dimensions]) =>
      TIMES.flatMap(([time, timeDimensions]) =>
        FILTERS.map(([filter, filtered]) => {
          const inView = measures.some((name) => name.startsWith('sales.'));
          const cube = inView ? 'sales' : 'orders';
          const named = (name: string): string => (inView ? viewName(name) : name);
          const query = JSON.parse(
            JSON.stringify({ measures, dimensions: dimensions.map(named), timeDimensions, ...filtered }).replaceAll(
              /"orders\.(status|channel|created_at|shipped_at|paid)"/g,
              `"${cube}.$1"`,
            ),
          ) as Query;
          return [`${measures.join('+') || 'nothing'} ${group} ${time} ${filter}`, query] as const;
        }),
      ),
    ),
  ).filter(([, query]) => {
    const text = JSON.stringify(query);
    // Rolling windows by month need a start.
    const isEndless = /running_total|weekly_total/.test(text) && /granularity/.test(text) && !/dateRange/.test(text);
    return text.includes('.') && !isEndless;
  });
}

const viewName = (name: string): string =>
  ({ 'customers.city': 'sales.customers_city', 'regions.name': 'sales.regions_name' })[name] ?? name;

const MEASURES: readonly (readonly string[])[] = [
  ['orders.count'],
  ['orders.total', 'orders.largest'],
  ['orders.average'],
  ['orders.users'],
  ['orders.users', 'orders.count'],
  ['orders.about_users'],
  ['orders.running_total'],
  ['orders.weekly_total'],
  ['customers.count'],
  ['orders.count', 'items.quantity'],
  ['sales.count'],
  ['sales.average', 'sales.users'],
  ['sales.customers_count'],
  [],
];
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['in all', []],
  ['by status', ['orders.status']],
  ['by channel, status', ['orders.channel', 'orders.status']],
  ['by city', ['customers.city']],
  ['by region', ['regions.name']],
];
const created = 'orders.created_at';
const TIMES: readonly (readonly [string, readonly object[]])[] = [
  ['ever', []],
  ['by month', [{ dimension: created, granularity: 'month' }]],
  ['by week', [{ dimension: created, granularity: 'week' }]],
  ['in 2026 by month', [{ dimension: created, granularity: 'month', dateRange: ['2026-01-01', '2026-12-31'] }]],
  ['in ten days by month', [{ dimension: created, granularity: 'month', dateRange: ['2026-01-05', '2026-01-14'] }]],
  ['in 2026', [{ dimension: created, dateRange: ['2026-01-01', '2026-12-31'] }]],
];
const FILTERS: readonly (readonly [string, object])[] = [
  ['unfiltered', {}],
  ['with one status', { filters: [{ member: 'orders.status', operator: 'equals', values: ['paid'] }] }],
  ['with channels', { filters: [{ member: 'orders.channel', operator: 'contains', values: ['web'] }] }],
  ['in a segment', { segments: ['orders.paid'] }],
];
