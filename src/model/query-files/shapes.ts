import type { OfferedKey, OfferedMap } from '#model/cursor/offering-schema.ts';

/** The kinds of members that a name in a query may refer to; `time` is a dimension of type time. */
export type QueryMemberKind = 'measure' | 'dimension' | 'time' | 'segment';

export type QueryShapeName =
  | 'file'
  | 'query'
  | 'timeDimension'
  | 'filter'
  | 'test'
  | 'range'
  | 'value'
  | 'compare'
  | 'freshness';

/** The type of a value in a query file. */
export type QueryType =
  | { readonly is: 'text' | 'number' | 'boolean' | 'any' }
  /** `isOpen`: other texts are allowed too. */
  | { readonly is: 'choice'; readonly choices: readonly string[]; readonly isOpen?: true }
  /** `isColumn`: a time dimension may be followed by its granularity. */
  | { readonly is: 'member'; readonly kinds: readonly QueryMemberKind[]; readonly isColumn?: true }
  | { readonly is: 'list'; readonly of: QueryType }
  | { readonly is: 'map'; readonly shape: QueryShapeName }
  /** A map whose keys are members. */
  | { readonly is: 'byMember'; readonly key: QueryType & { readonly is: 'member' }; readonly of: QueryType }
  | { readonly is: 'either'; readonly of: readonly QueryType[] };

type QueryKey = OfferedKey<QueryType>;

export interface QueryShape extends OfferedMap<QueryType> {
  /** Exactly one of these keys is required. */
  readonly oneOf?: readonly string[];
}

const plain: QueryType = { is: 'text' };
const number: QueryType = { is: 'number' };
const anything: QueryType = { is: 'any' };
const list = (of: QueryType): QueryType => ({ is: 'list', of });
const map = (shape: QueryShapeName): QueryType => ({ is: 'map', shape });
const either = (...of: readonly QueryType[]): QueryType => ({ is: 'either', of });
const members = (...kinds: readonly QueryMemberKind[]): QueryType & { readonly is: 'member' } => ({
  is: 'member',
  kinds,
});
const column = { ...members('measure', 'dimension', 'time'), isColumn: true } as const;
const key = (type: QueryType, doc: string): QueryKey => ({ type, doc });
const required = (type: QueryType, doc: string): QueryKey => ({ type, doc, required: true });

/** The expectations of a test, which has exactly one of them. */
const expectations = [
  ...(['rowCount', 'rows', 'value', 'unique', 'notNull', 'compare', 'noFanOut', 'freshness'] as const),
] as const;

/** The operators of filters (docs/data-api.md#filters). */
const operators = [
  ...['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'notStartsWith', 'endsWith', 'notEndsWith'],
  ...['gt', 'gte', 'lt', 'lte', 'inDateRange', 'notInDateRange', 'beforeDate', 'beforeOrOnDate', 'afterDate'],
  ...['afterOrOnDate', 'set', 'notSet'],
];
const granularities = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
const ranges = [
  ...['today', 'yesterday', 'this week', 'this month', 'this quarter', 'this year'],
  ...['last 7 days', 'last 30 days', 'last week', 'last month', 'last quarter', 'last year'],
];

/** The keys of a query file as one table (docs/query-files.md), from which completion, checks and the JSON Schema are derived. */
export const queryShapes: Readonly<Record<QueryShapeName, QueryShape>> = {
  file: {
    title: 'Query file',
    keys: {
      title: key(plain, 'What the query shows, in a few words.'),
      description: key(plain, 'What the query is for.'),
      question: key(plain, 'What was asked in words, where the file was saved from an answer.'),
      query: key(map('query'), 'The query, with the keys of the data API.'),
      sql: key(plain, 'The query as SQL over the model, in place of “query”.'),
      tests: key(list(map('test')), 'What its answer must be like.'),
    },
    oneOf: ['query', 'sql'],
  },
  query: {
    title: 'Query',
    keys: {
      measures: key(list(members('measure')), 'What is measured.'),
      dimensions: key(list(members('dimension', 'time')), 'What the measures are grouped by.'),
      segments: key(list(members('segment')), 'Named filters of the model.'),
      timeDimensions: key(list(map('timeDimension')), 'Times to group by, or to limit the query to.'),
      filters: key(list(map('filter')), 'Rows match every filter of the list.'),
      order: key(
        either(
          { is: 'byMember', key: column, of: { is: 'choice', choices: ['asc', 'desc'] } },
          list(list(either(column, { is: 'choice', choices: ['asc', 'desc'] }))),
        ),
        'What rows are ordered by: members with asc or desc.',
      ),
      limit: key(number, 'The most rows of the answer.'),
      offset: key(number, 'How many rows are skipped.'),
      timezone: key(plain, 'The time zone of days and months, for example Europe/Berlin.'),
      total: key({ is: 'boolean' }, 'Whether the rows without the limit are counted, too.'),
      ungrouped: key({ is: 'boolean' }, 'Whether rows are not grouped.'),
    },
  },
  timeDimension: {
    title: 'Time dimension',
    keys: {
      dimension: required(members('time'), 'A dimension of type time.'),
      granularity: key({ is: 'choice', choices: granularities, isOpen: true }, 'What it is grouped by.'),
      dateRange: key(
        either({ is: 'choice', choices: ranges, isOpen: true }, list(plain)),
        'Words such as last month, or the first and the last day.',
      ),
      compareDateRange: key(list(anything), 'Date ranges to compare with each other.'),
    },
  },
  filter: {
    title: 'Filter',
    keys: {
      member: key(members('measure', 'dimension', 'time'), 'What is compared.'),
      operator: key({ is: 'choice', choices: operators }, 'How it is compared.'),
      values: key(list(anything), 'What it is compared with.'),
      or: key(list(map('filter')), 'One of these filters must match.'),
      and: key(list(map('filter')), 'All of these filters must match.'),
    },
    oneOf: ['member', 'or', 'and'],
  },
  test: {
    title: 'Test',
    keys: {
      name: required(plain, 'What is expected, as a sentence.'),
      as: key(anything, 'The security context that the query runs with.'),
      rowCount: key(either(number, map('range')), 'How many rows the answer has.'),
      rows: key(
        list({ is: 'byMember', key: column, of: anything }),
        'The rows of the answer, in order where the query has one.',
      ),
      value: key(map('value'), 'The value of a member, in the first row.'),
      unique: key(list(column), 'No two rows have the same values of these members.'),
      notNull: key(list(column), 'No row lacks a value of these members.'),
      compare: key(map('compare'), 'Another query that has an equal answer, or as many rows.'),
      noFanOut: key(
        list(members('measure')),
        'Measures whose rows add up to their total: no join counts anything twice.',
      ),
      freshness: key(map('freshness'), 'How old the newest data may be.'),
    },
    oneOf: expectations,
  },
  range: {
    title: 'Range',
    keys: { min: key(number, 'The minimum.'), max: key(number, 'The maximum.') },
  },
  value: {
    title: 'Value',
    keys: {
      member: required(column, 'The member whose value is compared.'),
      is: key(anything, 'The value.'),
      within: key(number, 'How much a number may differ from it.'),
      min: key(number, 'The minimum that is allowed.'),
      max: key(number, 'The maximum that is allowed.'),
    },
  },
  compare: {
    title: 'Comparison',
    keys: {
      query: required(map('query'), 'The other query.'),
      by: key({ is: 'choice', choices: ['rows', 'rowCount'] }, 'What is compared; rows unless said otherwise.'),
    },
  },
  freshness: {
    title: 'Freshness',
    keys: {
      member: key(column, 'The time that counts; without it, when the server read the data.'),
      within: required(plain, 'The greatest age, for example 24 hours.'),
    },
  },
};

/** Returns the type expected at the end of a path of keys; `-` stands for a list item. */
export function queryTypeAt(path: readonly string[]): QueryType | undefined {
  let type: QueryType | undefined = { is: 'map', shape: 'file' };
  for (const part of path) type = type && (part === '-' ? itemTypeOf(type) : valueTypeOf(type, part));
  return type;
}

/** Returns the type of a list's items. */
export function itemTypeOf(type: QueryType): QueryType | undefined {
  return alternativesOf(type).find((option) => option.is === 'list')?.of;
}

/** Returns the type of the value under a map's key. */
export function valueTypeOf(type: QueryType, name: string): QueryType | undefined {
  for (const option of alternativesOf(type)) {
    if (option.is === 'byMember') return option.of;
    const { keys } = (option.is === 'map' && queryShapes[option.shape]) || {};
    if (keys && Object.hasOwn(keys, name)) return keys[name]?.type;
  }
  return undefined;
}

/** Returns the alternatives of a type, or the type itself. */
export function alternativesOf(type: QueryType): readonly QueryType[] {
  return type.is === 'either' ? type.of.flatMap(alternativesOf) : [type];
}
