/** Messages between the server and the engine's realm. */
import type { PreAggregationReport } from '#model/pre-aggregations/rules.ts';

export interface EngineFile {
  /** Relative to the model's root, with `/` between folders. */
  readonly fileName: string;
  readonly content: string;
}

/** One error of the engine, with as much detail as is known. */
export interface EngineError {
  readonly message: string;
  readonly fileName?: string | undefined;
  /** The line in that file, from 1. */
  readonly line?: number | undefined;
  /** The cube or view that the engine was reading. */
  readonly entity?: string | undefined;
  /** Whether the file itself could not be read or run: its message may be any text. */
  readonly isThrown?: boolean | undefined;
}

/** A query as the engine takes it: dates are absolute, and every list is present. */
export interface EngineQuery {
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly segments: readonly string[];
  readonly timeDimensions: readonly {
    readonly dimension: string;
    readonly granularity?: string | undefined;
    /** Local times, both inclusive. */
    readonly dateRange?: readonly [string, string] | undefined;
  }[];
  readonly filters: readonly object[];
  readonly order?: readonly { readonly id: string; readonly desc: boolean }[] | undefined;
  readonly timezone: string;
  readonly rowLimit?: number | undefined;
  readonly ungrouped?: boolean | undefined;
}

export type EngineQuestion =
  | { readonly kind: 'check'; readonly files: readonly EngineFile[] }
  | {
      readonly kind: 'query';
      readonly files: readonly EngineFile[];
      readonly query: EngineQuery;
      /** A database that the engine has a dialect for, for example `postgres`. */
      readonly dialect: string;
    };

/** The result of a query. */
export type EngineQueryAnswer =
  /** The model does not compile. */
  | { readonly kind: 'refused'; readonly errors: readonly EngineError[] }
  /** The query does not fit the model. */
  | { readonly kind: 'wrong'; readonly message: string }
  | {
      readonly kind: 'compiled';
      /** The SQL that the database gets when no pre-aggregation serves the query. */
      readonly sql: string;
      readonly values: readonly string[];
      readonly preAggregations: PreAggregationReport;
    };
