import { parseDescription, referredComponents } from './capabilities.ts';
import { resolved } from './described-values.ts';
import type { Operation } from '#api/operation.ts';
import { isObject } from '#api/schema.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema of an operation’s body from the server’s own description, with everything that it refers to;
 * `undefined` if there is none. The documented API shows many bodies incompletely, so the server knows best.
 */
export function describedBody(
  description: Json,
  op: Pick<Operation, 'id' | 'method' | 'path' | 'encoding'>,
): Json | undefined {
  if ((op.encoding ?? 'json') !== 'json') return undefined;
  const found = parseDescription(description).find(op);
  const item = found && isObject(description['paths']) ? description['paths'][found.path] : undefined;
  const own = isObject(item) ? item[op.method.toLowerCase()] : undefined;
  const content = isObject(own) ? resolved(own['requestBody'], description)['content'] : undefined;
  const json = isObject(content) ? content['application/json'] : undefined;
  const schema = isObject(json) ? json['schema'] : undefined;
  if (!isObject(schema) || Object.keys(schema).length === 0) return undefined;
  const components = isObject(description['components']) ? description['components'] : undefined;
  return withNulls({
    ...schema,
    ...(components ? { components: referredComponents(schema, components) } : {}),
  }) as Json;
}

/** Returns the top-level properties of a body’s schema, including those behind references and in combined schemas. */
export function bodyProperties(schema: Json): { readonly properties: Json; readonly required: readonly string[] } {
  return propertiesOf(schema, schema, 0);
}

function propertiesOf(schema: unknown, root: Json, depth: number): ReturnType<typeof bodyProperties> {
  // A description may be recursive.
  if (depth > 5) return { properties: {}, required: [] };
  const own = resolved(schema, root);
  const inner = [own['allOf'], own['anyOf'], own['oneOf']].flatMap((list) => (Array.isArray(list) ? list : []));
  const variants = inner.map((each) => propertiesOf(each, root, depth + 1));
  const listed: readonly unknown[] = Array.isArray(own['required']) ? own['required'] : [];
  const required = listed.filter((name) => typeof name === 'string');
  const named = isObject(own['properties']) ? own['properties'] : {};
  return {
    properties: Object.fromEntries(
      [...variants.map(({ properties }) => properties), named].flatMap((each) => Object.entries(each)),
    ) as Json,
    required: [
      ...new Set([
        ...required,
        ...(Array.isArray(own['allOf']) ? variants.flatMap((variant) => variant.required) : []),
      ]),
    ],
  };
}

/** Turns OpenAPI 3.0's `nullable` into a list of types, as in JSON Schema. */
function withNulls(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNulls);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withNulls(value)]));
  if (inner['nullable'] !== true) return inner;
  const { nullable: _, type, enum: values, ...rest } = inner;
  return {
    ...rest,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : type === undefined ? {} : { type }),
    ...(Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {}),
  };
}
