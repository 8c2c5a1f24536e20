import { preAggregationRules } from './pre-aggregation-rules.ts';
import { freshnessSql, name, PARTITIONS, schedule, units } from './shared-keys.ts';
import {
  bool,
  choice,
  deprecated,
  formatted,
  hidden,
  key,
  list,
  map,
  members,
  num,
  plain,
  ref,
  refs,
  required,
  sql,
  type Shape,
} from './types.ts';

const bound = key(map('sqlOnly'), 'A query that yields the point in time.');
const old = (use: string, type: ReturnType<typeof ref>): ReturnType<typeof deprecated> =>
  deprecated(type, `Old name of \`${use}\`.`, use, `It is the old name of \`${use}\`.`);

export const preAggregationShapes = {
  preAggregation: {
    title: 'Pre-aggregation',
    doc: 'A precomputed, stored result.',
    camel: true,
    keys: {
      name: name('pre-aggregation'),
      type: key(
        choice(
          ['rollup', 'Measures by dimensions and time (the default).'],
          ['original_sql', "The rows of the cube's `sql`."],
          ['rollup_join', 'Joins rollups of several data sources.'],
          ['rollup_lambda', 'Combines rollups and fresh data.'],
          { value: 'auto_rollup', doc: 'Rollups that the engine finds; deprecated.', hidden: true },
        ),
        'What kind of result is stored.',
      ),
      measures: key(refs('measure'), 'Measures to store.'),
      dimensions: key(refs('dimension'), 'Dimensions to group them by.'),
      segments: key(refs('segment'), 'Segments to store.'),
      time_dimension: key(ref('dimension'), 'The time dimension; needs `granularity`.'),
      granularity: key(formatted('granularity'), 'The granularity of time in the result; needs `time_dimension`.'),
      time_dimensions: key(list(map('timeDimension')), 'Several time dimensions with their granularities.'),
      partition_granularity: key(
        units(PARTITIONS, (unit) => `One partition per ${unit}.`),
        'How the result is cut into partitions.',
      ),
      rollups: key(refs('preAggregation'), 'The rollups to join or to combine: `CUBE.name` or `other_cube.name`.'),
      refresh_key: key(map('preAggregationRefreshKey'), 'When it is built again.'),
      build_range_start: bound,
      build_range_end: bound,
      refresh_range_start: old('build_range_start', map('sqlOnly')),
      refresh_range_end: old('build_range_end', map('sqlOnly')),
      indexes: key(members('index'), 'Indexes on the result.'),
      unique_key_columns: key(list(plain), 'Columns that identify a row of a stream.'),
      external: key(
        bool,
        'Whether it is stored outside the warehouse. Default: `true`, but `false` for `original_sql`.',
      ),
      scheduled_refresh: key(bool, 'Whether it is refreshed in the background. Default: `true`.'),
      read_only: key(bool, 'Whether the warehouse may not be written to.'),
      use_original_sql_pre_aggregations: key(bool, 'Whether to build on an `original_sql` one.'),
      allow_non_strict_date_range_match: key(bool, 'Whether a query may ask for a part of a period.'),
      union_with_source_data: key(bool, 'Whether fresh data of the source is added (`rollup_lambda`).'),
      sql_alias: key(plain, 'A short name for the table.'),
      stream_offset: key(choice(['earliest', 'From the start.'], ['latest', 'From now.']), 'Where a stream starts.'),
      output_column_types: key(list(map('outputColumn')), 'Types of columns in the result.'),
      max_pre_aggregations: hidden(num, 'For `auto_rollup`.'),
      measure_references: old('measures', refs('measure')),
      dimension_references: old('dimensions', refs('dimension')),
      segment_references: old('segments', refs('segment')),
      time_dimension_reference: old('time_dimension', ref('dimension')),
      rollup_references: old('rollups', refs('preAggregation')),
    },
    rules: preAggregationRules,
  },
  index: {
    title: 'Index',
    doc: 'An index on the stored result.',
    camel: true,
    keys: {
      name: name('index'),
      columns: key(refs('indexColumn'), 'Members of this pre-aggregation, in order.'),
      type: key(
        choice(
          ['regular', 'Sorts the rows.'],
          ['aggregate', 'Keeps only these columns, aggregated.'],
          // The engine takes it for none.
          { value: '', doc: '', hidden: true },
        ),
        'The kind of index.',
      ),
      sql: hidden(sql, 'The statement that creates it.'),
    },
    rules: [
      { rule: 'all', keys: ['columns'] },
      { rule: 'none', keys: ['sql'], why: 'The engine refuses an index by `sql`: list its `columns`.' },
    ],
  },
  preAggregationRefreshKey: {
    title: 'Refresh key',
    doc: 'When the pre-aggregation is built again: by time or by a query.',
    camel: true,
    keys: {
      ...schedule,
      incremental: key(bool, 'Whether only the latest partitions are built again.'),
      update_window: key(formatted('everyInterval'), 'How far back partitions are built again, for example `7 day`.'),
      sql: freshnessSql,
    },
    rules: [
      { rule: 'some', keys: ['every', 'sql'] },
      {
        rule: 'none',
        keys: ['timezone', 'incremental', 'update_window'],
        when: [{ key: 'sql' }],
        why: 'It goes with `every` only, not with `sql`.',
      },
    ],
  },
  timeDimension: {
    title: 'Time dimension',
    doc: 'A time dimension with its granularity.',
    camel: true,
    keys: {
      dimension: key(ref('dimension'), 'The time dimension.'),
      granularity: required(formatted('granularity'), 'The granularity in the result.'),
    },
  },
  outputColumn: {
    title: 'Column type',
    doc: 'The type of a column in the result.',
    camel: true,
    keys: { member: required(ref('member'), 'The member.'), type: required(plain, 'The database type.') },
  },
} as const satisfies Record<string, Shape>;
