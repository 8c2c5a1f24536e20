import * as v from 'valibot';
import { filterDescription, type DescribedOperation } from '#api/description/capabilities.ts';
import { type AnswerKind, type Operation, operation } from '#api/operation.ts';
import { isObject } from '#api/schema.ts';
import { documentSchema, type JsonSchema, type RequestPart } from '#shell/request-schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** An operation that only the server's description lists, in a form that the client can run. */
export interface ForeignOperation {
  readonly op: Operation;
  readonly schema: () => JsonSchema;
}

/**
 * Creates an operation from an entry of a server's OpenAPI description (docs/platform-api.md#capabilities). Only the server
 * checks its request; the editor uses the schema of the description.
 */
export function foreignOperation(described: DescribedOperation, description: Json): ForeignOperation {
  const own = operationObject(described, description);
  const anything = v.record(v.string(), v.unknown());
  const parameters = parametersOf(described, description, own);
  const body = bodySchema(own, description);
  const has = (where: string): boolean => parameters.some((parameter) => parameter['in'] === where);
  const op: Operation = operation({
    id: described.id ?? `${described.method.toLowerCase()} ${described.path}`,
    method: described.method,
    path: described.path,
    tag: described.tags[0] ?? 'Other',
    summary: described.summary ?? `${described.method} ${described.path}`,
    idempotent: described.method === 'GET',
    answerKind: answerKind(own),
    ...(has('path') ? { params: anything } : {}),
    ...(has('query') ? { query: v.optional(anything) } : {}),
    ...(body === undefined ? {} : { body: v.optional(v.unknown()) }),
  });
  return {
    op,
    schema: () => {
      const chunks: Partial<Record<RequestPart, JsonSchema>> = {};
      if (has('path')) chunks.params = parametersSchema(parameters, 'path');
      if (has('query')) chunks.query = parametersSchema(parameters, 'query');
      if (body !== undefined) chunks.body = body;
      const components = filterDescription(description, { path: described.path })['components'];
      const required: RequestPart[] = has('path') ? ['params'] : [];
      return documentSchema(op, chunks, required, isObject(components) ? { components } : {});
    },
  };
}

function itemOf({ path }: DescribedOperation, description: Json): Json {
  const paths = description['paths'];
  const item = isObject(paths) ? paths[path] : undefined;
  return isObject(item) ? item : {};
}

function operationObject(described: DescribedOperation, description: Json): Json {
  const own = itemOf(described, description)[described.method.toLowerCase()];
  return isObject(own) ? own : {};
}

/** Returns the parameters of the path and of the operation; a path parameter without a description is a string. */
function parametersOf(described: DescribedOperation, description: Json, own: Json): readonly Json[] {
  const listed = [itemOf(described, description)['parameters'], own['parameters']].flatMap((list) =>
    Array.isArray(list) ? list.map((each) => dereferenced(each, description)) : [],
  );
  const named = [...described.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const missing = named.filter((name) => !listed.some((each) => each['in'] === 'path' && each['name'] === name));
  return [...listed, ...missing.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))];
}

/**
 * Returns the parameters that a description lists for `path` or `query` as the JSON Schema of an object; path parameters are
 * required.
 */
export function parametersSchema(parameters: readonly Json[], where: string): JsonSchema {
  const own = parameters.filter((parameter) => parameter['in'] === where);
  const schemas = own.map(({ name, schema, description }) => [
    String(name),
    { ...(isObject(schema) ? schema : {}), ...(typeof description === 'string' ? { description } : {}) },
  ]);
  const required = own.filter((parameter) => parameter['required'] === true || where === 'path');
  return { type: 'object', properties: Object.fromEntries(schemas), required: required.map(({ name }) => name) };
}

function bodySchema(own: Json, description: Json): JsonSchema | undefined {
  const content = dereferenced(own['requestBody'], description)['content'];
  const json = isObject(content) ? content['application/json'] : undefined;
  if (!isObject(json)) return undefined;
  return isObject(json['schema']) ? json['schema'] : {};
}

function answerKind(own: Json): AnswerKind {
  const text = JSON.stringify(own['responses'] ?? {});
  if (text.includes('"application/x-ndjson"')) return 'ndjson';
  return text.includes('"text/csv"') ? 'csv' : 'json';
}

function dereferenced(value: unknown, description: Json): Json {
  if (!isObject(value)) return {};
  if (typeof value['$ref'] !== 'string') return value;
  const [, kind = '', name = ''] = /^#\/components\/([^/]+)\/(.+)$/.exec(value['$ref']) ?? [];
  const components = description['components'];
  const group = isObject(components) ? components[kind] : undefined;
  const found = isObject(group) ? group[name] : undefined;
  return isObject(found) ? found : {};
}
