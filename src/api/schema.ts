import * as v from 'valibot';

/**
 * The building blocks of every operation's schemas. Requests are strict; responses are tolerant: the variants that
 * servers send are first converted to the documented shape (`answering`), optional fields of a wrong type read as
 * missing (`opt`), enums stay open.
 */

/** Non-empty text. */
export const text = v.pipe(v.string('must be text'), v.nonEmpty('must not be empty'));

/**
 * An e-mail address. The server decides which ones it takes: valibot's own rule refuses apostrophes, letters that are not ASCII,
 * and domains without a dot, which all occur.
 */
export const emailAddress = v.pipe(v.string(), {
  ...v.email<string, string>('must be an e-mail address'),
  requirement: /^[^\s@]+@[^\s@]+$/u,
});

/**
 * Limits a text to this many characters: valibot counts UTF-16 units, of which an emoji has two. JSON Schema counts
 * characters too, so that the described rule is the same.
 */
export function atMost(most: number): v.MaxLengthAction<string, number, string> {
  const rule = v.maxLength<string, number, string>(most, `must have at most ${most} characters`);
  const run: (typeof rule)['~run'] = (dataset, config) =>
    dataset.typed && characters(dataset.value) <= most ? dataset : rule['~run'](dataset, config);
  return { ...rule, '~run': run };
}

function characters(value: string): number {
  return value.replaceAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, ' ').length;
}

/** An identifier in a path, a query or a body: the platform uses both numbers and text. */
export const idIn = v.union(
  [text, v.pipe(v.number(), v.integer('must be a whole number'))],
  'must be an identifier (text or a whole number)',
);

/** An identifier in a response, always parsed to text. */
export const idOut = v.pipe(
  v.union([v.string(), v.number()], 'must be an identifier (text or a number)'),
  v.transform(String),
  v.string(),
);

/** A number in a response, which some servers send as text. */
export const numberOut = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^-?\d+(?:\.\d+)?$/))], 'must be a number'),
  v.transform(Number),
  v.number(),
);

/** A whole number in a query, as a number or (as a server reads it) in digits. */
export const countIn = v.pipe(
  v.union(
    [v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be a whole number'), v.transform(Number))],
    'must be a whole number',
  ),
  v.number(),
  v.integer('must be a whole number'),
  v.minValue(0, 'must not be negative'),
);

/** A flag in a query, as a boolean or (as a server reads it) as `true` or `false`. */
export const flagIn = v.pipe(
  v.union(
    [
      v.boolean(),
      v.pipe(
        v.picklist(['true', 'false']),
        v.transform((value) => value === 'true'),
      ),
    ],
    'must be true or false',
  ),
  v.boolean(),
);

/** A date or a time, ISO 8601. */
export const dateIn = v.pipe(
  v.string('must be an ISO 8601 date'),
  v.check((value) => /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value)), 'must be an ISO 8601 date'),
);

/** Rejects arrays, which valibot accepts as objects, like any other value that is not an object. */
function noList<const S extends v.GenericSchema>(schema: S): S {
  const run: S['~run'] = (dataset, config) =>
    schema['~run'](Array.isArray(dataset.value) ? { value: 'a list' } : dataset, config);
  return { ...schema, '~run': run };
}

/** An object in a request, without any other fields. */
export const strictObject = <const E extends v.ObjectEntries>(entries: E) => noList(v.strictObject(entries));

/** Valibot drops these names from a record, because assigning them is dangerous. */
const specialNames = ['__proto__', 'constructor', 'prototype'] as const;

/**
 * An object whose names are data (paths, free-form fields): it keeps all own entries, whatever their names. A file that
 * vanished from a list just because of its name would seem to be deleted.
 */
export function mapOf<const K extends v.GenericSchema<string, string>, const S extends v.GenericSchema>(
  key: K,
  value: S,
  message?: string,
): v.RecordSchema<K, S, string | undefined> {
  const schema = v.record(key, value, message);
  const run: (typeof schema)['~run'] = (dataset, config) => {
    const input = dataset.value;
    const found = schema['~run'](dataset, config);
    if (!found.typed || !isObject(input)) return found;
    for (const name of specialNames.filter((each) => Object.hasOwn(input, each))) {
      const entry = value['~run']({ value: input[name] }, config);
      if (entry.issues) {
        const at = { type: 'object', origin: 'value', input, key: name, value: input[name] } as const;
        const placed = <I extends v.BaseIssue<unknown>>(issue: I): I => ({
          ...issue,
          path: [at, ...(issue.path ?? [])],
        });
        const [first, ...others] = entry.issues;
        return { typed: false, value: found.value, issues: [placed(first), ...others.map((issue) => placed(issue))] };
      }
      const own = { value: entry.value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(found.value, name, own);
    }
    return found;
  };
  return noList({ ...schema, '~run': run });
}

/** A free-form JSON object. */
export const freeObject = mapOf(v.string(), v.unknown(), 'must be an object');

/** A body with some documented fields, which are checked; the others pass through to the platform. */
export const openBody = <const E extends v.ObjectEntries>(entries: E) =>
  noList(v.looseObject(entries, 'must be an object'));

/** An optional field in a response: null, missing and a value of the wrong type all read as missing. */
export const opt = <const S extends v.GenericSchema>(
  schema: S,
): v.SchemaWithFallback<v.OptionalSchema<S, undefined>, undefined> => v.fallback(v.optional(schema), undefined);

/** An enum in a response: the known values are part of the type, unknown ones pass. */
export function openEnum<const T extends readonly string[]>(
  values: T,
): v.GenericSchema<string, T[number] | (string & Record<never, never>)> {
  return v.pipe(v.string(), v.examples([...values]));
}

/** An enum in a request whose values the server checks, because it may know more than the documented ones. */
export const openValue = <const T extends readonly string[]>(values: T) =>
  v.union([v.picklist(values), text], `must be one of ${values.join(', ')}`);

/** A response in its documented shape; `toDocumented` converts the variants that servers send. */
export function answering<const S extends v.GenericSchema>(
  schema: S,
  toDocumented: (value: unknown) => unknown,
): v.SchemaWithPipe<readonly [v.UnknownSchema, v.TransformAction<unknown, v.InferInput<S>>, S]> {
  return v.pipe(
    v.unknown(),
    v.transform((value: unknown) => toDocumented(value) as v.InferInput<S>),
    schema,
  ) as never;
}

/** Checks whether a JSON value is an object with fields, not an array or null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the array of a list, bare or in an envelope of any name; `undefined` if there is none. */
function rowsIn(value: unknown, name?: string): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  const named = [name === undefined ? undefined : value[name], value['data'], value['items'], value['rows']];
  const found = named.find((each): each is readonly unknown[] => Array.isArray(each));
  return found ?? (isObject(value['data']) ? (rowsIn(value['data'], name) ?? onlyArray(value['data'])) : undefined);
}

/** Returns the only array in an envelope such as `{data:{branches:[…]}}`. */
function onlyArray(envelope: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const arrays = Object.values(envelope).filter((value) => Array.isArray(value));
  return arrays.length === 1 ? arrays[0] : undefined;
}

/**
 * Returns the readable rows, so that one odd row does not hide the others. If none is readable, returns all, so that
 * the error shows what is wrong.
 */
function readable(item: v.GenericSchema, rows: readonly unknown[]): readonly unknown[] {
  const good = rows.filter((row) => v.is(item, row));
  return good.length === 0 ? rows : good;
}

/** An array in a response that leaves out odd entries. */
export const rowsOf = <const S extends v.GenericSchema>(item: S) =>
  answering(v.array(item), (value) => (Array.isArray(value) ? readable(item, value) : value));

/** A list as a bare array; also accepted in an envelope. */
export const arrayOf = <const S extends v.GenericSchema>(item: S) =>
  answering(rowsOf(item), (value) => rowsIn(value) ?? value);

const pagination = v.looseObject({ offset: numberOut, limit: opt(numberOut), total: numberOut });

/** A list as `{data:[…]}`; a bare array and other envelopes are also accepted. */
export const listOf = <const S extends v.GenericSchema>(item: S) =>
  answering(v.looseObject({ data: rowsOf(item), pagination: opt(pagination) }), (value) => {
    const data = rowsIn(value);
    return data ? { ...(isObject(value) ? value : {}), data } : value;
  });

/**
 * `{data:{<name>:[…]}, pagination}` (docs/platform-api.md#lists); `{data:[…]}`, `{<name>:[…]}` and a bare array are
 * also accepted.
 */
export function offsetListOf<const Name extends string, const S extends v.GenericSchema>(name: Name, item: S) {
  const rows = { [name]: rowsOf(item) } as Record<Name, ReturnType<typeof rowsOf<S>>>;
  return answering(v.looseObject({ data: v.looseObject(rows), pagination: opt(pagination) }), (value) => {
    const found = rowsIn(value, name);
    if (!found) return value;
    const envelope = isObject(value) ? value : {};
    const data = isObject(envelope['data']) ? envelope['data'] : {};
    return { ...envelope, data: { ...data, [name]: found } };
  });
}

/** A page of a cursor list. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined };
}

const pageInfo = v.looseObject({ hasNextPage: v.boolean(), endCursor: v.fallback(v.nullish(idOut), undefined) });

/**
 * `{items, pageInfo}` (docs/platform-api.md#lists); the deprecated `{data, count}` alone is read as a single page. If
 * the server does not report whether there is more, its cursor decides.
 */
export const cursorListOf = <const S extends v.GenericSchema>(item: S) =>
  answering(
    v.looseObject({ items: rowsOf(item), pageInfo, data: opt(v.array(v.unknown())), count: opt(numberOut) }),
    (value) => {
      const inner = isObject(value) && isObject(value['data']) ? value['data'] : value;
      const items = rowsIn(inner, 'items');
      if (items === undefined) return value;
      const list = isObject(inner) ? inner : {};
      const info = isObject(list['pageInfo']) ? list['pageInfo'] : {};
      const { hasNextPage, endCursor } = info;
      const hasMore = items.length > 0 && endCursor !== undefined && endCursor !== null && endCursor !== '';
      const pageInfo = { ...info, hasNextPage: typeof hasNextPage === 'boolean' ? hasNextPage : hasMore };
      return { ...list, items, pageInfo };
    },
  );

/** One object; `{data:{…}}` around it is also accepted, and an empty response reads as an empty object. */
export const objectOf = <const E extends v.ObjectEntries>(entries: E) => answering(v.looseObject(entries), unwrap);

/** Like `objectOf`, but with every field as served, whatever its name. */
export const servedObject = answering(freeObject, unwrap);

type Tolerant<E extends v.ObjectEntries> = {
  [K in keyof E]: v.SchemaWithFallback<v.OptionalSchema<E[K], undefined>, undefined>;
};

/**
 * Like `objectOf`, for the undocumented response to a change: all fields are optional, because the change was made
 * whatever the response looks like.
 */
export const changed = <const E extends v.ObjectEntries>(entries: E) => {
  const tolerant = Object.entries(entries).map(([name, schema]) => [name, opt(schema as v.GenericSchema)]);
  return answering(v.looseObject(Object.fromEntries(tolerant) as Tolerant<E>), unwrap);
};

/** `{data:{…}}`; the bare object is also accepted (docs/platform-api.md#requests-and-answers). */
export const dataOf = <const S extends v.GenericSchema>(schema: S) =>
  answering(v.looseObject({ data: schema }), (value) =>
    isObject(value) && value['data'] === undefined ? { data: value } : value,
  );

function unwrap(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return {};
  return isObject(value) && isObject(value['data']) && value['id'] === undefined ? value['data'] : value;
}

/** Whether exactly one of two fields is given. */
export function exactlyOne(a: unknown, b: unknown): boolean {
  return (a === undefined) !== (b === undefined);
}

export const inDeployment = strictObject({ deploymentId: idIn });
export const byId = strictObject({ id: idIn });
export const inWorkbook = strictObject({ deploymentId: idIn, workbookId: idIn });
