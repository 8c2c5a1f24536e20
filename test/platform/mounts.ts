import { Hono } from 'hono';
import { callerOf } from './auth/credentials.ts';
import type { Core } from './core/core.ts';
import { apiSecret, readEnvVars } from './core/env-vars.ts';
import { environmentById, environmentOf } from './core/environments.ts';
import { modelSource } from './core/files.ts';
import { branchByName, deploymentById } from './core/rows.ts';
import type {
  AgentInfo,
  DeploymentInfo,
  Mount,
  PartOptions,
  PlatformDeps,
  Tenant,
  UserAttributeInfo,
  UserInfo,
} from './deps.ts';
import type { Engine } from './engine/index.ts';

/** A part that has routes of its own, beside the operations of the management API; loaded at its first request. */
export interface Part {
  /** Everything below this path is the part's. */
  readonly path: string;
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** The data API of the environments and the Chat API. */
export function createParts(core: Core, engine: Engine, options: PartOptions): Part[] {
  const deps = createDeps(core, engine, options);
  return [
    lazyPart('/data/:environmentId/cubejs-api/v1', async () => (await import('./data/routes.ts')).dataRoutes(deps)),
    lazyPart('/api/v1/public', async () => (await import('./chat/routes.ts')).chatRoutes(deps)),
  ];
}

function lazyPart(path: string, load: () => Promise<Mount>): Part {
  let loading: Promise<{ readonly app: Hono; readonly mount: Mount }> | undefined;
  const open = async (): Promise<{ readonly app: Hono; readonly mount: Mount }> => {
    const mount = await load();
    return { app: new Hono().route(path, mount.app), mount };
  };
  return {
    path,
    fetch: async (request) => {
      loading ??= open();
      return (await loading).app.fetch(request);
    },
    close: async () => {
      await (await loading)?.mount.close?.();
    },
  };
}

function createDeps(core: Core, engine: Engine, options: PartOptions): PlatformDeps {
  const { db } = core;
  return {
    dataDir: core.dataDir,
    clock: core.clock,
    database: db.raw,
    options,
    engine,
    tenant: (accountName) =>
      db.get<Tenant>('SELECT id, account_name AS accountName FROM tenants WHERE account_name = ?', accountName),
    deployment: (id) => deploymentInfo(core, Number(id)),
    environment: (id) => environmentById(core, id),
    environmentOf: (deploymentId, branchName) => environmentOf(core, Number(deploymentId), branchName),
    deployBranch: (deploymentId) => deploymentById(db, Number(deploymentId))?.deploy_branch ?? '',
    modelFiles: async (deploymentId, branchName) => {
      const branch = branchByName(db, Number(deploymentId), branchName);
      if (branch === undefined) throw new Error(`Branch "${branchName}" does not exist.`);
      return modelSource(core, branch);
    },
    agent: (id) => db.get<AgentInfo>(`${agentQuery} WHERE id = ?`, Number(id)),
    defaultAgent: (deploymentId) =>
      db.get<AgentInfo>(`${agentQuery} WHERE deployment_id = ? ORDER BY is_default DESC, id`, Number(deploymentId)),
    apiKey: (key) => {
      const caller = callerOf(core, key);
      if (caller === undefined) return undefined;
      const { keyId: id, tenantId, accountName, userEmail, scope } = caller;
      return { id, tenantId, accountName, userEmail, deployments: scope && [...scope].map(String) };
    },
    userByEmail: (tenantId, email) => userByEmail(core, tenantId, email),
    userAttributes: (tenantId) =>
      db.all<UserAttributeInfo>('SELECT name, type FROM user_attributes WHERE tenant_id = ? ORDER BY name', tenantId),
    audit: (event) => core.audit(event),
    log: (entry) => core.log(entry),
  };
}

const agentQuery = `SELECT CAST(id AS TEXT) AS id, tenant_id AS tenantId, CAST(deployment_id AS TEXT) AS deploymentId, name
  FROM agents`;

function deploymentInfo(core: Core, id: number): DeploymentInfo | undefined {
  const row = deploymentById(core.db, id);
  if (row === undefined) return undefined;
  const account = core.db.get<{ account_name: string }>('SELECT account_name FROM tenants WHERE id = ?', row.tenant_id);
  const variables = new Map(readEnvVars(core, id).map(({ name, value }) => [name, value]));
  const jwksUrl = variables.get('CUBEJS_JWK_URL');
  const issuer = variables.get('CUBEJS_JWT_ISSUER');
  const audience = variables.get('CUBEJS_JWT_AUDIENCE');
  return {
    id: String(row.id),
    tenantId: row.tenant_id,
    accountName: account?.account_name ?? '',
    name: row.name,
    deployMode: row.deploy_mode,
    apiSecret: apiSecret(core, id),
    keySet: jwksUrl === undefined ? undefined : { url: jwksUrl, issuer, audience },
    claimsNamespace: variables.get('CUBEJS_JWT_CLAIMS_NAMESPACE'),
    serviceTokensEnabled: row.service_tokens_enabled === 1,
    anonymousData: variables.get('CUBEJS_DEV_MODE') === 'true',
  };
}

function userByEmail(core: Core, tenantId: number, email: string): UserInfo | undefined {
  const row = core.db.get<{ id: number; email: string; is_active: number }>(
    'SELECT id, email, is_active FROM users WHERE tenant_id = ? AND email = ?',
    tenantId,
    email,
  );
  if (row === undefined) return undefined;
  const groups = core.db.all<{ name: string }>(
    'SELECT g.name FROM groups g JOIN user_groups u ON u.group_id = g.id WHERE u.user_id = ? ORDER BY g.name',
    row.id,
  );
  const values = core.db.all<{ name: string; value: string }>(
    'SELECT a.name, v.value FROM user_attribute_values v JOIN user_attributes a ON a.id = v.attribute_id WHERE v.user_id = ?',
    row.id,
  );
  return {
    id: row.id,
    email: row.email,
    isActive: row.is_active === 1,
    groups: groups.map(({ name }) => name),
    attributes: Object.fromEntries(values.map(({ name, value }) => [name, JSON.parse(value) as unknown])),
  };
}
