import type { Operation } from '#api/operation.ts';
import type * as v from 'valibot';
import type { Core } from '../core/core.ts';
import { forbidden, invalid, notFound, Refusal } from '../core/refusal.ts';
import { type Caller, deploymentById, type DeploymentRow } from '../core/rows.ts';
import { callerOf, credentialIn } from '../auth/credentials.ts';
import { readBody, validated } from './request.ts';

type Parsed<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;

/** A request that was authenticated, authorized and validated. */
export interface Call<Op extends Operation = Operation> {
  readonly core: Core;
  readonly caller: Caller;
  /** The deployment of the path. */
  readonly deployment: DeploymentRow;
  readonly params: Parsed<Op['params']>;
  readonly query: Parsed<Op['query']>;
  readonly body: Parsed<Op['body']>;
  readonly headers: Headers;
  /** Scheme, host and port the client used: addresses in answers are built from it. */
  readonly origin: string;
}

/** An operation's behaviour: what it answers as JSON, nothing (204) or a `Response` of its own. */
export interface Route {
  readonly operation: Operation;
  handle(core: Core, request: Request, params: Readonly<Record<string, string>>): Promise<Response>;
}

/** Operations of the whole account that a key scoped to deployments may still use. */
const openToScopedKeys = new Set(['listDeployments', 'getAppConfig', 'listRegions', 'getApiDescription']);

/**
 * Ties behaviour to an operation. Method, path, validation and description come from the operation; authentication and
 * authorization follow docs/platform-api.md#credentials: 401 for the credential, 403 for the target, then 404, then 400 naming the field.
 */
export function route<Op extends Operation>(operation: Op, work: (call: Call<Op>) => unknown): Route {
  return {
    operation,
    handle: async (core, request, rawParams) => {
      const caller = operation.anonymous === true ? nobody : authenticate(core, request, operation);
      const params = operation.params === undefined ? undefined : validated(operation.params, rawParams);
      const deployment = authorize(core, caller, operation, rawParams['deploymentId']);
      const url = new URL(request.url);
      const query =
        operation.query === undefined ? undefined : validated(operation.query, Object.fromEntries(url.searchParams));
      const body =
        operation.body === undefined ? undefined : validated(operation.body, await readBody(operation, request));
      const call = {
        core,
        caller,
        params,
        query,
        body,
        headers: request.headers,
        origin: url.origin,
        get deployment(): DeploymentRow {
          if (deployment === undefined) throw new Error(`${operation.id} has no deployment in its path`);
          return deployment;
        },
      };
      const answer = await work(call as Call<Op>);
      if (answer instanceof Response) return answer;
      return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
    },
  };
}

/** The path of an operation below the platform's (or the chat's) base URL. */
export const pathOf = (operation: Operation): string => operation.path.replace(/^\{chat\}/, '');

const nobody: Caller = {
  keyId: 0,
  tenantId: 0,
  accountName: '',
  userId: 0,
  userEmail: '',
  isAdmin: false,
  scope: new Set(),
  permissions: [],
};

function authenticate(core: Core, request: Request, operation: Operation): Caller {
  const secret = credentialIn(request.headers.get('authorization'), operation.path.startsWith('/api/scim/'));
  const caller = secret === undefined ? undefined : callerOf(core, secret);
  if (caller !== undefined) return caller;
  const message =
    secret === undefined ? 'Send an API key as "Authorization: Bearer …".' : 'The API key is unknown or expired.';
  throw new Refusal(401, message, {}, { 'WWW-Authenticate': 'Bearer' });
}

function authorize(
  core: Core,
  caller: Caller,
  operation: Operation,
  id: string | undefined,
): DeploymentRow | undefined {
  if (operation.anonymous === true) return undefined;
  if (id === undefined) {
    if (caller.scope === undefined || openToScopedKeys.has(operation.id)) return undefined;
    throw forbidden('The API key is limited to some deployments: use one for all deployments.');
  }
  if (caller.scope !== undefined && !caller.scope.has(Number(id))) {
    throw forbidden(`The API key is not allowed to use deployment ${id}.`);
  }
  if (!/^\d{1,15}$/.test(id)) throw invalid('deploymentId must be a whole number');
  const deployment = deploymentById(core.db, Number(id));
  if (deployment === undefined) throw notFound(`Deployment ${id}`);
  if (deployment.tenant_id !== caller.tenantId) throw forbidden(`The API key is not allowed to use deployment ${id}.`);
  return deployment;
}

/** @throws Refusal 403 unless the key carries the permission (docs/platform-api.md#credentials) */
export function requirePermission(caller: Caller, permission: string): void {
  if (!caller.permissions.includes(permission)) throw forbidden(`This needs the permission ${permission}.`);
}

/** @throws Refusal 403 unless the key belongs to an administrator */
export function requireAdmin(caller: Caller): void {
  if (!caller.isAdmin) throw forbidden('Only an administrator of the account may do this.');
}
