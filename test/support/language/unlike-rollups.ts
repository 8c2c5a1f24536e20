import type { EngineFile } from '#language-server/engine/messages.ts';
import { filesIn } from '#support/language/raw.ts';

type Query = Readonly<Record<string, unknown>>;

/** Cubes whose own pre-aggregations are of every other kind: joined, lambda, of SQL and on top of it, partitioned, indexed. */
const UNLIKE_MODEL = `# file: cubes/visits.yml
cubes:
  - name: visits
    sql: SELECT * FROM visits
    joins:
      - name: pages
        sql: "{CUBE}.page_id = {pages.id}"
        relationship: many_to_one
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: page_id
        sql: page_id
        type: number
      - name: device
        type: string
        case:
          when:
            - sql: "{CUBE}.width < 600"
              label: phone
          else:
            label: desk
      - name: at
        sql: at
        type: time
        granularities:
          - name: fiscal_year
            interval: 1 year
            offset: 3 months
          - name: fortnight
            interval: 2 weeks
            origin: "2026-01-05"
    segments:
      - name: human
        sql: "{CUBE}.is_bot = false"
    measures:
      - name: count
        type: count
      - name: seconds
        sql: seconds
        type: sum
      - name: people
        sql: person_id
        type: count_distinct
      - name: count_last_year
        sql: "{count}"
        type: number
        multi_stage: true
        time_shift:
          - time_dimension: at
            interval: 1 year
            type: prior
      - name: mean
        sql: seconds
        type: avg
    pre_aggregations:
      - name: base
        type: original_sql
      - name: by_device
        use_original_sql_pre_aggregations: true
        measures: [count, seconds]
        dimensions: [device]
        time_dimension: at
        granularity: day
        partition_granularity: month
        indexes:
          - name: of_device
            columns: [device]
      - name: by_page
        measures: [count]
        dimensions: [page_id]
        time_dimension: at
        granularity: month
      - name: of_humans
        measures: [count, people]
        segments: [human]
      - name: by_fortnight
        measures: [seconds]
        time_dimension: at
        granularity: fortnight
      - name: with_pages
        type: rollup_join
        measures: [count]
        dimensions: [pages.section]
        time_dimension: at
        granularity: month
        rollups: [by_page, pages.by_section]
      - name: latest
        type: rollup_lambda
        rollups: [by_device]
        union_with_source_data: true

# file: cubes/pages.yml
cubes:
  - name: pages
    sql_table: pages
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
        public: true
      - name: section
        sql: section
        type: string
    measures:
      - name: count
        type: count
    pre_aggregations:
      - name: by_section
        dimensions: [id, section]
        indexes:
          - name: of_id
            columns: [id]

# file: views/traffic.yml
views:
  - name: traffic
    cubes:
      - join_path: visits
        includes: [count, seconds, people, device, at, human]
      - join_path: visits.pages
        prefix: true
        includes: [section]
`;

/** Returns the files of the model. */
export function unlikeModel(): readonly EngineFile[] {
  return [...filesIn(UNLIKE_MODEL)].map(([fileName, content]) => ({ fileName, content }));
}

const inVisits = (name: string): string => `visits.${name}`;
const at = (granularity: string, rest: Query = {}): Query => ({
  timeDimensions: [{ dimension: 'visits.at', granularity, ...rest }],
});
const zone = { timezone: 'Asia/Kolkata' };
const quarter = { dateRange: ['2026-01-01', '2026-03-31'] };
const measures = ['count', 'seconds', 'people', 'count_last_year', 'mean'].map(inVisits);
const aspects: readonly (readonly [string, Query])[] = [
  ['by device and week', { dimensions: ['visits.device'], ...at('week') }],
  ['by day in a zone', { ...zone, dimensions: ['visits.device'], ...at('day') }],
  ['by section and month', { dimensions: ['pages.section'], ...at('month', quarter) }],
  ['by fortnight', at('fortnight')],
  ['by fiscal year', at('fiscal_year')],
  ['of humans', { segments: ['visits.human'] }],
  ['of a part of a day', at('hour', quarter)],
];
const inView: readonly (readonly [string, Query])[] = [
  ['view by section', { measures: ['traffic.count'], dimensions: ['traffic.pages_section'] }],
  ['view by device', { measures: ['traffic.seconds'], dimensions: ['traffic.device'] }],
  ['view of humans', { measures: ['traffic.people'], segments: ['traffic.human'] }],
  [
    'view by month with a filter',
    {
      measures: ['traffic.count'],
      timeDimensions: [{ dimension: 'traffic.at', granularity: 'month' }],
      filters: [{ member: 'traffic.device', operator: 'equals', values: ['phone'] }],
    },
  ],
  ['two cubes', { measures: ['visits.count', 'pages.count'], dimensions: ['pages.section'] }],
];

/** Returns 40 queries to the model, of members, granularities, zones and segments that its pre-aggregations have or lack. */
export function unlikeQueries(): readonly (readonly [string, Query])[] {
  return [
    ...measures.flatMap((measure) =>
      aspects.map(([title, aspect]) => [`${measure} ${title}`, { measures: [measure], ...aspect }] as const),
    ),
    ...inView,
  ];
}
