import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Hono } from 'hono';
import { systemClock } from '#base/clock.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { chatRoutes } from '#platform/chat/routes.ts';
import { dataRoutes } from '#platform/data/routes.ts';
import type { AgentInfo, AuditEntry, DeploymentInfo, PlatformDeps } from '#platform/deps.ts';
import type { Engine, ModelFile } from '#platform/engine/index.ts';
import { inject } from 'vitest';
import { realEngine } from './real-engine.ts';

/** Returns the sample data model in the engine's format. */
export function sampleModel(): readonly ModelFile[] {
  const root = new URL('../platform/data/sample/', import.meta.url);
  return readdirSync(new URL('model', root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const at = path.lastIndexOf(join('sample', 'model')) + 'sample/'.length;
      return { fileName: path.slice(at).replaceAll('\\', '/'), content: readFileSync(path, 'utf8') };
    })
    .sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
}

const secret = 'secret-of-deployment-1';
export const apiKey = 'key-of-everything';
export const scopedKey = 'key-of-deployment-2';

/** The platform around the two APIs. */
export interface MountOptions {
  readonly deps?: Partial<PlatformDeps>;
  readonly deployment?: Partial<DeploymentInfo>;
  /** Model files by branch; `main` is the deploy branch. */
  readonly branches?: Readonly<Record<string, readonly ModelFile[]>>;
  /** By default the one that the tests of a worker share. */
  readonly engine?: Engine;
  /** Number of rows in the warehouse's biggest table. */
  readonly rows?: number;
}

/** The data API and the chat API on a platform of one tenant (`acme`), deployment 1 with agent 1, environment `7` (production). */
export interface MountedApis {
  readonly engine: Engine;
  readonly dataDir: string;
  readonly audit: readonly AuditEntry[];
  /** Sends a request below `/data/7/cubejs-api/v1`. */
  data(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a request below `/api/v1/public`. */
  chat(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Serves the same routes as a `fetch`, for clients that bring their own URL. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export function mountApis(options: MountOptions = {}): MountedApis {
  const dataDir = mkdtempSync(join(tmpdir(), 'mounted-apis-'));
  const engine = options.engine ?? realEngine();
  const audit: AuditEntry[] = [];
  const deps = createDeps({ dataDir, engine, audit, options });
  const mounts = { data: dataRoutes(deps), chat: chatRoutes(deps) };
  const app = new Hono()
    .route('/data/:environmentId/cubejs-api/v1', mounts.data.app)
    .route('/api/v1/public', mounts.chat.app);
  return {
    engine,
    dataDir,
    audit,
    data: async (path, init) => app.request(`/data/7/cubejs-api/v1${path}`, init),
    chat: async (path, body, headers = { authorization: `Api-Key ${apiKey}` }) =>
      app.request(`/api/v1/public${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    fetch: async (request) => app.fetch(request),
    close: async () => {
      await mounts.chat.close?.();
      await mounts.data.close?.();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Returns a data or service token of deployment 1. */
export function token(claims: Readonly<Record<string, unknown>>): string {
  return signJwt(claims, secret);
}

interface PlatformDepsOptions {
  readonly dataDir: string;
  readonly engine: Engine;
  readonly audit: AuditEntry[];
  readonly options: MountOptions;
}

function createDeps({ dataDir, engine, audit, options }: PlatformDepsOptions): PlatformDeps {
  const agents: readonly AgentInfo[] = [
    { id: '1', tenantId: 1, deploymentId: '1', name: 'Analyst' },
    { id: '9', tenantId: 2, deploymentId: '9', name: 'Someone else’s' },
  ];
  const deployment: DeploymentInfo = {
    id: '1',
    tenantId: 1,
    accountName: 'acme',
    name: 'Shop',
    deployMode: 'git',
    apiSecret: secret,
    serviceTokensEnabled: true,
    anonymousData: false,
    ...options.deployment,
  };
  const branches = options.branches ?? { main: sampleModel() };
  return {
    dataDir,
    clock: systemClock,
    database: new DatabaseSync(':memory:'),
    // On a busy machine, an answer must not turn into "Continue wait".
    options: {
      chatDelayMs: 0,
      dataWaitMs: 300_000,
      warehouseRows: options.rows ?? 6000,
      warehouseDir: inject('shared'),
    },
    engine,
    tenant: (name) => (name === 'acme' ? { id: 1, accountName: 'acme' } : undefined),
    deployment: (id) => (id === '1' ? deployment : undefined),
    environment: (id) =>
      id === '7' ? { id, deploymentId: '1', name: 'Production', type: 'production', branchName: 'main' } : undefined,
    environmentOf: () => undefined,
    deployBranch: () => 'main',
    modelFiles: async (_id, branch) => {
      const files = branches[branch];
      if (!files) throw new Error(`Branch "${branch}" does not exist.`);
      return { revision: branch, files };
    },
    agent: (id) => agents.find((agent) => agent.id === id),
    defaultAgent: (id) => agents.find((agent) => agent.deploymentId === id),
    apiKey: (key) => keyInfo(key),
    userByEmail: (_tenant, email) =>
      email === 'ada@acme.example'
        ? { id: 1, email, isActive: true, groups: ['support'], attributes: { region: 'North' } }
        : undefined,
    userAttributes: () => [{ name: 'region', type: 'string' }],
    audit: (event) => audit.push(event),
    log: () => undefined,
    ...options.deps,
  };
}

function keyInfo(key: string): ReturnType<PlatformDeps['apiKey']> {
  const info = { id: 1, tenantId: 1, accountName: 'acme', userEmail: 'owner@acme.example' };
  if (key === apiKey) return { ...info, deployments: undefined };
  return key === scopedKey ? { ...info, id: 2, deployments: ['2'] } : undefined;
}
