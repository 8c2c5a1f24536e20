import { offeringSchema, type Schema } from '#model/cursor/offering-schema.ts';
import { queryShapes, type QueryType } from './shapes.ts';

/** Returns the table of query files as a JSON Schema that offers and explains keys. */
export function querySchema(): Schema {
  const shapes = Object.entries(queryShapes).filter(([name]) => name !== 'file');
  return offeringSchema<QueryType>(queryShapes.file, shapes, typeSchema);
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
