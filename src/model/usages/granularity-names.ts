import { type OwnGranularity, ownGranularities } from '#model/granularities.ts';
import type { ModelIndex } from '#model/index.ts';
import { nameRange } from '#model/name-range.ts';
import { resolve } from '#model/resolve.ts';
import type { EntitySymbol, MemberSymbol } from '#model/symbols.ts';
import { findPair, type ScalarNode } from '#model/syntax/tree.ts';
import { type Site, typedPositionAt, walkEntity } from '#model/typed.ts';
import { usagesOf } from './usages.ts';

/** The position of a granularity's name, in offsets of the entity's chunk. */
export interface GranularityUse {
  readonly entity: EntitySymbol;
  readonly start: number;
  readonly end: number;
}

/** The granularity whose name is at an offset, with the range of that name. */
export interface GranularityAt extends GranularityUse {
  readonly granularity: OwnGranularity;
}

/**
 * Returns the defined granularity whose name is at an offset of an entity's chunk: in its definition, after a time dimension in a
 * reference, or as the value of `granularity` beside one.
 */
export function granularityAt(entity: EntitySymbol, offset: number, index: ModelIndex): GranularityAt | undefined {
  return definedAt(entity, offset) ?? referredAt(entity, offset, index) ?? besideAt(entity, offset, index);
}

/** Returns every use of a granularity, without its definition. */
export function granularityUses({ member, nameNode }: OwnGranularity, index: ModelIndex): readonly GranularityUse[] {
  const name = nameNode.value;
  const users = new Set(usagesOf({ is: 'member', member }, index).map(({ entity }) => entity));
  return [...users].flatMap((entity) => [
    ...entity.references.flatMap((reference): GranularityUse[] => {
      const at = resolve(reference, entity, index).referents.findIndex(
        (referent) => referent.is === 'granularity' && referent.of.member === member && referent.name === name,
      );
      const segment = reference.segments[at];
      return segment ? [{ entity, start: segment.start, end: segment.end }] : [];
    }),
    ...besideValues(entity).flatMap(({ value, dimension }): GranularityUse[] =>
      value.value === name && dimensionAt(entity, dimension, index) === member
        ? [{ entity, ...nameRange(value, entity.chunk.text) }]
        : [],
    ),
  ]);
}

function definedAt(entity: EntitySymbol, offset: number): GranularityAt | undefined {
  for (const member of entity.members.values())
    for (const granularity of holds(member.node, offset) ? ownGranularities(member) : [])
      if (holds(granularity.nameNode, offset))
        return { granularity, entity, ...nameRange(granularity.nameNode, entity.chunk.text) };
  return undefined;
}

function referredAt(entity: EntitySymbol, offset: number, index: ModelIndex): GranularityAt | undefined {
  const reference = entity.references.find((each) => holds(each, offset));
  const at = reference?.segments.findIndex((segment) => holds(segment, offset)) ?? -1;
  const segment = reference?.segments[at];
  if (!reference || !segment) return undefined;
  const referent = resolve(reference, entity, index).referents[at];
  if (referent?.is !== 'granularity') return undefined;
  const granularity = named(referent.of.member, referent.name);
  return granularity && { granularity, entity, start: segment.start, end: segment.end };
}

function besideAt(entity: EntitySymbol, offset: number, index: ModelIndex): GranularityAt | undefined {
  const { site } = typedPositionAt(entity.entity, offset);
  const beside = besideValue(site);
  const member = beside && dimensionAt(entity, beside.dimension, index);
  const granularity = member && named(member, beside.value.value);
  return granularity && { granularity, entity, ...nameRange(beside.value, entity.chunk.text) };
}

function named(member: MemberSymbol, name: string): OwnGranularity | undefined {
  return ownGranularities(member).find(({ nameNode }) => nameNode.value === name);
}

interface BesideValue {
  readonly value: ScalarNode;
  readonly dimension: ScalarNode;
}

/** Returns the values of `granularity` of an entity, each with the time dimension beside it. */
function besideValues(entity: EntitySymbol): readonly BesideValue[] {
  const found: BesideValue[] = [];
  walkEntity(entity.entity, (site) => {
    const beside = besideValue(site);
    if (beside) found.push(beside);
  });
  return found;
}

function besideValue({ key, node, parent }: Site): BesideValue | undefined {
  if (key !== 'granularity' || node.kind !== 'scalar' || parent?.node.kind !== 'map') return undefined;
  const dimension = findPair(parent.node, 'time_dimension', 'timeDimension', 'dimension')?.value;
  return dimension?.kind === 'scalar' ? { value: node, dimension } : undefined;
}

/** Returns the dimension to which the reference in a scalar leads. */
function dimensionAt(entity: EntitySymbol, scalar: ScalarNode, index: ModelIndex): MemberSymbol | undefined {
  const reference = entity.references.find(({ start, end }) => scalar.start <= start && end <= scalar.end);
  const referent = reference && resolve(reference, entity, index).referents.at(-1);
  return referent?.is === 'member' ? referent.member.member : undefined;
}

function holds({ start, end }: { readonly start: number; readonly end: number }, offset: number): boolean {
  return start <= offset && offset <= end;
}
