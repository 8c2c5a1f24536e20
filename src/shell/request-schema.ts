import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { isObject } from '#api/schema.ts';
import type { Operation } from '#api/operation.ts';

/** A JSON Schema of draft 7, which VS Code's JSON support handles best. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const requestParts = ['params', 'query', 'body'] as const;
export type RequestPart = (typeof requestParts)[number];

/** Returns the schema of an operation's request document: `params`, `query` and `body`, where the operation has them. */
export function requestSchema(op: Operation): JsonSchema {
  const chunks: Partial<Record<RequestPart, JsonSchema>> = {};
  const required: RequestPart[] = [];
  const $defs: Record<string, unknown> = {};
  for (const part of requestParts) {
    const schema = op[part];
    if (!schema) continue;
    chunks[part] = { ...partSchema(schema, part, $defs), description: partLabels[part] };
    if (isNeeded(schema)) required.push(part);
  }
  return documentSchema(op, chunks, required, Object.keys($defs).length > 0 ? { $defs } : {});
}

const partLabels: Readonly<Record<RequestPart, string>> = {
  params: 'Values for the parameters of the path.',
  query: 'Parameters after the question mark of the address.',
  body: 'The body of the request.',
};

/** Builds the schema of the document from those of its sections; `more` holds the definitions that they reference. */
export function documentSchema(
  op: Pick<Operation, 'method' | 'path' | 'summary'>,
  chunks: Partial<Record<RequestPart, JsonSchema>>,
  required: readonly RequestPart[],
  more: JsonSchema,
): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `${op.method} ${op.path}`,
    description: op.summary,
    type: 'object',
    properties: { $schema: { type: 'string', description: 'Location of this request’s schema.' }, ...chunks },
    required,
    additionalProperties: false,
    ...more,
  };
}

/** Whether the section is required: an empty object would not pass. */
function isNeeded(schema: v.GenericSchema): boolean {
  if (schema.type === 'optional') return false;
  const { required } = toJsonSchema(schema, config);
  return Array.isArray(required) && required.length > 0;
}

function partSchema(schema: v.GenericSchema, part: RequestPart, defs: Record<string, unknown>): JsonSchema {
  const { $schema: _, $defs, ...rest } = toJsonSchema(schema, config) as Record<string, unknown>;
  if (!isObject($defs)) return rest;
  // Each section numbers its own definitions, so in one document they need a prefix.
  const renamed = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('#/$defs/', `#/$defs/${part}.`)) as unknown;
  for (const [name, definition] of Object.entries($defs)) defs[`${part}.${name}`] = renamed(definition);
  return renamed(rest) as JsonSchema;
}

const config: ConversionConfig = {
  typeMode: 'input',
  target: 'draft-07',
  // Rules across fields cannot be expressed in JSON Schema: they are checked when the request is sent.
  errorMode: 'ignore',
  overrideSchema: ({ valibotSchema }) =>
    valibotSchema.type === 'instance' || valibotSchema.type === 'blob'
      ? { type: 'string', description: 'The content of the file.' }
      : null,
};
