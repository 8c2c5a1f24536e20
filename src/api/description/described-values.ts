import { parseDescription } from './capabilities.ts';
import type { Operation } from '#api/operation.ts';
import { isObject } from '#api/schema.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the values that a served description lists for a query parameter, in its order; an empty array if it lists
 * none. In some enumerations, the documents replace names that contain the product’s own, so only the server knows them
 * (docs/platform-api.md#capabilities).
 */
export function describedValues(description: Json, op: Operation, parameter: string): readonly string[] {
  const found = queryParameters(description, op).find((each) => each['name'] === parameter);
  return enumeratedValues(found?.['schema'], description);
}

/** Returns an operation's query parameters from a served description. */
export function queryParameters(description: Json, op: Operation): readonly Json[] {
  const described = parseDescription(description).find(op);
  const item = described && isObject(description['paths']) ? description['paths'][described.path] : undefined;
  return parametersAt(item, op.method.toLowerCase(), description).filter((each) => each['in'] === 'query');
}

/** Returns the strings that a schema enumerates; `root` contains the targets of its references. */
export function enumeratedValues(schema: unknown, root: Json): readonly string[] {
  return [...new Set(valuesOf(schema, root))];
}

function parametersAt(item: unknown, method: string, description: Json): readonly Json[] {
  if (!isObject(item)) return [];
  const own = item[method];
  const lists = [isObject(own) ? own['parameters'] : undefined, item['parameters']];
  return lists.flatMap((list) => (Array.isArray(list) ? list.map((each) => resolved(each, description)) : []));
}

/** Collects the values of an enumeration, including those behind references and in combined schemas. */
function valuesOf(schema: unknown, description: Json, depth = 0): readonly string[] {
  // A description may be recursive.
  if (depth > 5) return [];
  const own = resolved(schema, description);
  const listed = Array.isArray(own['enum']) ? own['enum'].filter((value) => typeof value === 'string') : [];
  const constant = typeof own['const'] === 'string' ? [own['const']] : [];
  const inner = [own['items'], own['anyOf'], own['oneOf'], own['allOf']].flat();
  return [...listed, ...constant, ...inner.flatMap((each) => valuesOf(each, description, depth + 1))];
}

/** Returns an object of a description, following its reference if it is one. */
export function resolved(value: unknown, description: Json): Json {
  if (!isObject(value)) return {};
  const reference = value['$ref'];
  if (typeof reference !== 'string') return value;
  const [, ...names] = reference.split('/');
  const found = names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), description);
  return isObject(found) ? found : {};
}
