/** Why a query can only be served by a pre-aggregation that is grouped exactly as it is. */
export interface ExactReason {
  readonly kind: 'notAdditive' | 'multiplied' | 'multiStage';
  /** The measures that cannot be added up. */
  readonly measures: readonly string[];
}

/** A rule of the engine that kept it from using a pre-aggregation. */
export type FailedRule =
  /** It does not hold what the query asks for. */
  | { readonly rule: 'measures' | 'dimensions' | 'timeDimensions'; readonly missing: readonly string[] }
  /** It is grouped by `has`, of which `needs` cannot be made. */
  | { readonly rule: 'granularity'; readonly dimension: string; readonly has: string; readonly needs: string }
  /** A rolling window needs its time by exactly this granularity. */
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
  /** It must be grouped by time as the query is. */
  | { readonly rule: 'exactTime'; readonly reason: ExactReason; readonly needs: readonly string[] }
  /** The query is filtered by what it does not group by. */
  | { readonly rule: 'filters'; readonly reason: ExactReason; readonly members: readonly string[] }
  /** The query has a date range and is not grouped by time. */
  | { readonly rule: 'ungroupedTime'; readonly reason: ExactReason; readonly dimensions: readonly string[] }
  /** The date range begins or ends inside of what the query groups by. */
  | { readonly rule: 'dateRange'; readonly reason: ExactReason; readonly dimensions: readonly string[] }
  /** A rolling window of a measure that cannot be added up. */
  | { readonly rule: 'cumulative'; readonly reason: ExactReason }
  /** Rows as they are need the primary keys of all cubes of the query. */
  | { readonly rule: 'rows' }
  /** It would match, and another one stands before it. */
  | { readonly rule: 'shadowed'; readonly by: string }
  /** It is used, and counts whole periods where the date range has only a part of one. */
  | { readonly rule: 'wholePeriods' }
  /** `original_sql` is what others are built of. */
  | { readonly rule: 'originalSql' }
  /** The engine refuses it for none of these rules. */
  | { readonly rule: 'other' };

/** A pre-aggregation of a cube that the query uses. */
export interface Candidate {
  /** `cube.name`. */
  readonly id: string;
  /** `rollup`, `rollupJoin`, `rollupLambda` or `originalSql`. */
  readonly type: string;
  readonly isUsed: boolean;
  /** Of the one that is used, `wholePeriods` at most. */
  readonly failed: readonly FailedRule[];
}

/** A rollup that serves a query by the engine's own rule. */
export interface ProposedRollup {
  /** The cube that it is written to. */
  readonly cube: string;
  /** With the joins that lead to them, without the cube itself. */
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly segments: readonly string[];
  readonly timeDimensions: readonly { readonly dimension: string; readonly granularity: string }[];
  /** It must not serve date ranges that have only a part of a period. */
  readonly isStrict: boolean;
}

/** Which pre-aggregation serves a query, and why the others do not. */
export interface PreAggregationReport {
  readonly candidates: readonly Candidate[];
  /** Where none serves it: rollups that would, the best first. Of members that several joins lead to, one may be read differently. */
  readonly proposed: readonly ProposedRollup[];
  /** Why none can serve it, however it is written; without these and `proposed` one is used already. */
  readonly obstacles: readonly FailedRule[];
}
