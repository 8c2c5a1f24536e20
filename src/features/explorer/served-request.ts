import * as v from 'valibot';
import { describedBody } from '#api/described-body.ts';
import type { Operation } from '#api/operation.ts';
import { isObject } from '#api/schema.ts';
import { type JsonSchema, requestSchema } from './request-schema.ts';

interface ServedRequest {
  readonly op: Operation;
  readonly schema: () => JsonSchema;
}

/**
 * A documented operation with the body that the server itself describes, where it does: then the server judges the body, and
 * our own schema is only the fallback. A body whose names are our guess is never refused here.
 */
export function servedRequest(op: Operation, description: JsonSchema | undefined): ServedRequest {
  const served = description && describedBody(description, op);
  if (!served) return { op, schema: () => (op.guessedBody ? open(requestSchema(op)) : requestSchema(op)) };
  const { components, ...body } = served;
  return {
    op: { ...op, body: v.optional(v.unknown()) },
    schema: () => {
      const own = requestSchema(op);
      const properties = isObject(own['properties']) ? own['properties'] : {};
      const { body: ours } = properties;
      const about = isObject(ours) && 'description' in ours ? { description: ours['description'] } : {};
      const whole = { ...own, properties: { ...properties, body: { ...about, ...body } } };
      return components === undefined ? whole : { ...whole, components };
    },
  };
}

/** Without what our guess demands or forbids; its fields stay as suggestions. */
function open(schema: JsonSchema): JsonSchema {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const { body } = properties;
  if (!isObject(body)) return schema;
  return { ...schema, properties: { ...properties, body: { ...body, additionalProperties: true } } };
}
