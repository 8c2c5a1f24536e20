/** A time dimension and its grouping; `null` accepts any granularity. */
export type GroupedTime = readonly [dimension: string, granularity: string | null];

/**
 * A query as the engine compares it with pre-aggregations (`transformQueryToCanUseForm` of `@cubejs-backend/schema-compiler`).
 * Members are `cube.member`, or with the joins that lead to them, `orders.customers.city`.
 */
export interface QueryForm {
  readonly measures: readonly string[];
  readonly leafMeasures: readonly string[];
  readonly leafMeasuresFullPaths: readonly string[];
  /** Everything that the query groups or filters by. */
  readonly sortedDimensions: readonly string[];
  /** The same dimensions, named as in the cubes behind a view. */
  readonly ownedDimensions: readonly string[];
  /** With the granularity that satisfies both the grouping and the date range. */
  readonly sortedTimeDimensions: readonly GroupedTime[];
  readonly ownedTimeDimensionsWithRollupGranularity: readonly GroupedTime[];
  /** With the requested granularity. */
  readonly timeDimensions: readonly GroupedTime[];
  readonly ownedTimeDimensionsAsIs: readonly GroupedTime[];
  readonly isAdditive: boolean;
  readonly leafMeasureAdditive: boolean;
  readonly hasMultipliedMeasures: boolean;
  readonly hasMultiStage: boolean;
  readonly hasCumulativeMeasures: boolean;
  readonly hasNoTimeDimensionsWithoutGranularity: boolean;
  readonly allFiltersWithinSelectedDimensions: boolean;
  /** Dimensions in filters but not in the grouping. Not part of the engine's form: collected separately. */
  readonly filteredOnly: readonly string[];
  /** Granularity of rolling windows. */
  readonly windowGranularity: string | null;
  /** Dimensions that are filtered to one value each, if all filters are of this kind. */
  readonly filterDimensionsSingleValueEqual: ReadonlySet<string> | null;
  /** `cube.dimension.month` → the granularities that add up to months, including itself. */
  readonly granularityHierarchies: Readonly<Record<string, readonly string[]>>;
  /** Members of cubes → the members of views that represent them. */
  readonly allBackAliasMembers: Readonly<Record<string, string>>;
  readonly measureToLeafMeasures: Readonly<Record<string, readonly { readonly additive: boolean }[]>>;
  readonly ungrouped?: boolean | undefined;
}

/** The contents of a pre-aggregation, as the engine compares them with queries. */
export interface RollupReferences {
  readonly measures: readonly string[];
  /** Includes its segments. */
  readonly dimensions: readonly string[];
  readonly timeDimensions: readonly { readonly dimension: string; readonly granularity?: string | undefined }[];
  readonly rollups: readonly string[];
  /** Measures that its joins would count more than once. */
  readonly multipliedMeasures?: readonly string[] | undefined;
  readonly allowNonStrictDateRangeMatch?: boolean | undefined;
}

/**
 * Checks whether the engine may serve a query by adding up rows of a pre-aggregation. Otherwise it needs one that is grouped
 * exactly like the query.
 */
export function addsUp(form: QueryForm): boolean {
  return (form.leafMeasureAdditive && !form.hasMultipliedMeasures && !form.hasMultiStage) || form.ungrouped === true;
}
