import { err, ok, type Result } from '#base/result.ts';
import { checkToken } from '../auth/tokens.ts';
import type { AgentInfo, DeploymentInfo, PlatformDeps, Tenant } from '../deps.ts';
import type { SecurityContext } from '../engine/index.ts';
import { readSessionSettings, type SessionSettings } from './request.ts';
import type { UserWish } from './store.ts';

/** How a request that cannot continue is answered. */
export type ChatRefusal =
  /** A plain `{error}` with a status. */
  | { readonly kind: 'status'; readonly status: 400 | 403 | 404 | 409; readonly error: string }
  /** Authentication failed: a JSON-RPC error object in a 200 (docs/chat.md#errors). */
  | { readonly kind: 'rpc'; readonly error: string };

/** What a URL names. */
export interface Addressed {
  readonly tenant: Tenant;
  readonly deployment: DeploymentInfo;
  readonly agent: AgentInfo;
  /** Whether the URL named the agent itself. */
  readonly byAgent: boolean;
}

/** The user on whose behalf a question is asked: whose threads they are, and what the queries may see. */
export interface Caller {
  readonly wish: UserWish;
  readonly email: string;
  readonly securityContext: SecurityContext;
}

type IdentityDeps = Pick<
  PlatformDeps,
  'tenant' | 'deployment' | 'agent' | 'defaultAgent' | 'apiKey' | 'userByEmail' | 'userAttributes' | 'clock'
>;

const week = 7 * 86_400;

/** Finds the tenant, the deployment and the agent of a URL; 404 for whatever is missing or another tenant's. */
export function findAddressed(
  deps: IdentityDeps,
  url: {
    readonly accountName: string;
    readonly agentId?: string | undefined;
    readonly deploymentId?: string | undefined;
  },
): Result<Addressed, ChatRefusal> {
  const tenant = deps.tenant(url.accountName);
  if (!tenant) return notFound(`There is no account ${url.accountName}.`);
  if (url.agentId !== undefined) {
    const agent = deps.agent(url.agentId);
    const deployment = agent?.tenantId === tenant.id ? deps.deployment(agent.deploymentId) : undefined;
    return agent && deployment
      ? ok({ tenant, deployment, agent, byAgent: true })
      : notFound(`There is no agent ${url.agentId}.`);
  }
  const id = url.deploymentId ?? '';
  const deployment = deps.deployment(id);
  if (deployment?.tenantId !== tenant.id) return notFound(`There is no deployment ${id}.`);
  const agent = deps.defaultAgent(deployment.id);
  return agent ? ok({ tenant, deployment, agent, byAgent: false }) : notFound(`Deployment ${id} has no default agent.`);
}

/** docs/chat.md#credentials. The `Authorization` header wins; without it the service token counts. */
export async function authenticate(
  deps: IdentityDeps,
  addressed: Addressed,
  request: {
    readonly authorization?: string | undefined;
    readonly serviceToken?: string | undefined;
    readonly sessionSettings: unknown;
  },
): Promise<Result<Caller, ChatRefusal>> {
  if (request.authorization !== undefined)
    return byApiKey(deps, addressed, request.authorization, request.sessionSettings);
  if (request.serviceToken !== undefined) return byServiceToken(deps, addressed, request.serviceToken);
  return rpc('Authentication is required: send Authorization: Api-Key <key> or X-Service-Auth-Token.');
}

function byApiKey(
  deps: IdentityDeps,
  { tenant, deployment, byAgent }: Addressed,
  authorization: string,
  sessionSettings: unknown,
): Result<Caller, ChatRefusal> {
  if (!byAgent) return status(403, 'agentId is required for Api-Key authentication');
  const [, value = ''] = /^Api-Key\s+(\S+)$/i.exec(authorization.trim()) ?? [];
  const key = deps.apiKey(value);
  if (key?.tenantId !== tenant.id) return rpc('Invalid API key');
  if (key.deployments && !key.deployments.includes(deployment.id)) {
    return status(403, `The API key is not authorized for deployment ${deployment.id}.`);
  }
  const settings = readSessionSettings(sessionSettings);
  if (!settings.ok) return status(400, settings.error);
  if (settings.value.internalId !== undefined) return internalUser(deps, tenant, settings.value.internalId);
  return externalUser(deps, tenant, settings.value);
}

function internalUser(deps: IdentityDeps, tenant: Tenant, email: string): Result<Caller, ChatRefusal> {
  const user = deps.userByEmail(tenant.id, email);
  if (!user?.isActive) return status(400, `sessionSettings.internalId: there is no active user ${email}.`);
  return ok({
    wish: {
      accountName: tenant.accountName,
      key: `internal:${user.email.toLowerCase()}`,
      email: user.email,
      isEphemeral: false,
      ttlSeconds: 0,
    },
    email: user.email,
    securityContext: { email: user.email, groups: user.groups, userAttributes: user.attributes },
  });
}

function externalUser(deps: IdentityDeps, tenant: Tenant, settings: SessionSettings): Result<Caller, ChatRefusal> {
  const { externalId = '', email, userAttributes = [], groups = [], securityContext = {} } = settings;
  const configured = deps.userAttributes(tenant.id).map(({ name }) => name);
  const unknown = userAttributes.find(({ name }) => !configured.includes(name));
  if (unknown) return status(400, `sessionSettings.userAttributes: '${unknown.name}' is not a configured attribute.`);
  return ok({
    wish: {
      accountName: tenant.accountName,
      key: `external:${externalId}`,
      email,
      isEphemeral: settings.isEphemeral ?? true,
      ttlSeconds: settings.ephemeralTtlSeconds ?? week,
    },
    email: email ?? externalId,
    securityContext: {
      ...securityContext,
      externalId,
      groups,
      userAttributes: Object.fromEntries(userAttributes.map(({ name, value }) => [name, value])),
    },
  });
}

/** docs/chat.md#credentials. Who it is says the token; what it may do says the security context that direct queries would have. */
async function byServiceToken(
  deps: IdentityDeps,
  { tenant, deployment }: Addressed,
  token: string,
): Promise<Result<Caller, ChatRefusal>> {
  if (!deployment.serviceTokensEnabled) {
    return rpc(
      "Service tokens are not enabled: switch on the platform's own authentication in the deployment's settings.",
    );
  }
  const checked = await checkToken(deployment, token, deps.clock.now());
  if (!checked) return rpc('Invalid service token');
  const { claims, securityContext } = checked;
  const identity = claims['externalId'] ?? securityContext['externalId'] ?? claims['sub'];
  if (typeof identity !== 'string' || identity === '') return rpc('The service token has neither externalId nor sub.');
  const { scope } = securityContext;
  const email = claims['email'] ?? securityContext['email'];
  if (!Array.isArray(scope) || !scope.includes('chat')) return rpc("The service token's scope does not include chat.");
  const externalId = identity.toLowerCase();
  const address = typeof email === 'string' ? email : undefined;
  return ok({
    wish: {
      accountName: tenant.accountName,
      key: `external:${externalId}`,
      email: address,
      isEphemeral: true,
      ttlSeconds: week,
    },
    email: address ?? externalId,
    securityContext,
  });
}

function notFound(error: string): Result<never, ChatRefusal> {
  return err({ kind: 'status', status: 404, error });
}

function status(code: 400 | 403, error: string): Result<never, ChatRefusal> {
  return err({ kind: 'status', status: code, error });
}

function rpc(error: string): Result<never, ChatRefusal> {
  return err({ kind: 'rpc', error });
}
