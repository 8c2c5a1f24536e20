import type { CubeMeta, MemberMeta, SemanticQuery } from '../engine/types.ts';
import type { ReadQuery, ResponseFormat } from './query.ts';
import type { ResultTable, Value } from './warehouse/warehouse.ts';

/** One result of `/load`. */
export interface LoadResult {
  readonly query: Readonly<Record<string, unknown>>;
  readonly data: unknown;
  readonly annotation: Annotation;
  readonly dataSource: string;
  readonly dbType: string;
  readonly external: boolean;
  readonly slowQuery: boolean;
  readonly lastRefreshTime: string;
  readonly total: number | null;
}

type Notes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Annotation {
  readonly measures: Notes;
  readonly dimensions: Notes;
  readonly segments: Notes;
  readonly timeDimensions: Notes;
}

/** Rows as the data API answers them: keyed by member, numbers as strings, a time under its granularity and its plain name. */
export function toLoadResult(
  read: ReadQuery,
  table: {
    readonly result: ResultTable;
    readonly columns: Readonly<Record<string, string>>;
    readonly total: number | null;
  },
  answered: { readonly meta: readonly CubeMeta[]; readonly at: string; readonly slow: boolean },
): LoadResult {
  const { query, responseFormat, compared } = read;
  const members = table.result.columns.map((column) => table.columns[column.name] ?? column.name);
  const rows = table.result.rows.map((row) => row.map(toText));
  return {
    query: queryOf(read),
    data: shape(responseFormat, withPlainTimes({ members, rows }, query, compared)),
    annotation: annotate(query, answered.meta),
    dataSource: 'default',
    dbType: 'duckdb',
    external: false,
    slowQuery: answered.slow,
    lastRefreshTime: answered.at,
    total: table.total,
  };
}

/** The query as it was understood: what answers repeat. */
export function queryOf({ query, total, responseFormat }: ReadQuery): Readonly<Record<string, unknown>> {
  return {
    ...query,
    order: query.order ?? [],
    rowLimit: query.limit,
    ...(total ? { total } : {}),
    ...(responseFormat === 'default' ? {} : { responseFormat }),
  };
}

interface Columns {
  readonly members: readonly string[];
  readonly rows: readonly (readonly (string | boolean | null)[])[];
}

function withPlainTimes(
  { members, rows }: Columns,
  query: SemanticQuery,
  compared: readonly [string, string] | undefined,
): Columns {
  const plain = members.flatMap((member, at) => {
    const [cube, name, granularity] = member.split('.');
    const path = `${cube ?? ''}.${name ?? ''}`;
    return granularity === undefined || query.dimensions.includes(path) ? [] : [{ at, path }];
  });
  const extra = compared ? [`${compared[0]} - ${compared[1]}`] : [];
  return {
    members: [...members, ...plain.map(({ path }) => path), ...(compared ? ['compareDateRange'] : [])],
    rows: rows.map((row) => [...row, ...plain.map(({ at }) => row[at] ?? null), ...extra]),
  };
}

function shape(format: ResponseFormat, { members, rows }: Columns): unknown {
  if (format === 'compact') return { members, dataset: rows };
  if (format === 'columnar') return { members, columns: members.map((_, at) => rows.map((row) => row[at] ?? null)) };
  return rows.map((row) => Object.fromEntries(members.map((member, at) => [member, row[at] ?? null])));
}

function toText(value: Value): string | boolean | null {
  return value === null || typeof value === 'boolean' ? value : String(value);
}

function annotate(query: SemanticQuery, meta: readonly CubeMeta[]): Annotation {
  const find = (kind: 'measures' | 'dimensions' | 'segments', name: string): Partial<MemberMeta> | undefined =>
    meta.find((cube) => name.startsWith(`${cube.name}.`))?.[kind].find((member) => member.name === name);
  const note = (member: Partial<MemberMeta> | undefined): Readonly<Record<string, unknown>> => ({
    title: member?.title,
    shortTitle: member?.shortTitle,
    description: member?.description,
    type: member?.type,
    format: member?.format,
    meta: member?.meta,
  });
  const notes = (kind: 'measures' | 'dimensions' | 'segments', names: readonly string[]): Notes =>
    Object.fromEntries(names.map((name) => [name, note(find(kind, name))]));
  const times = query.timeDimensions.filter((time) => time.granularity !== undefined);
  return {
    measures: notes('measures', query.measures),
    dimensions: notes('dimensions', query.dimensions),
    segments: notes('segments', query.segments),
    timeDimensions: Object.fromEntries(
      times.flatMap(({ dimension, granularity }) => {
        const entry = note(find('dimensions', dimension));
        const named = { ...entry, granularity: { name: granularity, title: granularity } };
        return [[`${dimension}.${granularity ?? ''}`, named], [dimension, entry]]; // prettier-ignore
      }),
    ),
  };
}

/** The name of a column's type in the answer of `/cubesql`. */
export function columnType(type: string): string {
  if (type === 'BOOLEAN') return 'Boolean';
  if (/^(TINY|SMALL|BIG|HUGE|U)*INT(EGER)?$|^(U?(TINY|SMALL|BIG|HUGE)INT)$|^UINTEGER$/.test(type)) return 'Int64';
  if (/^(DOUBLE|FLOAT|DECIMAL)/.test(type)) return 'Double';
  return /^(TIMESTAMP|DATE)/.test(type) ? 'Timestamp' : 'String';
}
