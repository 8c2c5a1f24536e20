import type { Rule, When } from './types.ts';

const NEW_NAMES = ['measures', 'dimensions', 'segments', 'time_dimension', 'time_dimensions', 'rollups'] as const;
const OLD_NAMES = [
  'measure_references',
  'dimension_references',
  'segment_references',
  'time_dimension_reference',
  'rollup_references',
] as const;
/** Any of these keys makes a pre-aggregation a rollup implicitly. */
const CONTENTS = [
  ...NEW_NAMES,
  ...OLD_NAMES,
  'partition_granularity',
  'refresh_key',
  'build_range_start',
  'build_range_end',
  'refresh_range_start',
  'refresh_range_end',
  'indexes',
  'unique_key_columns',
  'external',
  'scheduled_refresh',
  'read_only',
  'use_original_sql_pre_aggregations',
  'allow_non_strict_date_range_match',
  'union_with_source_data',
  'sql_alias',
  'stream_offset',
  'output_column_types',
  'max_pre_aggregations',
  'granularity',
];
const ORIGINAL_SQL: When = { key: 'type', in: ['original_sql'] };
const WITH_GRANULARITY: When = { key: 'type', notIn: ['original_sql', 'auto_rollup'] };

/**
 * Rules for the keys of a pre-aggregation that are allowed with each type and with other keys
 * (docs/model-language.md#pre-aggregations).
 */
export const preAggregationRules: readonly Rule[] = [
  { rule: 'some', keys: CONTENTS, when: [{ key: 'type', absent: true }] },
  {
    rule: 'all',
    keys: ['time_dimension', 'granularity'],
    when: [
      { key: 'granularity' },
      { key: 'time_dimensions', absent: true },
      { key: 'time_dimension_reference', absent: true },
      { key: 'type', notIn: ['original_sql', 'auto_rollup'] },
    ],
  },
  {
    rule: 'all',
    keys: ['time_dimension', 'granularity'],
    when: [{ key: 'time_dimension' }, { key: 'type', notIn: ['original_sql', 'auto_rollup'] }],
  },
  {
    rule: 'all',
    keys: ['time_dimension', 'partition_granularity'],
    when: [
      { key: 'type', in: ['original_sql'] },
      { key: 'partition_granularity' },
      { key: 'time_dimension_reference', absent: true },
    ],
  },
  {
    rule: 'all',
    keys: ['time_dimension', 'partition_granularity'],
    when: [{ key: 'type', in: ['original_sql'] }, { key: 'time_dimension' }],
  },
  { rule: 'some', keys: ['rollups', 'rollup_references'], when: [{ key: 'type', in: ['rollup_join'] }] },
  { rule: 'all', keys: ['rollups'], when: [{ key: 'type', in: ['rollup_lambda'] }] },
  { rule: 'all', keys: ['partition_granularity'], when: [{ key: 'time_dimension_reference' }, ORIGINAL_SQL] },
  { rule: 'all', keys: ['granularity'], when: [{ key: 'time_dimension_reference' }, WITH_GRANULARITY] },
  {
    rule: 'all',
    keys: ['rollup_references', 'time_dimension_reference', 'granularity'],
    when: [
      { key: 'type', in: ['rollup_join'] },
      { key: 'rollup_references', or: ['time_dimension_reference'] },
      { key: 'granularity', or: ['time_dimension_reference'] },
    ],
  },
  {
    rule: 'none',
    keys: OLD_NAMES,
    when: [{ key: 'measures', or: NEW_NAMES }],
    why: 'Old names cannot be mixed with the new ones: write `measures`, `dimensions`, `time_dimension` … for all of them.',
  },
  {
    rule: 'none',
    keys: ['union_with_source_data'],
    when: [{ key: 'type', notIn: ['rollup_lambda'] }],
    why: 'Only a `rollup_lambda` can be combined with source data.',
  },
  {
    rule: 'none',
    keys: ['rollups', 'rollup_references'],
    when: [{ key: 'type', notIn: ['rollup_join', 'rollup_lambda'] }],
    why: 'Only `rollup_join` and `rollup_lambda` have rollups.',
  },
  {
    rule: 'none',
    keys: [
      'measures',
      'dimensions',
      'segments',
      'granularity',
      'measure_references',
      'dimension_references',
      'segment_references',
    ],
    when: [ORIGINAL_SQL],
    why: 'An `original_sql` pre-aggregation stores rows, not aggregates.',
  },
  {
    rule: 'none',
    keys: ['granularity', ...NEW_NAMES, ...OLD_NAMES],
    when: [{ key: 'type', in: ['auto_rollup'] }],
    why: 'The engine decides what an `auto_rollup` stores.',
  },
  {
    rule: 'none',
    keys: ['max_pre_aggregations'],
    when: [{ key: 'type', notIn: ['auto_rollup'] }],
    why: 'It belongs to an `auto_rollup`.',
  },
  {
    rule: 'none',
    keys: ['time_dimensions'],
    when: [{ key: 'type', in: ['original_sql', 'rollup_join', 'rollup_lambda'] }],
    why: 'Only a `rollup` has several time dimensions.',
  },
  {
    rule: 'none',
    keys: ['time_dimensions', 'granularity'],
    when: [{ key: 'time_dimensions' }, { key: 'time_dimension', absent: true }, { key: 'granularity' }],
    why: 'Each of the `time_dimensions` has a `granularity` of its own.',
  },
  {
    rule: 'none',
    keys: ['time_dimensions'],
    when: [{ key: 'time_dimension', or: ['time_dimension_reference'] }],
    why: 'It cannot be combined with `time_dimension`.',
  },
  {
    rule: 'none',
    keys: ['unique_key_columns'],
    when: [{ key: 'type', in: ['rollup_join', 'rollup_lambda', 'auto_rollup'] }],
    why: 'It belongs to a `rollup` or to the rows of `original_sql`.',
  },
  {
    rule: 'none',
    keys: ['allow_non_strict_date_range_match'],
    when: [
      { key: 'time_dimension', absent: true },
      { key: 'time_dimensions', absent: true },
      { key: 'time_dimension_reference', absent: true },
    ],
    why: 'It needs a time dimension.',
  },
  {
    rule: 'none',
    keys: ['allow_non_strict_date_range_match'],
    when: [{ key: 'type', in: ['auto_rollup', 'rollup_lambda'] }],
    why: 'It belongs to a pre-aggregation with a time dimension of its own.',
  },
  {
    rule: 'none',
    keys: ['scheduled_refresh'],
    when: [
      { key: 'type', in: ['rollup_join'] },
      { key: 'scheduled_refresh', in: ['true'] },
    ],
    mayBeUndefined: true,
    why: 'A `rollup_join` is not refreshed itself: it can only be `false`.',
  },
  {
    rule: 'none',
    keys: [
      'partition_granularity',
      'refresh_key',
      'indexes',
      'external',
      'scheduled_refresh',
      'build_range_start',
      'build_range_end',
      'refresh_range_start',
      'refresh_range_end',
      'sql_alias',
      'use_original_sql_pre_aggregations',
      'read_only',
      'stream_offset',
      'output_column_types',
      ...OLD_NAMES,
    ],
    when: [{ key: 'type', in: ['rollup_lambda'] }],
    why: 'A `rollup_lambda` takes it from its rollups.',
  },
];
