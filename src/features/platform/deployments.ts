/** A deployment of an account (docs/platform-api.md#deployments). */
export interface Deployment {
  readonly id: string;
  readonly name: string;
  /** `cli`: production is the last upload; `git`: the content of the deploy branch. */
  readonly deployMode?: string | undefined;
  readonly creationMethod?: string | undefined;
  readonly createdAt?: string | undefined;
  /** The current step of the platform’s setup wizard; the values are the platform’s own. */
  readonly creationStep?: string | undefined;
}

/** Matches the names that a platform may use for the final step of the setup wizard. */
const lastSteps = /^(?:complete|completed|done|finished|ready)$/i;

/** Whether the setup wizard has steps left; false if the platform returns no step. */
export function isBeingSetUp({ creationStep }: Pick<Deployment, 'creationStep'>): boolean {
  return creationStep !== undefined && !lastSteps.test(creationStep);
}

/** An environment with the URLs and hosts that users copy (docs/platform-api.md#environments). */
export interface Environment {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** The branch that it runs, if the platform returns it. */
  readonly branchName?: string | undefined;
  readonly restUrl: string | undefined;
  readonly sqlHost: string | undefined;
  readonly sqlPort: number | undefined;
}

/** One entry of the version list (docs/platform-api.md#listdeploymentversions). */
export interface VersionEntry {
  readonly version: string;
  readonly channel: string | undefined;
  readonly isCurrent: boolean;
  readonly isLatestInChannel: boolean;
}

/** Returns `host:port`, as database clients expect it; `undefined` without a host. */
export function sqlEndpoint(environment: Environment): string | undefined {
  if (environment.sqlHost === undefined) return undefined;
  return environment.sqlPort === undefined ? environment.sqlHost : `${environment.sqlHost}:${environment.sqlPort}`;
}

/** Returns a PostgreSQL connection string without credentials, which the client asks for. */
export function sqlConnectionString(environment: Environment): string | undefined {
  const endpoint = sqlEndpoint(environment);
  return endpoint === undefined ? undefined : `postgresql://${endpoint}/db`;
}
