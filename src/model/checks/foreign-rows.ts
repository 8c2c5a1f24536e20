import type { Problem } from '../codes.ts';
import type { Effective } from '../effective.ts';
import { allJoins, fansOut, shortestJoinPath, joinsOf } from '../graph.ts';
import { referencesIn } from '../member-references.ts';
import type { ModelIndex } from '../index.ts';
import type { Reference } from '../references.ts';
import { resolve } from '../resolve.ts';
import type { EntitySymbol, MemberSymbol } from '../symbols.ts';
import { findPair } from '../syntax/tree.ts';

/** Checks members of other cubes in SQL: whether a query can join the cubes, and what that does to the rows. */
export function checkForeignRows(entity: EntitySymbol, index: ModelIndex): Problem[] {
  if (entity.kind !== 'cube' || entity.chunk.templated || entity.open) return [];
  return entity.references.flatMap((reference): Problem[] => {
    if (!isInSql(reference)) return [];
    const foreign = foreignMember(reference, entity, index);
    const path = foreign && IN_QUERY.has(reference.shape) ? checkPath(reference, entity, foreign.cube, index) : [];
    return [...path, ...checkFanOut(reference, entity, index)];
  });
}

function isInSql({ form, whole, call, key }: Reference): boolean {
  return form === 'sql' && whole && !call && key === 'sql';
}

/** Returns the member of another cube that a reference names as `cube.member`. */
function foreignMember(
  reference: Reference,
  from: EntitySymbol,
  index: ModelIndex,
): { readonly cube: EntitySymbol; readonly member: Effective } | undefined {
  if (reference.segments.length !== 2) return undefined;
  const { referents } = resolve(reference, from, index);
  const last = referents.at(-1);
  if (referents[0]?.is !== 'entity' || last?.is !== 'member') return undefined;
  const cube = referents[0].entity;
  return cube === from || cube.kind !== 'cube' ? undefined : { cube, member: last.member };
}

/** Shapes whose SQL becomes part of the query of their cube. */
const IN_QUERY = new Set(['dimension', 'measure', 'segment']);

function checkPath({ start, end }: Reference, from: EntitySymbol, to: EntitySymbol, index: ModelIndex): Problem[] {
  if (isJoined(from, to, index) || !isKnown(index)) return [];
  // A view may start at a third cube that joins to both.
  const leadTo = startsOf(index);
  const toFrom = leadTo(from);
  if ([...leadTo(to)].some((cube) => toFrom.has(cube))) return [];
  const message = `No join leads from \`${from.name}\` to \`${to.name}\`, or back: queries of this member fail.`;
  return [{ code: 'no-join-path', start, end, message }];
}

/** Returns the cubes from which joins lead to a cube, including the cube itself. */
function startsOf(index: ModelIndex): (cube: EntitySymbol) => ReadonlySet<EntitySymbol> {
  const edges = Map.groupBy(allJoins(index), ({ to }) => to);
  return (cube) => {
    const starts = new Set([cube]);
    for (const at of starts) for (const { from } of edges.get(at) ?? []) starts.add(from);
    return starts;
  };
}

/** Checks whether one of two cubes joins directly to the other: most do, which saves a search. */
function isJoined(from: EntitySymbol, to: EntitySymbol, index: ModelIndex): boolean {
  return joinsOf(from, index).some((edge) => edge.to === to) || joinsOf(to, index).some((edge) => edge.to === from);
}

/** Checks whether all joins of the model are written where they can be read. */
function isKnown(index: ModelIndex): boolean {
  return (
    !index.dynamic &&
    !index.entities().some(({ kind, open, extendsUnknown }) => kind === 'cube' && (open || extendsUnknown))
  );
}

/** Types of measures that cannot aggregate many rows of another cube per row of their own; distinct values can be counted. */
const SUMS = new Set(['sum', 'avg', 'min', 'max', 'number', 'count', 'count_distinct_approx', 'countDistinctApprox']);

/** Reports a measure that aggregates many rows of another cube per row of its own, which the engine refuses. */
function checkFanOut(reference: Reference, from: EntitySymbol, index: ModelIndex): Problem[] {
  const measure = reference.memberName && from.members.get(reference.memberName.value);
  if (measure?.kind !== 'measure' || !SUMS.has(measure.text('type') ?? '')) return [];
  if (measure.has('multi_stage', 'multiStage') || !isAggregated(reference, measure)) return [];
  const many = dimensionsBehind(reference, from, index).find(({ owner }) => {
    const path = owner === from ? undefined : shortestJoinPath(from, owner, index);
    return path !== undefined && fansOut(path);
  });
  if (!many) return [];
  const { start, end } = reference;
  const { owner, name } = many;
  const message = `\`${owner.name}\` has many rows for one of \`${from.name}\`: the engine refuses to aggregate \`${name}\` here. Define the measure in \`${owner.name}\`.`;
  return [{ code: 'fan-out', start, end, message }];
}

/** Checks whether a reference is in the SQL of a measure or in one of its filters; a count of rows may be filtered by other rows. */
function isAggregated({ shape, node: { start } }: Reference, measure: MemberSymbol): boolean {
  if (shape === 'measure') return true;
  const filters = findPair(measure.node, 'filters');
  const isFilter = filters?.value !== undefined && filters.value.start <= start && start < filters.value.end;
  return isFilter && !(measure.text('type') === 'count' && !measure.has('sql'));
}

/** Returns the dimensions that a reference leads to: the one that it names, or those of other cubes that this one is computed from. */
function dimensionsBehind(
  reference: Reference,
  from: EntitySymbol,
  index: ModelIndex,
  above: readonly MemberSymbol[] = [],
): readonly Effective[] {
  const foreign = foreignMember(reference, from, index);
  const last = foreign ? undefined : resolve(reference, from, index).referents.at(-1);
  const named = foreign?.member ?? (last?.is === 'member' ? last.member : undefined);
  if (named?.kind !== 'dimension' || named.member.isOpen || named.member.has('sub_query', 'subQuery')) return [];
  if (foreign) return [named];
  const { member } = named;
  if (member.owner !== from || above.includes(member)) return [];
  return referencesIn(member).flatMap((each) =>
    each.shape === 'dimension' && isInSql(each) ? dimensionsBehind(each, from, index, [...above, member]) : [],
  );
}
