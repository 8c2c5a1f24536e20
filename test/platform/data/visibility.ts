import type { CubeMeta, QueryFilter, SemanticQuery } from '../engine/index.ts';

/** What `/meta` shows: public cubes with their public members. */
export function visible(cubes: readonly CubeMeta[]): readonly CubeMeta[] {
  const shown = <T extends { readonly isVisible: boolean }>(members: readonly T[]): readonly T[] =>
    members.filter((member) => member.isVisible);
  return shown(cubes).map((cube) => ({
    ...cube,
    measures: shown(cube.measures),
    dimensions: shown(cube.dimensions),
    segments: shown(cube.segments),
  }));
}

/** The first member of the queries that the model defines but keeps to itself. */
export function hiddenMember(cubes: readonly CubeMeta[], queries: readonly SemanticQuery[]): string | undefined {
  const hidden = new Set(
    cubes
      .flatMap((cube) => [...cube.measures, ...cube.dimensions, ...cube.segments])
      .filter((member) => !member.isVisible)
      .map((member) => member.name),
  );
  return queries.flatMap(membersOf).find((member) => hidden.has(member));
}

function membersOf(query: SemanticQuery): readonly string[] {
  return [
    ...query.measures,
    ...query.dimensions,
    ...query.segments,
    ...query.timeDimensions.map((time) => time.dimension),
    ...query.filters.flatMap(filterMembers),
  ];
}

function filterMembers(filter: QueryFilter): readonly string[] {
  if ('and' in filter) return filter.and.flatMap(filterMembers);
  return 'or' in filter ? filter.or.flatMap(filterMembers) : [filter.member];
}
