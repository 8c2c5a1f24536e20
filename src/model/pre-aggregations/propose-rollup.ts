import { failedRules, type Matches } from './failed-rules.ts';
import { addsUp, type GroupedTime, type QueryForm, type RollupReferences } from './query-form.ts';
import type { FailedRule, ProposedRollup } from './rules.ts';

/** The cube that a query starts from, with the engine's information on its members. */
export interface QueriedCube {
  readonly cube: string;
  readonly isSegment: (member: string) => boolean;
  /** `regions.name` → `orders.customers.regions.name`. */
  readonly fullPath: (member: string) => string;
}

/** Returns rollups that serve a query by the engine's own rule, or the rules that no rollup can meet. */
export function proposeRollup(
  form: QueryForm,
  queried: QueriedCube,
  matches: Matches,
): { readonly proposed: readonly ProposedRollup[]; readonly obstacles: readonly FailedRule[] } {
  const rollups = (addsUp(form) ? looseGroups(form) : exactGroups(form)).flatMap((groups) => [
    rollupOf(groups, queried, lastTwo),
    rollupOf(groups, queried, queried.fullPath),
    rollupOf(groups, queried, queried.fullPath, true),
  ]);
  const proposed = distinct(rollups.filter((rollup) => matches(form, referencesOf(rollup, queried))));
  if (proposed.length > 0) return { proposed, obstacles: [] };
  const failures = rollups.map((rollup) => failedRules(form, referencesOf(rollup, queried), matches));
  return { proposed: [], obstacles: failures.toSorted((one, other) => one.length - other.length)[0] ?? [] };
}

function distinct(rollups: readonly ProposedRollup[]): readonly ProposedRollup[] {
  return [...new Map(rollups.map((rollup) => [JSON.stringify(rollup), rollup])).values()];
}

/** The contents of a rollup, under any names of the members. */
interface Groups {
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly times: readonly (readonly [dimension: string, granularity: string])[];
  readonly isStrict: boolean;
}

/** Returns the possible contents, those with the names of the cubes behind views first, since a rollup is written to a cube. */
function looseGroups(form: QueryForm): readonly Groups[] {
  const grouped = [
    [form.ownedDimensions, form.ownedTimeDimensionsWithRollupGranularity] as const,
    [form.sortedDimensions, form.sortedTimeDimensions] as const,
  ];
  return grouped.flatMap(([dimensions, wanted]) =>
    granularitiesOf(wanted, form).map((times) => ({
      measures: form.leafMeasures,
      dimensions,
      times,
      isStrict: false,
    })),
  );
}

/** Returns the candidates: as coarse as the query allows, then as the rolling windows of its measures allow. */
function granularitiesOf(
  times: readonly GroupedTime[],
  { windowGranularity, granularityHierarchies }: QueryForm,
): readonly Groups['times'][] {
  const own: Groups['times'] = times.map(([name, granularity]) => [name, granularity ?? windowGranularity ?? 'day']);
  const [first] = times;
  if (windowGranularity === null || !first) return [own];
  const finer = granularityHierarchies[`${lastTwo(first[0])}.${windowGranularity}`] ?? [];
  return [own, ...[windowGranularity, ...finer].map((each): Groups['times'] => times.map(([name]) => [name, each]))];
}

function exactGroups(form: QueryForm): readonly Groups[] {
  const real = realNames(form);
  const single = form.filterDimensionsSingleValueEqual;
  const times = (all: readonly GroupedTime[]): Groups['times'] =>
    all.map(([name, granularity]) => [real(name), granularity ?? 'day']);
  const dimensions = [...(single ? [[...single]] : []), form.sortedDimensions];
  const measures = [form.leafMeasures, form.measures.map(real)];
  // By default the engine would count whole periods for a date range that covers only some of one.
  const isStrict = JSON.stringify(form.timeDimensions) !== JSON.stringify(form.sortedTimeDimensions);
  return dimensions.flatMap((names) =>
    measures.map((counted) => ({
      measures: counted,
      dimensions: names.map(real),
      times: times(form.sortedTimeDimensions),
      isStrict,
    })),
  );
}

/** Returns a function that maps a view's member to the cube's member behind it. */
function realNames({ allBackAliasMembers }: QueryForm): (name: string) => string {
  const behind = new Map(Object.entries(allBackAliasMembers).map(([real, alias]) => [alias, real]));
  return (name) => behind.get(name) ?? name;
}

/** Returns the rollup. `named` decides how members of joined cubes are written; `isWhole` puts the rollup's cube in front. */
function rollupOf(
  { measures, dimensions, times, isStrict }: Groups,
  queried: QueriedCube,
  named: QueriedCube['fullPath'],
  isWhole = false,
): ProposedRollup {
  const own = (name: string): string => {
    const path = named(lastTwo(name));
    if (isWhole && path.split('.').length > 2) return path;
    return path.startsWith(`${queried.cube}.`) ? path.slice(queried.cube.length + 1) : path;
  };
  const isSegment = (name: string): boolean => queried.isSegment(lastTwo(name));
  const all = (names: readonly string[]): readonly string[] => [...new Set(names.map(own))];
  return {
    cube: queried.cube,
    measures: all(measures),
    dimensions: all(dimensions.filter((name) => !isSegment(name))),
    segments: all(dimensions.filter((name) => isSegment(name))),
    timeDimensions: times.map(([dimension, granularity]) => ({ dimension: own(dimension), granularity })),
    isStrict,
  };
}

/** Returns the references as the engine reads them from the written rollup: each list sorted by written name, with full paths. */
function referencesOf(
  { cube, measures, dimensions, segments, timeDimensions, isStrict }: ProposedRollup,
  queried: QueriedCube,
): RollupReferences {
  const written = (name: string): string => (name.includes('.') ? name : `${cube}.${name}`);
  const read = (names: readonly string[]): readonly string[] =>
    names
      .map(written)
      .toSorted()
      .map((name) => queried.fullPath(lastTwo(name)));
  return {
    measures: read(measures),
    dimensions: [...read(dimensions), ...read(segments)],
    timeDimensions: timeDimensions.map(({ dimension, granularity }) => ({
      dimension: queried.fullPath(lastTwo(written(dimension))),
      granularity,
    })),
    rollups: [],
    multipliedMeasures: [],
    allowNonStrictDateRangeMatch: timeDimensions.length > 0 && !isStrict,
  };
}

function lastTwo(path: string): string {
  return path.split('.').slice(-2).join('.');
}
