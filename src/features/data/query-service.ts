import type { DataClient, DataQuery, WaitProgress } from '#api/data.ts';
import type { MetaCube } from '#api/data-operations.ts';
import type { PlatformError } from '#api/errors.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** An environment by its id, or that of a branch; without either that of the active branch, else production. */
export type EnvironmentTarget = DeploymentTarget & {
  readonly branchName?: string | undefined;
  readonly environmentId?: string | undefined;
};

/** Where queries run (docs/data-api.md#query-targets). */
export type QueryTarget =
  | ({ readonly kind: 'environment' } & EnvironmentTarget)
  /** A Cube Core server; `restUrl` is the base address of its data API. */
  | { readonly kind: 'cubeCore'; readonly restUrl: string };

/** A target that can be chosen, with the name that users see wherever its rows are shown. */
export interface NamedTarget {
  readonly target: QueryTarget;
  readonly name: string;
}

/** What the server says of one member of an answer. */
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

/** What is known of a run besides its rows. */
export interface QueryFacts {
  /** The name of the target. */
  readonly place: string;
  readonly milliseconds: number;
  /** Names of the pre-aggregations that served the query; empty where none did or the server does not say. */
  readonly preAggregations: readonly string[];
  /** When the data was read from the database, as the server writes it. */
  readonly lastRefreshTime?: string | undefined;
  /** How many rows there are without the limit, where the query asked for it. */
  readonly total?: number | undefined;
}

/** How a query ended. */
export type QueryOutcome =
  | {
      readonly kind: 'rows';
      readonly rows: readonly Readonly<Record<string, unknown>>[];
      readonly annotation: QueryAnnotation;
      readonly facts: QueryFacts;
    }
  /** Stopped by its signal, or the user closed the question for a token: nothing needs to be said. */
  | { readonly kind: 'cancelled' }
  /** The query cannot be sent: there is no such target, or no token for it. The message says what to do. */
  | { readonly kind: 'unavailable'; readonly message: string }
  /** The server says that the query is wrong. */
  | { readonly kind: 'wrongQuery'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string; readonly error: PlatformError };

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called for every “Continue wait”. */
  readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
  /** Whether the user may be asked for a token where none can be had without them; default true. */
  readonly mayAsk?: boolean | undefined;
  /** The identity that the query runs as: claims of its token; without them none is named. */
  readonly securityContext?: SecurityContext | undefined;
}

/** What a deployment's model knows of whoever queries. */
export type SecurityContext = Readonly<Record<string, unknown>>;

/**
 * Queries against the data API of targets, with tokens that the service gets itself. One instance serves every view of
 * a window. `run` does not throw; `meta` and the client's methods throw `PlatformError`.
 */
export interface QueryService {
  /** The targets that can be chosen; empty until `refreshTargets` was called, which also checks for a server on this machine. */
  readonly targets: ReadonlyStore<readonly NamedTarget[]>;
  refreshTargets(): Promise<readonly NamedTarget[]>;
  run(target: QueryTarget, query: DataQuery, options?: RunOptions): Promise<QueryOutcome>;
  /** The members that queries may name. The user is asked for a token only where `mayAsk` is set and the target is a server. */
  meta(
    target: QueryTarget,
    options?: Pick<RunOptions, 'signal' | 'mayAsk' | 'securityContext'>,
  ): Promise<readonly MetaCube[]>;
  /** The name of a target, as `facts.place` has it. */
  nameOf(target: QueryTarget): Promise<string>;
  /** For what `run` does not do (SQL over the model, compiled SQL): the token of every call is taken care of. */
  client(target: QueryTarget, options?: Pick<RunOptions, 'mayAsk' | 'securityContext'>): DataClient;
}
