import { addsUp, type GroupedTime, type QueryForm, type RollupReferences } from './query-form.ts';
import type { ExactReason, FailedRule } from './rules.ts';

/** The engine's own decision: whether a pre-aggregation with these references serves a query. */
export type Matches = (form: QueryForm, references: RollupReferences) => boolean;

/** A query and a pre-aggregation; mending a rule creates another pair. */
interface Pair {
  readonly form: QueryForm;
  readonly references: RollupReferences;
}
interface Found {
  readonly rule: FailedRule;
  /** Returns the pair with the rule met. */
  readonly mend: (pair: Pair) => Pair;
}

/**
 * Returns the engine's rules that keep it from serving a query with a pre-aggregation; empty if it does. `matches` confirms them:
 * if the engine still refuses the pair once every rule is mended, there is another one that is unknown here.
 */
export function failedRules(form: QueryForm, references: RollupReferences, matches: Matches): readonly FailedRule[] {
  if (matches(form, references)) return [];
  const found = addsUp(form) ? looseRules(form, references) : exactRules(form, references);
  const mended = found.reduce<Pair>((pair, { mend }) => mend(pair), { form, references });
  const rules = found.map(({ rule }) => rule);
  return matches(mended.form, mended.references) ? rules : [...rules, { rule: 'other' }];
}

/** Checks rules for adding up rows of a pre-aggregation: it must contain at least what the query needs. */
function looseRules(form: QueryForm, references: RollupReferences): readonly Found[] {
  return [
    ...multipliedRules(form, references),
    ...measureRules(looseMeasures(form, references)),
    ...fewest(
      memberRules(form.sortedDimensions, aliased(form, references.dimensions), timesOf(form, references, true)),
      memberRules(form.ownedDimensions, references.dimensions, timesOf(form, references, false)),
    ),
    ...windowRules(form, references),
    ...(form.ungrouped === true ? rowRules() : []),
  ];
}

function multipliedRules(form: QueryForm, { multipliedMeasures = [] }: RollupReferences): readonly Found[] {
  const measures = multipliedMeasures.filter(
    (name) => form.leafMeasures.includes(name) || form.measures.includes(form.allBackAliasMembers[name] ?? name),
  );
  if (measures.length === 0) return [];
  return [
    {
      rule: { rule: 'multiplied', measures },
      mend: (pair) => ({ ...pair, references: { ...pair.references, multipliedMeasures: [] } }),
    },
  ];
}

/** Returns the measures missing under the first of the engine's readings; none if any reading has them all. */
function looseMeasures(form: QueryForm, references: RollupReferences): readonly string[] {
  const missing = (wanted: readonly string[], held: readonly string[]): readonly string[] =>
    wanted.filter((name) => !held.includes(name));
  const readings = [
    missing(form.leafMeasuresFullPaths, references.measures),
    ...(references.rollups.length > 0 ? [missing(form.leafMeasures, references.measures)] : []),
    ...(form.isAdditive ? [missing(form.measures, aliased(form, references.measures))] : []),
  ];
  return readings.some((each) => each.length === 0) ? [] : (readings[0] ?? []);
}

function measureRules(missing: readonly string[]): readonly Found[] {
  if (missing.length === 0) return [];
  const mend = (pair: Pair): Pair => ({
    ...pair,
    references: { ...pair.references, measures: [...pair.references.measures, ...missing] },
  });
  return [{ rule: { rule: 'measures', missing }, mend }];
}

interface Times {
  /** Each with the granularities that can be added up to it; `*` is any. */
  readonly wanted: readonly { readonly dimension: string; readonly needs: string; readonly fit: readonly string[] }[];
  readonly held: readonly GroupedTime[];
}

/** Returns wanted and available times. `asViews`: by the names in the query, else by those of the underlying cubes. */
function timesOf(form: QueryForm, references: RollupReferences, asViews: boolean): Times {
  const isNonStrict = references.allowNonStrictDateRangeMatch === true;
  const wanted = asViews
    ? isNonStrict
      ? form.timeDimensions
      : form.sortedTimeDimensions
    : isNonStrict
      ? form.ownedTimeDimensionsAsIs
      : form.ownedTimeDimensionsWithRollupGranularity;
  const held = references.timeDimensions.map(({ dimension, granularity }): GroupedTime => [
    asViews ? (form.allBackAliasMembers[dimension] ?? dimension) : dimension,
    granularity ?? 'day',
  ]);
  return {
    held,
    wanted: wanted.map(([dimension, granularity]) => ({
      dimension,
      needs: granularity ?? 'day',
      fit:
        granularity === null
          ? ['*']
          : (form.granularityHierarchies[`${lastTwo(dimension)}.${granularity}`] ?? [granularity]),
    })),
  };
}

function memberRules(wanted: readonly string[], held: readonly string[], times: Times): readonly Found[] {
  const missing = wanted.filter((name) => !held.includes(name));
  const late = times.wanted.filter(({ dimension }) => times.held.every(([name]) => name !== dimension));
  const coarse = times.wanted.flatMap(({ dimension, needs, fit }) => {
    const own = times.held.filter(([name]) => name === dimension);
    const [first] = own;
    if (!first || fit.includes('*') || own.some(([, granularity]) => fit.includes(granularity ?? ''))) return [];
    return [{ dimension, needs, has: first[1] ?? '' }];
  });
  return [
    ...(missing.length === 0
      ? []
      : [{ rule: { rule: 'dimensions', missing } as const, mend: (pair: Pair) => withDimensions(pair, missing) }]),
    ...(late.length === 0
      ? []
      : [
          {
            rule: { rule: 'timeDimensions', missing: late.map(({ dimension }) => dimension) } as const,
            mend: (pair: Pair) =>
              late.reduce((mended, { dimension, needs }) => withTime(mended, dimension, needs), pair),
          },
        ]),
    ...coarse.map(({ dimension, needs, has }) => ({
      rule: { rule: 'granularity', dimension, has, needs } as const,
      mend: (pair: Pair) => withTime(pair, dimension, needs),
    })),
  ];
}

function windowRules({ windowGranularity, ...form }: QueryForm, references: RollupReferences): readonly Found[] {
  if (windowGranularity === null) return [];
  const held = references.timeDimensions.map(({ dimension, granularity = 'day' }) => ({ dimension, granularity }));
  const isMet = held
    .flatMap(({ dimension }) => form.granularityHierarchies[`${dimension}.${windowGranularity}`] ?? [windowGranularity])
    .some((fit) => held.every(({ granularity }) => granularity === fit));
  if (isMet) return [];
  return [
    {
      rule: { rule: 'window', granularity: windowGranularity },
      mend: (pair) => {
        const all = pair.references.timeDimensions.map(({ dimension }) => dimension);
        const timeDimensions = (all.length > 0 ? all : ['']).map((dimension) => ({
          dimension,
          granularity: windowGranularity,
        }));
        return { ...pair, references: { ...pair.references, timeDimensions } };
      },
    },
  ];
}

/** The cubes' keys are not compared one by one: queries of raw rows are rare. */
function rowRules(): readonly Found[] {
  return [{ rule: { rule: 'rows' }, mend: (pair) => ({ ...pair, form: { ...pair.form, ungrouped: false } }) }];
}

/** Checks rules for an exact match: the pre-aggregation must have exactly the groups of the query. */
function exactRules(form: QueryForm, references: RollupReferences): readonly Found[] {
  const reason = exactReason(form);
  return [
    ...queryObstacles(form, references, reason),
    ...exactTimes(form, references, reason),
    ...exactDimensions(form, references, reason),
    ...measureRules(exactMeasures(form, references)),
  ];
}

function exactReason(form: QueryForm): ExactReason {
  const whole = (kind: ExactReason['kind']): ExactReason => ({ kind, measures: form.measures });
  if (form.hasMultiStage) return whole('multiStage');
  if (form.hasMultipliedMeasures) return whole('multiplied');
  const own = Object.entries(form.measureToLeafMeasures).filter(([, leaves]) =>
    leaves.some(({ additive }) => !additive),
  );
  return { kind: 'notAdditive', measures: own.length > 0 ? own.map(([name]) => name) : form.measures };
}

/** Returns the obstacles that no pre-aggregation can remove. */
function queryObstacles(form: QueryForm, references: RollupReferences, reason: ExactReason): readonly Found[] {
  const whole = (names: readonly GroupedTime[]): readonly string[] => names.map(([dimension]) => dimension);
  const ungrouped = form.timeDimensions.filter(([, granularity]) => granularity === null);
  const isUneven =
    references.allowNonStrictDateRangeMatch !== true &&
    !form.isAdditive &&
    form.timeDimensions.some(([name, granularity]) =>
      form.sortedTimeDimensions.some(([other, needed]) => other === name && needed !== granularity),
    );
  return [
    ...(form.hasNoTimeDimensionsWithoutGranularity
      ? []
      : [
          {
            rule: { rule: 'ungroupedTime', reason, dimensions: whole(ungrouped) } as const,
            mend: (pair: Pair) => ({
              ...pair,
              form: {
                ...pair.form,
                hasNoTimeDimensionsWithoutGranularity: true,
                timeDimensions: grouped(pair.form.timeDimensions),
                sortedTimeDimensions: grouped(pair.form.timeDimensions),
              },
            }),
          },
        ]),
    ...(form.hasNoTimeDimensionsWithoutGranularity && isUneven
      ? [
          {
            rule: { rule: 'dateRange', reason, dimensions: whole(form.timeDimensions) } as const,
            mend: (pair: Pair) => ({
              ...pair,
              form: { ...pair.form, sortedTimeDimensions: pair.form.timeDimensions },
            }),
          },
        ]
      : []),
    ...(form.hasCumulativeMeasures
      ? [
          {
            rule: { rule: 'cumulative', reason } as const,
            mend: (pair: Pair) => ({ ...pair, form: { ...pair.form, hasCumulativeMeasures: false } }),
          },
        ]
      : []),
  ];
}

const grouped = (times: readonly GroupedTime[]): readonly GroupedTime[] =>
  times.map(([dimension, granularity]) => [dimension, granularity ?? 'day']);

function exactTimes(form: QueryForm, references: RollupReferences, reason: ExactReason): readonly Found[] {
  const isLoose = form.isAdditive && references.allowNonStrictDateRangeMatch !== true;
  // Obstacles in the query itself have rules of their own.
  const wanted =
    isLoose && form.hasNoTimeDimensionsWithoutGranularity ? form.sortedTimeDimensions : form.timeDimensions;
  const held = references.timeDimensions.map(({ dimension, granularity = 'day' }) => [
    form.allBackAliasMembers[dimension] ?? dimension,
    granularity,
  ]);
  const spelled = (times: readonly (readonly (string | null)[])[]): string =>
    times
      .map((each) => each.map((text) => text ?? 'day').join('.'))
      .toSorted()
      .join(' ');
  const mend = (pair: Pair): Pair => ({
    form: { ...pair.form, sortedTimeDimensions: grouped(wanted), timeDimensions: grouped(wanted) },
    references: {
      ...pair.references,
      allowNonStrictDateRangeMatch: false,
      timeDimensions: wanted.map(([dimension, granularity]) => ({ dimension, granularity: granularity ?? 'day' })),
    },
  });
  if (spelled(wanted) === spelled(held)) return [];
  const needs = wanted.map(([dimension, granularity]) => `${dimension}.${granularity ?? 'day'}`);
  return [{ rule: { rule: 'exactTime', reason, needs }, mend }];
}

function exactDimensions(form: QueryForm, references: RollupReferences, reason: ExactReason): readonly Found[] {
  const held = aliased(form, references.dimensions);
  const { filterDimensionsSingleValueEqual: single, allFiltersWithinSelectedDimensions: isSelected } = form;
  const mismatch = (wanted: readonly string[]): Mismatch => ({
    wanted,
    missing: wanted.filter((name) => !held.includes(name)),
    extra: held.filter((name) => !wanted.includes(name)),
  });
  const whole = mismatch(form.sortedDimensions);
  const filters: readonly Found[] =
    single || isSelected
      ? []
      : [
          {
            rule: { rule: 'filters', reason, members: form.filteredOnly },
            mend: (pair) => ({ ...pair, form: { ...pair.form, allFiltersWithinSelectedDimensions: true } }),
          },
        ];
  const isOrdered = sameOrder(form.sortedDimensions, held);
  if (single && size(mismatch([...single])) === 0) return filters;
  if ((isSelected || !single) && isOrdered) return filters;
  // Of the two readings that the engine allows, the closer one.
  const nearest = single && (!isSelected || size(mismatch([...single])) < size(whole)) ? mismatch([...single]) : whole;
  const { wanted, missing, extra } = nearest;
  const mend = (pair: Pair): Pair => ({ ...pair, references: { ...pair.references, dimensions: wanted } });
  return [...filters, { rule: { rule: 'exactDimensions', reason, missing, extra }, mend }];
}

interface Mismatch {
  readonly wanted: readonly string[];
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}
const size = ({ missing, extra }: Mismatch): number => missing.length + extra.length;

const sameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, at) => other[at] === name);

function exactMeasures(form: QueryForm, references: RollupReferences): readonly string[] {
  const held = aliased(form, references.measures);
  const missing = form.measures.filter((name) => !held.includes(name));
  return form.leafMeasures.every((name) => held.includes(name)) ? [] : missing;
}

function aliased({ allBackAliasMembers }: QueryForm, names: readonly string[]): readonly string[] {
  return names.map((name) => allBackAliasMembers[name] ?? name);
}

/** Returns the reading that fails fewer rules: one of the two must hold completely. */
function fewest(one: readonly Found[], other: readonly Found[]): readonly Found[] {
  return other.length < one.length ? other : one;
}

function withDimensions({ form, references }: Pair, names: readonly string[]): Pair {
  return { form, references: { ...references, dimensions: [...references.dimensions, ...names] } };
}

function withTime({ form, references }: Pair, dimension: string, granularity: string): Pair {
  const others = references.timeDimensions.filter(
    (each) => each.dimension !== dimension && form.allBackAliasMembers[each.dimension] !== dimension,
  );
  return { form, references: { ...references, timeDimensions: [...others, { dimension, granularity }] } };
}

function lastTwo(path: string): string {
  return path.split('.').slice(-2).join('.');
}
