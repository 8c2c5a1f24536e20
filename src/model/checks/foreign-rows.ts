import type { Problem } from '../codes.ts';
import type { Effective } from '../effective.ts';
import { allJoins, fansOut, shortestJoinPath, joinsOf } from '../graph.ts';
import type { ModelIndex } from '../index.ts';
import type { Reference } from '../references.ts';
import { resolve } from '../resolve.ts';
import type { EntitySymbol } from '../symbols.ts';

/** Checks members of other cubes in SQL: whether a query can join the cubes, and what that does to the rows. */
export function checkForeignRows(entity: EntitySymbol, index: ModelIndex): Problem[] {
  if (entity.kind !== 'cube' || entity.chunk.templated || entity.open) return [];
  return entity.references.flatMap((reference): Problem[] => {
    if (reference.form !== 'sql' || !reference.whole || reference.call || reference.segments.length !== 2) return [];
    if (!IN_QUERY.has(reference.shape) || reference.key !== 'sql') return [];
    const { referents } = resolve(reference, entity, index);
    const last = referents.at(-1);
    if (referents[0]?.is !== 'entity' || last?.is !== 'member') return [];
    const other = referents[0].entity;
    if (other === entity || other.kind !== 'cube') return [];
    return [...checkPath(reference, entity, other, index), ...checkFanOut(reference, entity, last.member, index)];
  });
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
const SUMS = new Set(['sum', 'avg', 'min', 'max', 'number']);

/** Reports a measure that aggregates many rows of another cube per row of its own, which the engine refuses. */
function checkFanOut(
  { start, end, memberName, shape }: Reference,
  from: EntitySymbol,
  { name, kind, member, owner }: Effective,
  index: ModelIndex,
): Problem[] {
  const measure = memberName && from.members.get(memberName.value);
  if (shape !== 'measure' || kind !== 'dimension' || !measure || !SUMS.has(measure.text('type') ?? '')) return [];
  if (measure.has('multi_stage', 'multiStage') || member.has('sub_query', 'subQuery')) return [];
  const path = shortestJoinPath(from, owner, index);
  if (!path || !fansOut(path)) return [];
  const message = `\`${owner.name}\` has many rows for one of \`${from.name}\`: the engine refuses to aggregate \`${name}\` here. Define the measure in \`${owner.name}\`.`;
  return [{ code: 'fan-out', start, end, message }];
}
