import { extendedParent } from './effective.ts';
import type { ModelIndex } from './index.ts';
import type { EntitySymbol, JoinSymbol } from './symbols.ts';

/** A join as declared (or inherited), from one cube to another. */
export interface JoinEdge {
  readonly from: EntitySymbol;
  readonly to: EntitySymbol;
  readonly join: JoinSymbol;
  /** The cube that declares it: `from` or an ancestor. */
  readonly declaredBy: EntitySymbol;
}

export type Cardinality = 'many_to_one' | 'one_to_many' | 'one_to_one' | 'unknown';

const CARDINALITIES: Readonly<Record<string, Cardinality>> = {
  many_to_one: 'many_to_one',
  manyToOne: 'many_to_one',
  belongs_to: 'many_to_one',
  belongsTo: 'many_to_one',
  one_to_many: 'one_to_many',
  oneToMany: 'one_to_many',
  has_many: 'one_to_many',
  hasMany: 'one_to_many',
  one_to_one: 'one_to_one',
  oneToOne: 'one_to_one',
  has_one: 'one_to_one',
  hasOne: 'one_to_one',
};

/** Returns how many rows match on each side of a join, for any spelling of its relationship (docs/model-language.md#joins). */
export function cardinality({ relationship }: JoinSymbol): Cardinality {
  const known = relationship !== undefined && Object.hasOwn(CARDINALITIES, relationship);
  return (known ? CARDINALITIES[relationship] : undefined) ?? 'unknown';
}

/** Returns the joins of a cube, both its own and inherited ones. */
export function joinsOf(cube: EntitySymbol, index: ModelIndex): JoinEdge[] {
  const edges: JoinEdge[] = [];
  const seen = new Set<EntitySymbol>();
  for (let at: EntitySymbol | undefined = cube; at && !seen.has(at); at = extendedParent(at, index)) {
    seen.add(at);
    for (const join of at.joins) {
      const to = index.entity(join.name);
      if (to && !edges.some((edge) => edge.to === to)) edges.push({ from: cube, to, join, declaredBy: at });
    }
  }
  return edges;
}

/** Returns every join of the model, with inherited ones once per cube. */
export function allJoins(index: ModelIndex): JoinEdge[] {
  return index.entities().flatMap((entity) => (entity.kind === 'cube' ? joinsOf(entity, index) : []));
}

/** Returns the shortest join path from a cube to each reachable cube, breadth first; the cube itself has an empty path. */
export function reachable(from: EntitySymbol, index: ModelIndex): ReadonlyMap<EntitySymbol, readonly JoinEdge[]> {
  const paths = new Map<EntitySymbol, readonly JoinEdge[]>();
  for (const [cube, edge] of reached(from, index)) paths.set(cube, edge ? [...(paths.get(edge.from) ?? []), edge] : []);
  return paths;
}

/** Returns the shortest join path between two cubes; `undefined` if there is none. Stops at the target, which is usually near. */
export function shortestJoinPath(
  from: EntitySymbol,
  to: EntitySymbol,
  index: ModelIndex,
): readonly JoinEdge[] | undefined {
  const edges = new Map<EntitySymbol, JoinEdge | undefined>();
  for (const [cube, edge] of reached(from, index)) {
    edges.set(cube, edge);
    if (cube !== to) continue;
    const path: JoinEdge[] = [];
    for (let last = edge; last; last = edges.get(last.from)) path.push(last);
    return path.reverse();
  }
  return undefined;
}

/** Yields the cube itself and the reachable cubes, nearest first, each with the join that leads to it. */
function* reached(
  from: EntitySymbol,
  index: ModelIndex,
): Iterable<readonly [cube: EntitySymbol, edge: JoinEdge | undefined]> {
  const edges = new Map<EntitySymbol, JoinEdge | undefined>([[from, undefined]]);
  for (const [cube, edge] of edges) {
    yield [cube, edge];
    for (const next of joinsOf(cube, index)) if (!edges.has(next.to)) edges.set(next.to, next);
  }
}

/** Checks whether following a path multiplies rows of its first cube (a one-to-many step). */
export function fansOut(path: readonly JoinEdge[]): boolean {
  return path.some(({ join }) => cardinality(join) === 'one_to_many');
}
