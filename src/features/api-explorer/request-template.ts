import { isObject } from '#api/schema.ts';
import type { JsonSchema, RequestPart } from '#shell/request-schema.ts';

/** The parameters, query and body of a request, as in its document. */
export type RequestParts = { readonly [Part in RequestPart]?: unknown };

/**
 * Creates a request to fill in from the schema of its document: every required field has a value of its type, or the one that
 * `known` has for its name. A field whose value cannot be guessed is empty, and the schema marks it until it is filled in.
 */
export function requestTemplate(schema: JsonSchema, known: Readonly<Record<string, string>>): RequestParts {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const { $schema: _, ...parts } = properties;
  return Object.fromEntries(
    Object.entries(parts).map(([part, own]) => [part, example(own, { root: schema, known, depth: 0 }) ?? {}]),
  );
}

interface Context {
  readonly root: JsonSchema;
  readonly known: Readonly<Record<string, string>>;
  readonly depth: number;
}

/** Only recursive schemas nest deeper than this. */
const maxDepth = 8;

function example(schema: unknown, context: Context): unknown {
  const own = resolved(schema, context.root);
  if (context.depth > maxDepth) return null;
  if ('const' in own) return own['const'];
  if ('default' in own) return own['default'];
  if (Array.isArray(own['enum'])) return own['enum'][0];
  const option = firstOf(own['anyOf']) ?? firstOf(own['oneOf']) ?? firstOf(own['allOf']);
  if (option !== undefined) return example(option, { ...context, depth: context.depth + 1 });
  const type: unknown = Array.isArray(own['type']) ? own['type'][0] : own['type'];
  if (type === 'object' || isObject(own['properties'])) return exampleObject(own, context);
  if (type === 'array') return [example(own['items'] ?? {}, { ...context, depth: context.depth + 1 })];
  return exampleValue(String(type), own);
}

function firstOf(options: unknown): unknown {
  return Array.isArray(options) ? (options as readonly unknown[])[0] : undefined;
}

function exampleObject(schema: JsonSchema, context: Context): unknown {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const deeper = { ...context, depth: context.depth + 1 };
  const fields = Object.keys(properties).filter((name) => required.includes(name));
  return Object.fromEntries(fields.map((name) => [name, context.known[name] ?? example(properties[name], deeper)]));
}

function exampleValue(type: string, schema: JsonSchema): unknown {
  switch (type) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
    case 'null':
      return null;
    case 'string':
      return '';
    default:
      return {};
  }
}

/** Returns the schema that a `$ref` within the document refers to. */
function resolved(schema: unknown, root: JsonSchema): JsonSchema {
  let at: unknown = schema;
  for (let hops = 0; hops <= maxDepth && isObject(at) && typeof at['$ref'] === 'string'; hops += 1) {
    at = at['$ref']
      .replace(/^#\//, '')
      .split('/')
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), root);
  }
  return isObject(at) ? at : {};
}
