import { offeringSchema, type Schema } from '#model/cursor/offering-schema.ts';
import { agentShapes, type AgentType } from './agent-shapes.ts';

/** Returns the table of the files of `agents/` as a JSON Schema that offers and explains keys. */
export function agentSchema(): Schema {
  const shapes = Object.entries(agentShapes).filter(([name]) => name !== 'file' && !name.endsWith('File'));
  return offeringSchema<AgentType>(agentShapes.file, shapes, typeSchema);
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
