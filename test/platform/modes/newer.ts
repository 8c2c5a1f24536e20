import type { DocumentedType, NamedOperation } from './documented.ts';
import { type Asked, isDone, type Mode } from './mode.ts';
import { fieldType, isRecord, type Json, reading, walk } from './types.ts';

/** A field that is not documented. */
const newField = 'x_since_next';
const newValue = { version: '9.1', tags: ['later', null, 7], nested: { on: true } };

/** What a value of an enumeration is called that is not documented. */
const newName = (value: string): string => `${value}_SINCE_NEXT`;

/**
 * A later version of the platform: every object has a field more, the last of several rows has values that its
 * enumerations do not list, streams have further messages, and the description has further operations. What comes back
 * with these additions is understood.
 */
export const newer: Mode = {
  ask: (asked) => (asked.json === undefined ? asked : understood(asked)),
  answer: (operation, answered) => {
    if (!isRecord(answered.json) && !Array.isArray(answered.json)) return answered;
    const headers = new Headers(answered.headers);
    headers.set('x-platform-version', '9.1');
    if (!isDone(answered))
      return { ...answered, headers, json: { ...(answered.json as Json), code: 'NEXT_1', details: [newValue] } };
    if (operation.id === 'getApiDescription')
      return { ...answered, headers, json: longerDescription(answered.json as Json) };
    return { ...answered, headers, json: extended(operation, answered.json) };
  },
  line: (operation, line) => {
    const { json } = operation.answer;
    if (json === undefined || !isRecord(line)) return [line];
    const next = { ...line, [newField]: newValue };
    // A message of a kind that is not documented, beside the one that ends the stream.
    return line['id'] === '__state__'
      ? [{ id: '__progress__', role: 'assistant', [newField]: newValue }, next]
      : [next];
  },
};

function extended({ answer }: NamedOperation, json: unknown): unknown {
  const type = answer.json;
  if (type === undefined) return isRecord(json) ? { ...json, [newField]: newValue } : json;
  return walk(type, json, {
    object: (value, { fields }) => ({ ...freeFormsExtended(value, fields), [newField]: newValue }),
    list: (rows, of) => (rows.length > 1 ? [...rows.slice(0, -1), withNewNames(of, rows.at(-1))] : rows),
  });
}

/** A free-form object may hold anything. */
function freeFormsExtended(value: Json, fields: Parameters<typeof fieldType>[0]): Json {
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const type = fieldType(fields, name);
      const isFree = type === 'object' || type === 'object?null';
      return [name, isFree && isRecord(each) ? { ...each, [newField]: newValue } : each];
    }),
  );
}

function withNewNames(type: DocumentedType, row: unknown): unknown {
  const found = reading(type);
  if (found.kind !== 'fields' || !isRecord(row)) return row;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const of = fieldType(found.fields, name);
      const isName = of !== undefined && reading(of).kind === 'enumeration' && typeof value === 'string';
      // What distinguishes a file from a folder is not an open list: a tree that cannot be read is not a tree.
      return [name, isName && of !== 'TreeEntryType' ? newName(value) : value];
    }),
  );
}

/** The request as this version's own: without the additions that it was given back. */
function understood(asked: Asked): Asked {
  return { ...asked, json: withoutAdditions(asked.json) };
}

function withoutAdditions(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/_SINCE_NEXT$/, '');
  if (Array.isArray(value)) return value.map((each) => withoutAdditions(each));
  if (!isRecord(value)) return value;
  const left = Object.entries(value).filter(([name]) => name !== newField);
  return Object.fromEntries(left.map(([name, each]) => [name, withoutAdditions(each)]));
}

function longerDescription(json: Json): Json {
  const paths = json['paths'] as Json;
  const operation = { operationId: 'nextThing', responses: { 200: { description: 'Done.' } }, 'x-next': newValue };
  return { ...json, 'x-next': newValue, paths: { ...paths, '/api/v2/next/{thing}': { get: operation } } };
}
