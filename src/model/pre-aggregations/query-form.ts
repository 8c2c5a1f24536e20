/** A time dimension and what it is grouped by; `null` where any granularity will do. */
export type GroupedTime = readonly [dimension: string, granularity: string | null];

/**
 * A query as the engine compares it with pre-aggregations (`transformQueryToCanUseForm` of `@cubejs-backend/schema-compiler`).
 * Members are `cube.member`, or with the joins that lead to them, `orders.customers.city`.
 */
export interface QueryForm {
  readonly measures: readonly string[];
  readonly leafMeasures: readonly string[];
  readonly leafMeasuresFullPaths: readonly string[];
  /** Everything that is grouped or filtered by. */
  readonly sortedDimensions: readonly string[];
  /** The same as the cubes behind a view have it. */
  readonly ownedDimensions: readonly string[];
  /** With the granularity that the grouping and the date range need together. */
  readonly sortedTimeDimensions: readonly GroupedTime[];
  readonly ownedTimeDimensionsWithRollupGranularity: readonly GroupedTime[];
  /** With the granularity that is asked for. */
  readonly timeDimensions: readonly GroupedTime[];
  readonly ownedTimeDimensionsAsIs: readonly GroupedTime[];
  readonly isAdditive: boolean;
  readonly leafMeasureAdditive: boolean;
  readonly hasMultipliedMeasures: boolean;
  readonly hasMultiStage: boolean;
  readonly hasCumulativeMeasures: boolean;
  readonly hasNoTimeDimensionsWithoutGranularity: boolean;
  readonly allFiltersWithinSelectedDimensions: boolean;
  /** What is filtered by and not grouped by. Not the engine's: collected beside its form. */
  readonly filteredOnly: readonly string[];
  /** Of rolling windows. */
  readonly windowGranularity: string | null;
  /** Dimensions that are filtered to one value each, where all filters are of this kind. */
  readonly filterDimensionsSingleValueEqual: ReadonlySet<string> | null;
  /** `cube.dimension.month` → the granularities that months can be made of, itself included. */
  readonly granularityHierarchies: Readonly<Record<string, readonly string[]>>;
  /** Members of cubes → the members of views that stand for them. */
  readonly allBackAliasMembers: Readonly<Record<string, string>>;
  readonly measureToLeafMeasures: Readonly<Record<string, readonly { readonly additive: boolean }[]>>;
  readonly ungrouped?: boolean | undefined;
}

/** What a pre-aggregation holds, as the engine compares it with queries. */
export interface RollupReferences {
  readonly measures: readonly string[];
  /** Its segments are among them. */
  readonly dimensions: readonly string[];
  readonly timeDimensions: readonly { readonly dimension: string; readonly granularity?: string | undefined }[];
  readonly rollups: readonly string[];
  /** Measures that its joins would count more than once. */
  readonly multipliedMeasures?: readonly string[] | undefined;
  readonly allowNonStrictDateRangeMatch?: boolean | undefined;
}

/**
 * Whether the engine may serve a query by adding up rows of a pre-aggregation. Otherwise only one that is grouped exactly as
 * the query serves it.
 */
export function addsUp(form: QueryForm): boolean {
  return (form.leafMeasureAdditive && !form.hasMultipliedMeasures && !form.hasMultiStage) || form.ungrouped === true;
}
