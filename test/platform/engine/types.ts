/** What the engine's sandbox takes and gives. Plain data only: it crosses as JSON. */

/** A file of a data model; `fileName` is a repository path (`model/cubes/orders.yml`) or one relative to the model folder. */
export interface ModelFile {
  readonly fileName: string;
  readonly content: string;
}

export type SecurityContext = Readonly<Record<string, unknown>>;

export interface MemberMeta {
  readonly name: string;
  readonly title: string;
  readonly shortTitle: string;
  readonly description?: string | undefined;
  readonly type: string;
  readonly aggType?: string | undefined;
  readonly format?: unknown;
  readonly primaryKey?: boolean | undefined;
  readonly public: boolean;
  readonly isVisible: boolean;
  readonly aliasMember?: string | undefined;
  readonly meta?: unknown;
  readonly granularities?: readonly { readonly name: string; readonly title: string }[] | undefined;
}

/** One cube or view, as `/meta` answers it. */
export interface CubeMeta {
  readonly name: string;
  readonly type: 'cube' | 'view';
  readonly title: string;
  readonly description?: string | undefined;
  readonly public: boolean;
  readonly isVisible: boolean;
  readonly connectedComponent?: number | undefined;
  readonly meta?: unknown;
  readonly measures: readonly MemberMeta[];
  readonly dimensions: readonly MemberMeta[];
  readonly segments: readonly Omit<MemberMeta, 'type'>[];
  readonly hierarchies: readonly {
    readonly name: string;
    readonly title?: string;
    readonly levels: readonly string[];
  }[];
  readonly folders: readonly { readonly name: string; readonly members: readonly string[] }[];
}

export interface EngineError {
  readonly message: string;
  /** As the caller named the file; absent where the engine does not say. */
  readonly fileName?: string | undefined;
}

export type CompileResult =
  | {
      readonly ok: true;
      readonly cubes: number;
      readonly views: number;
      readonly meta: readonly CubeMeta[];
      readonly compilerId: string;
    }
  | { readonly ok: false; readonly errors: readonly EngineError[]; readonly errorText: string };

export type QueryFilter =
  | { readonly and: readonly QueryFilter[] }
  | { readonly or: readonly QueryFilter[] }
  | {
      readonly member: string;
      readonly operator: string;
      readonly values?: readonly (string | number | boolean | null)[] | undefined;
    };

interface TimeDimension {
  readonly dimension: string;
  readonly granularity?: string | undefined;
  /** Two local timestamps `YYYY-MM-DDTHH:mm:ss.SSS`, both inclusive. */
  readonly dateRange?: readonly [string, string] | undefined;
}

/** A normalized semantic query: arrays present, dates absolute, order a list. */
export interface SemanticQuery {
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly timeDimensions: readonly TimeDimension[];
  readonly filters: readonly QueryFilter[];
  readonly segments: readonly string[];
  readonly order?: readonly { readonly id: string; readonly desc: boolean }[] | undefined;
  readonly timezone: string;
  readonly limit: number | null;
  readonly offset: number;
  readonly ungrouped?: boolean | undefined;
  /** Ask for the number of rows of the query instead of the rows. */
  readonly totalQuery?: boolean | undefined;
}

/** Generated SQL with positional (`?`) parameters; `columns` maps column aliases to members (`orders.created_at.month`). */
export interface GeneratedSql {
  readonly sql: string;
  readonly params: readonly (string | number | boolean | null)[];
  readonly columns: Readonly<Record<string, string>>;
}

export type SqlResult =
  | { readonly ok: true; readonly value: GeneratedSql }
  /** `UserError`: the query is wrong; `CompileError`: the model does not compile; anything else: the engine failed. */
  | { readonly ok: false; readonly type: 'UserError' | 'CompileError' | 'Error'; readonly error: string };

/** A model travels to the sandbox once and is referred to by its number afterwards; `files` comes along when it is new there. */
interface ModelReference {
  readonly model: number;
  readonly files?: readonly ModelFile[] | undefined;
  readonly securityContext?: SecurityContext | undefined;
}

export type EngineRequest =
  | (ModelReference & { readonly kind: 'compile' })
  | (ModelReference & { readonly kind: 'sql'; readonly query: SemanticQuery });

export type EngineResponse =
  | { readonly kind: 'answer'; readonly value: CompileResult | SqlResult }
  /** The sandbox does not hold the model (any more): send it again with its files. */
  | { readonly kind: 'unknownModel' };
