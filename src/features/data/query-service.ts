import type { DataClient, DataQuery, WaitProgress } from '#api/data/data.ts';
import type { MetaCube } from '#api/data/data-operations.ts';
import type { PlatformError } from '#api/errors.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** An environment by its id, or by its branch; without either, that of the active branch, otherwise production. */
export type EnvironmentChoice = DeploymentTarget & {
  readonly branchName?: string | undefined;
  readonly environmentId?: string | undefined;
};

/** The target of queries (docs/data-api.md#query-targets). */
export type QueryTarget =
  | ({ readonly kind: 'environment' } & EnvironmentChoice)
  /** A Cube Core server; `restUrl` is the base address of its data API. */
  | { readonly kind: 'cubeCore'; readonly restUrl: string };

/** A target that can be chosen, with the name that its rows are shown under. */
export interface NamedTarget {
  readonly target: QueryTarget;
  readonly name: string;
}

/** The server's description of one member of an answer. */
export interface MemberAnnotation {
  readonly title?: string | undefined;
  readonly shortTitle?: string | undefined;
  readonly type?: string | undefined;
  readonly format?: unknown;
  readonly granularity?: string | undefined;
}

/** Members of an answer by their name (`orders.count`; time dimensions also as `orders.created_at.day`). */
export interface QueryAnnotation {
  readonly measures: Readonly<Record<string, MemberAnnotation>>;
  readonly dimensions: Readonly<Record<string, MemberAnnotation>>;
  readonly timeDimensions: Readonly<Record<string, MemberAnnotation>>;
}

/** The facts of a run besides its rows. */
export interface QueryFacts {
  /** The name of the target. */
  readonly source: string;
  readonly milliseconds: number;
  /** Names of the pre-aggregations that served the query; empty if none did or the server does not report them. */
  readonly preAggregations: readonly string[];
  /** When the data was read from the database, as the server formats it. */
  readonly lastRefreshTime?: string | undefined;
  /** The number of rows without the limit, if the query requested it. */
  readonly total?: number | undefined;
}

/** The outcome of a query. */
export type QueryOutcome =
  | {
      readonly kind: 'rows';
      readonly rows: readonly Readonly<Record<string, unknown>>[];
      readonly annotation: QueryAnnotation;
      readonly facts: QueryFacts;
    }
  /** Stopped by its signal, or the user closed the form for a token: there is nothing to report. */
  | { readonly kind: 'cancelled' }
  /** The query cannot be sent: there is no such target, or no token for it. The message gives the next step. */
  | { readonly kind: 'unavailable'; readonly message: string }
  /** The server reports that the query is wrong. */
  | { readonly kind: 'wrongQuery'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string; readonly error: PlatformError };

export interface QueryOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called for every “Continue wait”. */
  readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
  /** Whether the user may be asked for a token if there is no other way to get one; default true. */
  readonly mayAsk?: boolean | undefined;
  /** The identity that the query runs as: claims of its token; if absent, the token names none. */
  readonly securityContext?: SecurityContext | undefined;
}

/** The security context of a query, as the deployment's model sees it. */
export type SecurityContext = Readonly<Record<string, unknown>>;

/**
 * Runs queries against the data API of targets, and gets the tokens for them. One instance serves every view of a window. `run`
 * does not throw; `meta` and the client's methods throw `PlatformError`.
 */
export interface QueryService {
  /** The targets that can be chosen; empty until `refreshTargets` is called, which also checks for a server on this machine. */
  readonly targets: ReadonlyStore<readonly NamedTarget[]>;
  refreshTargets(): Promise<readonly NamedTarget[]>;
  run(target: QueryTarget, query: DataQuery, options?: QueryOptions): Promise<QueryOutcome>;
  /**
   * Resolves to the members that queries may name. The user is asked for a token only if `mayAsk` is set and the target is a
   * server.
   */
  meta(
    target: QueryTarget,
    options?: Pick<QueryOptions, 'signal' | 'mayAsk' | 'securityContext'>,
  ): Promise<readonly MetaCube[]>;
  /** Resolves to the name of a target, as in `facts.place`. */
  nameOf(target: QueryTarget): Promise<string>;
  /** Returns a client for everything other than `run` (SQL over the model, compiled SQL); every call gets its token. */
  client(target: QueryTarget, options?: Pick<QueryOptions, 'mayAsk' | 'securityContext'>): DataClient;
}
