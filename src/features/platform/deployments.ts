/** A deployment of an account (docs/platform-api.md#deployments). */
export interface Deployment {
  readonly id: string;
  readonly name: string;
  /** `cli`: production is the last upload; `git`: what the deploy branch holds. */
  readonly deployMode?: string | undefined;
  readonly creationMethod?: string | undefined;
  readonly createdAt?: string | undefined;
  /** Where the platform’s setup wizard stands; the values are the platform’s own. */
  readonly creationStep?: string | undefined;
}

/** Steps of the setup wizard that are its end, whatever the platform calls it. */
const lastSteps = /^(?:complete|completed|done|finished|ready)$/i;

/** Whether the setup wizard is known to have steps left: false where the platform names no step. */
export function isBeingSetUp({ creationStep }: Pick<Deployment, 'creationStep'>): boolean {
  return creationStep !== undefined && !lastSteps.test(creationStep);
}

/** An environment with the addresses a user copies (docs/platform-api.md#environments). */
export interface Environment {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** The branch that it runs, where the platform names it. */
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

/** `host:port`, as clients want it. */
export function sqlEndpoint(environment: Environment): string | undefined {
  if (environment.sqlHost === undefined) return undefined;
  return environment.sqlPort === undefined ? environment.sqlHost : `${environment.sqlHost}:${environment.sqlPort}`;
}

/** A PostgreSQL connection string without credentials: the client asks for those. */
export function sqlConnectionString(environment: Environment): string | undefined {
  const endpoint = sqlEndpoint(environment);
  return endpoint === undefined ? undefined : `postgresql://${endpoint}/db`;
}
