import * as v from 'valibot';
import { type Column, numberIn } from '#base/cells.ts';
import { exactJson, parsedJson } from '#base/json.ts';
import type { StreamToolCall } from '#api/streams/chat-messages.ts';

/** A member that the metadata search found (docs/chat.md#tools). */
export interface FoundMember {
  readonly name: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly kind: string;
}

export interface FoundCube {
  readonly name: string;
  readonly title: string;
  /** `cube` or `view`. */
  readonly kind: string;
  readonly members: readonly FoundMember[];
}

/** The result of a query over the data model (docs/chat.md#tools). Cells are texts; `undefined` is SQL's NULL. */
export interface QueryResult {
  readonly sql: string;
  readonly title: string;
  readonly description: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  /** The total number of rows of the query; `rows` may have fewer (docs/chat.md#tools). */
  readonly total: number;
  /** Vega-Lite specification as JSON text, without data. */
  readonly vegaSpec?: string | undefined;
}

/** A parsed tool call. `error` is set if the tool failed (docs/chat.md#tools). */
export type ToolReading =
  | {
      readonly kind: 'meta';
      readonly query: string;
      readonly cubes: readonly FoundCube[];
      readonly error?: string | undefined;
    }
  | { readonly kind: 'sql'; readonly result: QueryResult; readonly error?: string | undefined }
  | { readonly kind: 'other'; readonly input: string; readonly result: string; readonly error?: string | undefined };

const readings = new WeakMap<StreamToolCall, ToolReading>();

/** Parses a tool call's JSON texts, once per call. The suffix of its name identifies the tool: docs/chat.md#tools. */
export function readTool(call: StreamToolCall): ToolReading {
  const known = readings.get(call);
  if (known) return known;
  const reading = read(call);
  readings.set(call, reading);
  return reading;
}

function read(call: StreamToolCall): ToolReading {
  const input = parsedJson(call.input);
  const result = exactJson(call.result);
  const error = v.is(Failure, result) ? failureText(result.error) : undefined;
  if (call.name.endsWith('Meta')) {
    const { searchQuery } = v.parse(MetaInput, input);
    const { cubes } = v.parse(MetaResult, result);
    return { kind: 'meta', query: searchQuery, cubes, error };
  }
  if (call.name.endsWith('SqlApi')) return { kind: 'sql', result: queryResult(input, result), error };
  return { kind: 'other', input: pretty(call.input, input), result: pretty(call.result, result), error };
}

function queryResult(input: unknown, result: unknown): QueryResult {
  const asked = v.parse(SqlPart, input);
  const got = v.parse(SqlPart, result);
  const { columns, rows } = tableOf(got.schema, got.data);
  return {
    sql: got.sqlQuery ?? asked.sqlQuery ?? '',
    title: got.queryTitle ?? asked.queryTitle ?? '',
    description: got.description ?? asked.description ?? '',
    columns,
    rows,
    total: Math.max(Math.floor(numberIn(got.totalRows) ?? 0), rows.length),
    vegaSpec: got.vegaSpec ?? asked.vegaSpec,
  };
}

type Cells = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Returns the columns and rows of a result. A cell without a described column gets one: no value that the agent saw is hidden. */
function tableOf(described: readonly Column[], data: readonly Cells[]): Pick<QueryResult, 'columns' | 'rows'> {
  const isObject = (cells: Cells): cells is Readonly<Record<string, unknown>> => !Array.isArray(cells);
  if (data.some(isObject)) return tableOfObjects(described, data.filter(isObject));
  const rows = data as readonly (readonly unknown[])[];
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), described.length);
  const columns = Array.from({ length: width }, (_, at) => {
    const { name = '', type = '' } = described[at] ?? {};
    return { name: name === '' ? `Column ${at + 1}` : name, type };
  });
  return { columns, rows };
}

function tableOfObjects(
  described: readonly Column[],
  data: readonly Readonly<Record<string, unknown>>[],
): Pick<QueryResult, 'columns' | 'rows'> {
  const names = [...new Set(data.flatMap((row) => Object.keys(row)))];
  const columns = described.length > 0 ? described : names.map((name) => ({ name, type: '' }));
  return {
    columns,
    rows: data.map((row) => columns.map(({ name }) => (Object.hasOwn(row, name) ? row[name] : undefined))),
  };
}

/** Parses a list without the items that are invalid; a missing or invalid list becomes empty. */
function readable<Schema extends v.GenericSchema>(item: Schema) {
  return v.pipe(
    v.fallback(v.optional(v.array(v.unknown()), []), []),
    v.transform((items) =>
      items.flatMap((value) => {
        const parsed = v.safeParse(item, value);
        return parsed.success ? [parsed.output] : [];
      }),
    ),
  );
}

const optionalText = v.fallback(v.optional(v.string()), undefined);
const anyText = v.fallback(v.optional(v.string(), ''), '');
const Failure = v.object({ error: v.union([v.string(), v.object({ message: v.string() })]) });
const MetaInput = v.fallback(v.object({ searchQuery: anyText }), { searchQuery: '' });
const Member = v.pipe(
  v.object({ name: v.string(), title: anyText, description: optionalText, type: anyText, aggType: optionalText }),
  v.transform(({ name, title, description, type, aggType }) => ({
    name,
    title: title || name,
    description,
    kind: aggType ?? type,
  })),
);
const Cube = v.pipe(
  v.object({ name: v.string(), title: anyText, type: anyText, members: readable(Member) }),
  v.transform(({ name, title, type, members }) => ({ name, title: title || name, kind: type || 'cube', members })),
);
const MetaResult = v.fallback(v.object({ cubes: readable(Cube) }), { cubes: [] });
const noQuery = { schema: [], data: [], totalRows: undefined };
/** Every item stands for the cells at its position, so one that cannot be read has no name. */
const SqlColumn = v.fallback(
  v.union([
    v.pipe(
      v.string(),
      v.transform((name) => ({ name, type: '' })),
    ),
    v.pipe(
      v.object({ name: v.fallback(anyText, ''), column_type: anyText }),
      v.transform(({ name, column_type: type }) => ({ name, type })),
    ),
  ]),
  { name: '', type: '' },
);
const SqlPart = v.fallback(
  v.object({
    sqlQuery: optionalText,
    queryTitle: optionalText,
    description: optionalText,
    vegaSpec: v.fallback(
      v.optional(
        v.union([
          v.pipe(v.string(), v.nonEmpty()),
          v.pipe(
            v.looseObject({}),
            v.transform((spec) => JSON.stringify(spec)),
          ),
        ]),
      ),
      undefined,
    ),
    schema: v.fallback(v.optional(v.array(SqlColumn), []), []),
    data: readable(v.union([v.array(v.unknown()), v.record(v.string(), v.unknown())])),
    totalRows: v.optional(v.unknown()),
  }),
  noQuery,
);

function failureText(error: string | { readonly message: string }): string {
  return typeof error === 'string' ? error : error.message;
}

function pretty(text: string | undefined, value: unknown): string {
  return value === undefined ? (text ?? '') : JSON.stringify(value, undefined, 2);
}
