import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#base/clock.ts';
import type { Hono } from 'hono';
import type { KeySetSettings } from './auth/key-set.ts';
import type { Engine } from './engine/index.ts';

/** What the data API (`data/`), the engine and the chat (`chat/`, `agent/`) get from the platform's core. */
export interface PlatformDeps {
  /** The platform's data folder; each part keeps its own files below a folder of its own name. */
  readonly dataDir: string;
  readonly clock: Clock;
  /** The platform's SQLite file. A part that stores rows creates its own tables (prefix: its name) when it is mounted. */
  readonly database: DatabaseSync;
  readonly options: PartOptions;
  /** One engine for builds, `/meta` and queries; it starts its worker on first use. */
  readonly engine: Engine;

  tenant(accountName: string): Tenant | undefined;
  deployment(id: string): DeploymentInfo | undefined;
  environment(id: string): EnvironmentInfo | undefined;
  /** The environment that serves one branch of a deployment: active dev branch, staging or production. */
  environmentOf(deploymentId: string, branchName: string): EnvironmentInfo | undefined;
  /** The name of the deploy branch (production). */
  deployBranch(deploymentId: string): string;
  /**
   * The model files of a branch as they are served: the working copy of a dev branch, the tree of any other.
   * Rejects with an `Error` when the branch does not exist.
   */
  modelFiles(deploymentId: string, branchName: string): Promise<ModelSource>;

  agent(id: string): AgentInfo | undefined;
  defaultAgent(deploymentId: string): AgentInfo | undefined;

  /** Who an API key belongs to; `undefined`: unknown, malformed or expired (401). */
  apiKey(key: string): ApiKeyInfo | undefined;
  userByEmail(tenantId: number, email: string): UserInfo | undefined;
  /** Attributes the tenant has configured; chat's `userAttributes[].name` must be one of them. */
  userAttributes(tenantId: number): readonly UserAttributeInfo[];

  /** An event for the audit log export. */
  audit(event: AuditEntry): void;
  /** A row for `GET …/logs`. */
  log(entry: LogEntry): void;
}

/** What a caller of `createPlatform` can set for the parts. */
export interface PartOptions {
  /** Any OpenAI-compatible endpoint that answers instead of the rule-based agent. */
  readonly agentUrl?: string | undefined;
  /** Milliseconds between two deltas of a chat answer; undefined: the agent's own pace. Tests set 0. */
  readonly chatDelayMs?: number | undefined;
  /** Milliseconds a data request waits before it is told to continue waiting; undefined: 10 s. */
  readonly dataWaitMs?: number | undefined;
  /** Rows of the biggest table of the sample warehouse; undefined: the full size. */
  readonly warehouseRows?: number | undefined;
  /** Folder of the sample warehouse, which platforms can share; undefined: in the data folder. */
  readonly warehouseDir?: string | undefined;
}

/**
 * A mounted part: its routes and what to release when the platform closes. `data/routes.ts` exports `dataRoutes(deps)`,
 * mounted at `/data/:environmentId/cubejs-api/v1`; `chat/routes.ts` exports `chatRoutes(deps)`, mounted at `/api/v1/public`.
 */
export interface Mount {
  readonly app: Hono;
  close?(): Promise<void>;
}

export interface ModelFile {
  /** Relative to the repository's root, for example `model/cubes/orders.yml`. */
  readonly fileName: string;
  readonly content: string;
}

export interface ModelSource {
  /** Changes exactly when the files change: usable as a cache key. */
  readonly revision: string;
  /** Only files below `model/` (or `schema/`) that the engine reads. */
  readonly files: readonly ModelFile[];
}

export type CompileResult =
  | { readonly ok: true; readonly cubes: number; readonly meta: unknown; readonly compilerId: string }
  | { readonly ok: false; readonly errors: readonly CompileError[]; readonly errorText: string };

export interface CompileError {
  readonly message: string;
  readonly fileName?: string | undefined;
}

/** What the core needs of `engine/index.ts`' `createEngine()`; the engine's own interface extends it. */
export interface ModelCompiler {
  compile(files: readonly ModelFile[]): Promise<CompileResult>;
  close(): Promise<void>;
}

export interface Tenant {
  readonly id: number;
  /** The account subdomain. */
  readonly accountName: string;
}

export interface DeploymentInfo {
  readonly id: string;
  readonly tenantId: number;
  readonly accountName: string;
  readonly name: string;
  readonly deployMode: 'git' | 'cli';
  /**
   * Value of the environment variable `CUBEJS_API_SECRET`: signs data and service tokens (HS256, `auth/jwt.ts`). A data
   * token's claims are the security context; a metadata token (docs/platform-api.md#createmetadatatoken) has `scope: ["meta"]` and
   * `environmentId` besides and opens `/meta` of that environment only.
   */
  readonly apiSecret: string;
  /** The identity provider whose tokens count as well (`CUBEJS_JWK_URL`, `CUBEJS_JWT_ISSUER`, `CUBEJS_JWT_AUDIENCE`). */
  readonly keySet?: KeySetSettings | undefined;
  /** The claim of a token that is the security context (`CUBEJS_JWT_CLAIMS_NAMESPACE`). */
  readonly claimsNamespace?: string | undefined;
  /** The option "use the platform's own authentication for chat and embedding APIs". */
  readonly serviceTokensEnabled: boolean;
  /** Whether data requests without a token are answered (development setting `CUBEJS_DEV_MODE`). */
  readonly anonymousData: boolean;
}

export interface EnvironmentInfo {
  readonly id: string;
  readonly deploymentId: string;
  readonly name: string;
  readonly type: 'production' | 'staging' | 'development';
  readonly branchName: string;
}

export interface AgentInfo {
  readonly id: string;
  readonly tenantId: number;
  readonly deploymentId: string;
  readonly name: string;
}

export interface ApiKeyInfo {
  readonly id: number;
  readonly tenantId: number;
  readonly accountName: string;
  /** The user whose key it is. */
  readonly userEmail: string;
  /** Deployment ids the key is scoped to; `undefined`: all of the tenant's. */
  readonly deployments: readonly string[] | undefined;
}

export interface UserInfo {
  readonly id: number;
  readonly email: string;
  readonly isActive: boolean;
  readonly groups: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface UserAttributeInfo {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'string_array' | 'number_array';
}

export interface AuditEntry {
  readonly tenantId: number;
  /** For example `chat.started`. */
  readonly eventName: string;
  readonly userEmail: string;
  readonly deploymentId?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface LogEntry {
  readonly deploymentId: string;
  readonly source: 'production' | 'dev';
  readonly container: 'INIT' | 'MAIN' | 'service-server' | 'vector' | 'api-proxy';
  readonly branchName?: string | undefined;
  readonly message: string;
}
