import { type QueryShape, queryShapes, type QueryType } from './shapes.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The table of query files as a JSON Schema (draft-07) that refuses nothing: it offers and explains keys in editors in
 * which another YAML server is active, and problems are reported once, by our own server.
 */
export function querySchema(): Schema {
  const shapes = Object.entries(queryShapes).filter(([name]) => name !== 'file');
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: queryShapes.file.title,
    ...schemaOf(queryShapes.file),
    definitions: Object.fromEntries(shapes.map(([name, shape]) => [name, schemaOf(shape)])),
  };
}

function schemaOf({ keys }: QueryShape): Schema {
  return {
    properties: Object.fromEntries(
      Object.entries(keys).map(([name, { type, doc }]) => [name, { description: doc, ...typeSchema(type) }]),
    ),
  };
}

function typeSchema(type: QueryType): Schema {
  switch (type.is) {
    case 'choice':
      return { anyOf: [{ enum: type.choices }, {}] };
    case 'boolean':
      return { anyOf: [{ enum: [true, false] }, {}] };
    case 'list':
      return { items: typeSchema(type.of) };
    case 'map':
      return { $ref: `#/definitions/${type.shape}` };
    case 'byMember':
      return { additionalProperties: typeSchema(type.of) };
    case 'either':
      return { anyOf: type.of.map((each) => typeSchema(each)) };
    default:
      return {};
  }
}
