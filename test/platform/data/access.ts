import type { DeploymentInfo, EnvironmentInfo, PlatformDeps } from '../deps.ts';
import { checkToken } from '../auth/tokens.ts';
import { err, ok, type Result } from '#base/result.ts';
import type { SecurityContext } from '../engine/index.ts';
import type { Target } from './service.ts';

/** Who may ask what of an environment's data API. */
export interface DataAccess extends Target {
  /** A metadata token (docs/platform-api.md#createmetadatatoken): `/meta` and nothing else. */
  readonly metaOnly: boolean;
  readonly environmentType: EnvironmentInfo['type'];
}

export interface Refusal {
  readonly status: 403 | 404;
  readonly error: string;
}

type AccessDeps = Pick<PlatformDeps, 'environment' | 'deployment' | 'clock'>;

/**
 * Checks the `Authorization` header of a data request: a JWT of the deployment's secret or identity provider, bare or
 * after `Bearer`. Its claims are the security context.
 */
export async function checkAccess(
  deps: AccessDeps,
  environmentId: string,
  header: string | undefined,
): Promise<Result<DataAccess, Refusal>> {
  const environment = deps.environment(environmentId);
  const deployment = environment && deps.deployment(environment.deploymentId);
  if (!environment || !deployment) return err({ status: 404, error: `There is no environment ${environmentId}.` });
  const token = header?.replace(/^Bearer\s+/i, '').trim();
  if (token === undefined || token === '') {
    if (!deployment.anonymousData) return err({ status: 403, error: "Authorization header isn't set" });
    return ok(access(deployment, environment, {}, false));
  }
  const checked = await checkToken(deployment, token, deps.clock.now());
  if (!checked) return err({ status: 403, error: 'Invalid token' });
  const { claims, securityContext } = checked;
  const metaOnly = isMetaOnly(claims);
  const only = claims['environmentId'];
  if (metaOnly && (typeof only === 'string' || typeof only === 'number') && String(only) !== environment.id) {
    return err({ status: 403, error: 'Invalid token' });
  }
  return ok(access(deployment, environment, securityContext, metaOnly));
}

function access(
  deployment: DeploymentInfo,
  environment: EnvironmentInfo,
  securityContext: SecurityContext,
  metaOnly: boolean,
): DataAccess {
  const { branchName, type: environmentType } = environment;
  return { deploymentId: deployment.id, branchName, environmentType, securityContext, metaOnly };
}

function isMetaOnly(claims: SecurityContext): boolean {
  const { scope } = claims;
  return Array.isArray(scope) && scope.includes('meta') && !scope.includes('data');
}
