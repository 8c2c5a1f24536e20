import { agentShapes, type AgentShape, type AgentType } from './agent-shapes.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The table of the files of `agents/` as a JSON Schema (draft-07) that refuses nothing: it offers and explains keys in editors in
 * which another YAML server is active, and problems are reported once, by our own server.
 */
export function agentSchema(): Schema {
  const shapes = Object.entries(agentShapes).filter(([name]) => name !== 'file' && !name.endsWith('File'));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: agentShapes.file.title,
    ...schemaOf(agentShapes.file),
    definitions: Object.fromEntries(shapes.map(([name, shape]) => [name, schemaOf(shape)])),
  };
}

function schemaOf({ keys }: AgentShape): Schema {
  return {
    properties: Object.fromEntries(
      Object.entries(keys).map(([name, { type, doc }]) => [name, { description: doc, ...typeSchema(type) }]),
    ),
  };
}

function typeSchema(type: AgentType): Schema {
  switch (type.is) {
    case 'choice':
      return { anyOf: [{ enum: type.choices }, {}] };
    case 'list':
      return { items: typeSchema(type.of) };
    case 'map':
      return { $ref: `#/definitions/${type.shape}` };
    case 'either':
      return { anyOf: [typeSchema(type.text), { $ref: `#/definitions/${type.shape}` }] };
    default:
      return {};
  }
}
