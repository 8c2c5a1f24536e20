import * as v from 'valibot';
import { referredComponents } from '#api/description/capabilities.ts';
import { describedBody } from '#api/description/described-body.ts';
import { queryParameters } from '#api/description/described-values.ts';
import type { Operation } from '#api/operation.ts';
import { isObject } from '#api/schema.ts';
import { parametersSchema } from './described-operation.ts';
import { type JsonSchema, type RequestPart, requestSchema } from '#shell/request-schema.ts';

interface ServedRequest {
  readonly op: Operation;
  readonly schema: () => JsonSchema;
}

/**
 * Replaces the query and the body of a documented operation with the server's own description of them, if there is one. The
 * server then checks them, and our schema is only the fallback. A body whose field names we guessed is never refused here.
 */
export function servedRequest(op: Operation, description: JsonSchema | undefined): ServedRequest {
  const body = description && describedBody(description, op);
  const query = op.query && description ? servedQuery(op, description) : undefined;
  if (!body && !query) return { op, schema: () => (op.guessedBody ? open(requestSchema(op)) : requestSchema(op)) };
  const anything = v.optional(v.unknown());
  return {
    op: {
      ...op,
      ...(body ? { body: anything } : {}),
      ...(query ? { query: v.optional(v.record(v.string(), v.unknown())) } : {}),
    },
    schema: () => withParts(op.guessedBody && !body ? open(requestSchema(op)) : requestSchema(op), { query, body }),
  };
}

function servedQuery(op: Operation, description: JsonSchema): JsonSchema | undefined {
  const parameters = queryParameters(description, op).filter(({ name }) => typeof name === 'string');
  if (parameters.length === 0) return undefined;
  const { components } = description;
  const schema = parametersSchema(parameters, 'query');
  const needed = isObject(components) ? { components: referredComponents(schema, components) } : {};
  return { ...schema, additionalProperties: false, ...needed };
}

type Parts = Readonly<Partial<Record<RequestPart, JsonSchema | undefined>>>;

/**
 * Replaces the query and body in our schema of a request with the server’s description; the components they refer to move to the
 * top level.
 */
function withParts(own: JsonSchema, chunks: Parts): JsonSchema {
  const properties = isObject(own['properties']) ? { ...own['properties'] } : {};
  let components: Readonly<Record<string, unknown>> = {};
  for (const [part, schema] of Object.entries(chunks)) {
    if (!schema) continue;
    const { components: referred, ...rest } = schema;
    properties[part] = { ...aboutOf(properties[part]), ...rest };
    if (isObject(referred)) components = merged(components, referred);
  }
  const required = requiredParts(own, chunks.query);
  const whole = { ...own, properties, required };
  return Object.keys(components).length === 0 ? whole : { ...whole, components };
}

const aboutOf = (part: unknown): JsonSchema =>
  isObject(part) && 'description' in part ? { description: part['description'] } : {};

/** Returns the required sections of a request. A query that the server describes is required if one of its parameters is. */
function requiredParts(own: JsonSchema, query: JsonSchema | undefined): readonly unknown[] {
  const ours: readonly unknown[] = Array.isArray(own['required']) ? own['required'] : [];
  if (!query) return ours;
  const needed: readonly unknown[] = Array.isArray(query['required']) ? query['required'] : [];
  return [...ours.filter((part) => part !== 'query'), ...(needed.length > 0 ? ['query'] : [])];
}

function merged(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const groups = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(groups.map((group) => [group, { ...(a[group] as object), ...(b[group] as object) }]));
}

/** Lifts the restrictions of a guessed body; its fields stay as suggestions. */
function open(schema: JsonSchema): JsonSchema {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const { body } = properties;
  if (!isObject(body)) return schema;
  return { ...schema, properties: { ...properties, body: { ...body, additionalProperties: true } } };
}
