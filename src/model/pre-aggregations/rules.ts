/** The reason why a query needs a pre-aggregation with exactly its own groups. */
export interface ExactReason {
  readonly kind: 'notAdditive' | 'multiplied' | 'multiStage';
  /** The measures that cannot be added up. */
  readonly measures: readonly string[];
}

/** A rule of the engine that kept it from using a pre-aggregation. */
export type FailedRule =
  /** It does not contain what the query needs. */
  | { readonly rule: 'measures' | 'dimensions' | 'timeDimensions'; readonly missing: readonly string[] }
  /** It is grouped by `has`, which cannot be added up to `needs`. */
  | { readonly rule: 'granularity'; readonly dimension: string; readonly has: string; readonly needs: string }
  /** A rolling window needs its time in exactly this granularity. */
  | { readonly rule: 'window'; readonly granularity: string }
  /** Its joins repeat rows of these measures. */
  | { readonly rule: 'multiplied'; readonly measures: readonly string[] }
  /** It must have the dimensions of the query and no others. */
  | {
      readonly rule: 'exactDimensions';
      readonly reason: ExactReason;
      readonly missing: readonly string[];
      readonly extra: readonly string[];
    }
  /** It must be grouped by time exactly like the query. */
  | { readonly rule: 'exactTime'; readonly reason: ExactReason; readonly needs: readonly string[] }
  /** The query filters by members that it does not group by. */
  | { readonly rule: 'filters'; readonly reason: ExactReason; readonly members: readonly string[] }
  /** The query has a date range and is not grouped by time. */
  | { readonly rule: 'ungroupedTime'; readonly reason: ExactReason; readonly dimensions: readonly string[] }
  /** The date range begins or ends inside a period that the query groups by. */
  | { readonly rule: 'dateRange'; readonly reason: ExactReason; readonly dimensions: readonly string[] }
  /** A rolling window of a measure that cannot be added up. */
  | { readonly rule: 'cumulative'; readonly reason: ExactReason }
  /** A query of raw rows needs the primary keys of all its cubes. */
  | { readonly rule: 'rows' }
  /** It would match, but another one precedes it. */
  | { readonly rule: 'shadowed'; readonly by: string }
  /** It is used, but counts whole periods although the date range covers only some of one. */
  | { readonly rule: 'wholePeriods' }
  /** `original_sql` only serves as the base of others. */
  | { readonly rule: 'originalSql' }
  /** The engine refuses it for a reason other than these rules. */
  | { readonly rule: 'other' };

/** A pre-aggregation of a cube that the query uses. */
export interface Candidate {
  /** `cube.name`. */
  readonly id: string;
  /** `rollup`, `rollupJoin`, `rollupLambda` or `originalSql`. */
  readonly type: string;
  readonly isUsed: boolean;
  /** For the one that is used, at most `wholePeriods`. */
  readonly failed: readonly FailedRule[];
}

/** A rollup that serves a query by the engine's own rule. */
export interface ProposedRollup {
  /** The cube that defines it. */
  readonly cube: string;
  /** With the joins that lead to them, without the cube itself. */
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly segments: readonly string[];
  readonly timeDimensions: readonly { readonly dimension: string; readonly granularity: string }[];
  /** It must not serve date ranges that cover only some of a period. */
  readonly isStrict: boolean;
}

/** The pre-aggregation that serves a query, and the reasons why others do not. */
export interface PreAggregationReport {
  readonly candidates: readonly Candidate[];
  /**
   * If none serves it: rollups that would, best first. Members that several joins lead to may be read differently in one of them.
   */
  readonly proposed: readonly ProposedRollup[];
  /** Why no rollup can serve it; if both this and `proposed` are empty, a pre-aggregation is used already. */
  readonly obstacles: readonly FailedRule[];
}
