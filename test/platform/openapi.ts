import { operations } from '#api/resources/operations.ts';
import type { Operation } from '#api/operation.ts';
import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { pathOf } from './routes/route.ts';

type Json = Record<string, unknown>;

let made: Json | undefined;

/** The OpenAPI 3.1 description (docs/platform-api.md#capabilities), made of the operations that the routes are made of. */
export function apiDescription(): Json {
  made ??= describe();
  return made;
}

let written: string | undefined;

/** Returns the same as JSON: every window asks for it, and it is long, so it is written once. */
export function apiDescriptionText(): string {
  written ??= JSON.stringify(apiDescription());
  return written;
}

function describe(): Json {
  const schemas: Json = { Error: errorSchema };
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const item = (paths[pathOf(operation)] ??= operation.host === 'chat' ? { servers: chatServers } : {});
    item[operation.method.toLowerCase()] = describeOperation(operation, schemas);
  }
  const tags = [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name }));
  return {
    openapi: '3.1.0',
    info: { title: 'Platform Management API', version: '1.0.0' },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags,
    paths,
    components: {
      schemas,
      responses: {
        Error: { description: 'The request failed.', content: { 'application/json': { schema: errorRef } } },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Api-Key <key>`: SCIM and chat' },
        serviceToken: { type: 'apiKey', in: 'header', name: 'X-Service-Auth-Token' },
      },
    },
  };
}

const chatServers = [{ url: '/', description: 'The chat base URL' }];
const errorRef = { $ref: '#/components/schemas/Error' };
const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string' },
    conflicts: { type: 'array', items: { type: 'string' }, description: 'The paths that both sides changed.' },
  },
};

function describeOperation(operation: Operation, schemas: Json): Json {
  const convert = (part: 'params' | 'query' | 'body' | 'answer', typeMode: 'input' | 'output'): Json | undefined => {
    const schema = operation[part];
    return schema === undefined ? undefined : hoisted(toSchema(schema, typeMode), `${operation.id}.${part}`, schemas);
  };
  const parameters = [
    ...parametersOf(convert('params', 'input'), 'path'),
    ...parametersOf(convert('query', 'input'), 'query'),
  ];
  const body = convert('body', 'input');
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: `Described under “${operation.id}” in the pages about the APIs.`,
    ...(operation.anonymous === true ? { security: [] } : {}),
    ...(operation.host === 'chat' ? { security: [{ apiKey: [] }, { serviceToken: [] }] } : {}),
    ...(operation.path.startsWith('/api/scim/') ? { security: [{ bearer: [] }, { apiKey: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: isRequired(operation),
            content: { [bodyTypes[operation.encoding ?? 'json']]: { schema: body } },
          },
        }),
    responses: {
      ...success(operation, convert('answer', 'output')),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

const bodyTypes = {
  json: 'application/json',
  multipart: 'multipart/form-data',
  form: 'application/x-www-form-urlencoded',
} as const;

const answerTypes = { json: 'application/json', csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

function success(operation: Operation, schema: Json | undefined): Json {
  if (operation.answerKind === 'none') return { 204: { description: 'Done.' } };
  const content = { [answerTypes[operation.answerKind]]: { schema: schema ?? { type: 'string' } } };
  return { 200: { description: 'The answer.', content } };
}

const isRequired = ({ body }: Operation): boolean => body?.type !== 'optional';

function parametersOf(schema: Json | undefined, where: 'path' | 'query'): Json[] {
  const properties = (schema?.['properties'] ?? {}) as Record<string, Json>;
  const required = (schema?.['required'] ?? []) as readonly string[];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

function toSchema(schema: v.GenericSchema<unknown, unknown>, typeMode: 'input' | 'output'): Json {
  const config: ConversionConfig = {
    typeMode,
    target: 'draft-2020-12',
    // Checks across fields have no JSON Schema form: the description is then wider than what is accepted.
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (valibotSchema.type === 'instance' || valibotSchema.type === 'blob')
        return { type: 'string', format: 'binary' };
      // Optional fields of an answer: a server that has no value may say so with null.
      return valibotSchema.type === 'optional' && 'fallback' in valibotSchema ? orNull(jsonSchema) : null;
    },
  };
  const { $schema: _, ...rest } = toJsonSchema(schema, config) as Json;
  return rest;
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  return typeof type === 'string' && values === undefined
    ? { ...schema, type: [type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

/** Recursive schemas refer to the document's components, not to a root that is not theirs. */
function hoisted(schema: Json, prefix: string, schemas: Json): Json {
  const { $defs, ...rest } = schema;
  if ($defs === undefined) return rest;
  const rename = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('#/$defs/', `#/components/schemas/${prefix}.`)) as unknown;
  for (const [name, definition] of Object.entries($defs as Json)) schemas[`${prefix}.${name}`] = rename(definition);
  return rename(rest) as Json;
}
