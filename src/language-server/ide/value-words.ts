import { plural } from '#base/words.ts';

/** Sentences for hovers and completions that say what a value does, where the type alone does not list its values. */

/** What `true` and `false` do under a key, by the spelling of the language tables. */
const BOOLEANS: Readonly<Record<string, readonly [whenTrue: string, whenFalse: string]>> = {
  public: ['Users, APIs and dashboards can query it.', 'Only the model itself can use it; no query can.'],
  shown: ['Users, APIs and dashboards can query it.', 'Only the model itself can use it; no query can.'],
  visible: ['Users, APIs and dashboards can query it.', 'Only the model itself can use it; no query can.'],
  calendar: [
    'Its time dimensions may define granularities by SQL and time shifts.',
    'Its time dimensions use the granularities and shifts of the engine.',
  ],
  primary_key: [
    'Its values identify the rows of the cube; joins and counts need that.',
    'It is a dimension like any other.',
  ],
  sub_query: [
    'Its `sql` is a measure of another cube, computed for each row of this one.',
    'Its `sql` is a column or an expression of this row.',
  ],
  propagate_filters_to_sub_query: [
    'Filters of the query also hold inside the subquery.',
    'The subquery ignores the filters of the query.',
  ],
  multi_stage: [
    'It is computed on the result of an inner query, not on rows.',
    'It is computed on the rows of the cube.',
  ],
  suggest_filter_values: [
    'Users are offered its values when they filter by it.',
    'Users type the values themselves when they filter by it.',
  ],
  cumulative: ['It adds up over time; write `rolling_window` instead.', 'It does not add up over time.'],
  primary: ['This is the link that a click on the value follows.', 'This link is one of the further ones.'],
  prefix: ['Members are named after their cube in the view: `users_city`.', 'Members keep their names in the view.'],
  split: ['The cube becomes a view of its own.', 'The cube is part of this view.'],
  allow_all: ['The group sees every row.', 'Only `filters` decide which rows the group sees.'],
  immutable: ['The data never changes, so it is read only once.', 'The data may change and is read again.'],
  incremental: [
    'Only the latest partitions are built again; older ones stay.',
    'A refresh builds every partition again.',
  ],
  scheduled_refresh: [
    'It is built and refreshed in the background, before anybody asks.',
    'It is built when a query first needs it.',
  ],
  external: ['It is stored in the store of pre-aggregations.', 'It is stored in the data source itself.'],
  read_only: ['It is built without writing to the data source.', 'It may be built with tables in the data source.'],
  use_original_sql_pre_aggregations: [
    'It is built from an `original_sql` pre-aggregation.',
    'It is built from the tables of the data source.',
  ],
  allow_non_strict_date_range_match: [
    'Queries may use it with ranges that begin or end within a period.',
    'Queries may use it only with ranges of whole periods.',
  ],
  union_with_source_data: [
    'Fresh rows of the data source are added to what was built.',
    'Queries see only what was built.',
  ],
};

/** Describes `true` or `false` under a key; undefined for other values and keys. */
export function booleanWords(key: string, value: string): string | undefined {
  const isTrue = /^true$/i.test(value);
  if (!isTrue && !/^false$/i.test(value)) return undefined;
  return BOOLEANS[key]?.[isTrue ? 0 : 1];
}

/** What the engine's named formats do; a number behind one (`percent_1`) limits its digits. */
const FORMATS: Readonly<Record<string, string>> = {
  percent: 'Shows a fraction as a percentage: 0.256 as 25.6%.',
  currency: 'Shows an amount of money: 1234.5 as $1,234.5, with the sign of the currency under `currency`.',
  number: 'Shows a number with separators of thousands: 12345.6 as 12,345.6.',
  decimal: 'Shows a number with separators of thousands: 12345.6 as 12,345.6.',
  abbr: 'Shortens a large number: 1200000 as 1.2M.',
  accounting: 'Shows a negative number in parentheses: -1234.5 as (1,234.5).',
  id: 'Shows a whole number without separators: 10293 as 10293.',
  link: 'Shows an address as a link that users can follow.',
  imageUrl: 'Shows the picture at the address.',
};

/** Describes a format of a member; undefined for a text that is none. */
export function formatWords(format: string): string | undefined {
  const [, name = '', count] = /^([a-z]+)(?:_([0-6]))?$/i.exec(format) ?? [];
  const known = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (known !== undefined) return count === undefined ? known : `${known} ${limited(name, Number(count))}`;
  if (/%[a-zA-Z]/.test(format))
    return 'Shows a time by its specifiers, such as `%Y` for the year and `%b` for the month.';
  return specifierWords(format);
}

function limited(name: string, count: number): string {
  return `At most ${name === 'abbr' ? significant(count) : plural(count, 'decimal')}.`;
}

/** Describes a d3-format specifier such as `,.2f`, as far as it is one that people usually write. */
function specifierWords(format: string): string | undefined {
  const match = /^[^a-z%]*?(,)?(?:\.(\d+))?~?([fs%d])$/.exec(format);
  if (!match) return undefined;
  const [, separators, count = '6', kind = ''] = match;
  const digits = kind === 's' ? significant(Number(count)) : plural(Number(count), 'decimal');
  const does: Readonly<Record<string, string>> = {
    f: `Shows a number with ${digits}`,
    '%': `Shows a fraction as a percentage with ${digits}`,
    s: `Shortens a number to ${digits} and a prefix such as k or M`,
    d: 'Shows a whole number',
  };
  const joined = /[f%]/.test(kind) ? ' and separators' : ', with separators';
  return `${does[kind] ?? ''}${separators === undefined ? '' : `${joined} of thousands`}.`;
}

/** A number always has a significant digit. */
function significant(count: number): string {
  return plural(Math.max(1, count), 'significant digit');
}
