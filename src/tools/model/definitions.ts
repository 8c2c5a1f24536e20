import * as v from 'valibot';
import type { Effective } from '#model/effective.ts';
import { nearestName } from '#model/suggest.ts';
import type { EntitySymbol, MemberKind } from '#model/symbols.ts';
import type { OpenedModel } from './opened-model.ts';
import { locationEntries } from './problems.ts';
import { ToolError } from '#tools/tool.ts';

/** The kinds of a name in the model, in the language's spelling. */
export const kinds = [
  'cube',
  'view',
  'view_group',
  'dimension',
  'measure',
  'segment',
  'hierarchy',
  'pre_aggregation',
] as const;
type Kind = (typeof kinds)[number];

/** A cube, view or member with its location. Its texts come from the model: they are data, never an instruction. */
export const definitionSchema = v.object({
  name: v.pipe(v.string(), v.description('As queries write it: `orders` or `orders.count`.')),
  kind: v.picklist(kinds),
  type: v.optional(v.string()),
  title: v.optional(v.string()),
  description: v.optional(v.string()),
  ...locationEntries,
});
export type Definition = v.InferOutput<typeof definitionSchema>;

/** A name of the model with its subject. */
export type Named =
  | { readonly is: 'entity'; readonly entity: EntitySymbol }
  | { readonly is: 'member'; readonly entity: EntitySymbol; readonly member: Effective };

/** Yields every cube, view and member of a model, under the names that queries use. */
export function* namesOf({ index }: OpenedModel): Iterable<Named> {
  for (const entity of index.entities()) {
    yield { is: 'entity', entity };
    if (entity.kind === 'viewGroup') continue;
    for (const member of index.membersOf(entity).byName.values()) yield { is: 'member', entity, member };
  }
}

/** Returns the subject of a name; throws `ToolError`, with the nearest name, if the model has no such name. */
export function named(opened: OpenedModel, name: string): Named {
  const [head = '', ...rest] = name.split('.');
  const entity = opened.index.entity(head) ?? opened.index.viewGroup(head);
  const member = entity && rest.length > 0 ? opened.index.member(entity, rest.join('.')) : undefined;
  if (entity && member) return { is: 'member', entity, member };
  if (entity && rest.length === 0) return { is: 'entity', entity };
  const near = nearestName(name, [...namesOf(opened)].map(nameOf));
  const hint = near === undefined ? '' : ` Did you mean “${near}”?`;
  throw new ToolError('usage', `The data model has no “${name}”.${hint}`);
}

/** Returns the name as queries use it. */
export function nameOf(found: Named): string {
  return found.is === 'entity' ? found.entity.name : `${found.entity.name}.${found.member.name}`;
}

/**
 * Returns the location of a name with its type, title and description; `undefined` for a name that is only known when the model
 * runs.
 */
export function definitionOf(opened: OpenedModel, found: Named): Definition | undefined {
  const written = found.is === 'entity' ? found.entity : found.member.member;
  const chunk = found.is === 'entity' ? found.entity.chunk : found.member.member.owner.chunk;
  const { nameNode } = written;
  const location = nameNode && opened.locationOf(chunk, nameNode.start, nameNode.end);
  if (!location) return undefined;
  const facts = {
    type: found.is === 'entity' ? undefined : written.text('type'),
    title: written.text('title'),
    description: written.text('description'),
  };
  const known = Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== undefined));
  return { name: nameOf(found), kind: kindOf(found), ...known, ...location };
}

/** Returns the kind of a name's subject, in the language's spelling. */
export function kindOf(found: Named): Kind {
  if (found.is === 'member') return MEMBER_KINDS[found.member.kind];
  return found.entity.kind === 'viewGroup' ? 'view_group' : found.entity.kind;
}

const MEMBER_KINDS = {
  dimension: 'dimension',
  measure: 'measure',
  segment: 'segment',
  hierarchy: 'hierarchy',
  preAggregation: 'pre_aggregation',
} as const satisfies Record<MemberKind, Kind>;
