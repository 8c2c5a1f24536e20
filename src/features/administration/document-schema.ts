import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { UserAttribute } from '#api/resources/user-attributes.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import { attributeName } from './read-rows.ts';

const config: ConversionConfig = {
  typeMode: 'input',
  target: 'draft-07',
  // Rules across fields cannot be expressed in JSON Schema; they are checked when the document is saved.
  errorMode: 'ignore',
};

const ownSchema = { $schema: { type: 'string', description: 'Location of this document’s schema. It is never sent.' } };

/** Returns the schema of a document that is sent as the body of an operation. */
export function bodySchema(title: string, body: v.GenericSchema): JsonSchema {
  const { $schema: _, ...rest } = toJsonSchema(body, config) as Record<string, unknown>;
  const properties = { ...ownSchema, ...(rest['properties'] as object | undefined) };
  return { $schema: draft, title, ...rest, properties };
}

/**
 * Returns the schema of the body from the server’s description. `properties` repeats the fields of a body that is a reference.
 */
export function servedSchema(title: string, body: JsonSchema, properties: JsonSchema): JsonSchema {
  return { ...body, $schema: draft, title, properties: { ...ownSchema, ...properties } };
}

const draft = 'http://json-schema.org/draft-07/schema#';

/**
 * Returns the schema of a document with one value for each user attribute (docs/platform-api.md#users-and-attributes: five
 * types).
 */
export function valuesSchema(title: string, attributes: readonly UserAttribute[]): JsonSchema {
  const values = attributes.map((attribute) => [attributeName(attribute), valueSchema(attribute)] as const);
  return {
    $schema: draft,
    title,
    type: 'object',
    properties: { ...ownSchema, ...Object.fromEntries(values) },
    additionalProperties: false,
  };
}

function valueSchema(attribute: UserAttribute): JsonSchema {
  const { type, displayName, description } = attribute;
  const name = attributeName(attribute);
  const about = [displayName, description, 'Leave it out or set it to null to clear the value.'].filter(
    (sentence) => sentence !== undefined && sentence !== '',
  );
  // The tenant chose the names of attributes, so a form shows them unchanged.
  const title = displayName === undefined || displayName === '' ? name : displayName;
  const one = (type: string): JsonSchema => ({ title, type: [type, 'null'], description: about.join(' · ') });
  const many = (item: string): JsonSchema => ({ ...one('array'), items: { type: item } });
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return one(type);
    case 'string_array':
      return many('string');
    case 'number_array':
      return many('number');
    default:
      // A type of a newer platform: the server checks the value.
      return { title, description: about.join(' · ') };
  }
}
