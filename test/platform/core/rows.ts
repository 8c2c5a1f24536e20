import type { Database } from '../state/database.ts';

/** Who makes a request. */
export interface Caller {
  readonly keyId: number;
  readonly tenantId: number;
  readonly accountName: string;
  readonly userId: number;
  readonly userEmail: string;
  readonly isAdmin: boolean;
  /** Deployments the key is scoped to; undefined: all. */
  readonly scope: ReadonlySet<number> | undefined;
  readonly permissions: readonly string[];
}

export interface DeploymentRow {
  readonly id: number;
  readonly tenant_id: number;
  readonly name: string;
  readonly created_at: string;
  readonly deploy_mode: 'git' | 'cli';
  readonly creation_method: string;
  readonly creation_step: string;
  readonly cloud_provider: string;
  readonly region: string;
  readonly version: string;
  readonly release_channel: string;
  readonly deploy_branch: string;
  /** JSON `{owner, repo, branch}` of a connected repository. */
  readonly github: string | null;
  readonly service_tokens_enabled: number;
  readonly data: string;
}

export interface BranchRow {
  readonly id: number;
  readonly deployment_id: number;
  readonly name: string;
  readonly parent: string | null;
  readonly owner_id: number | null;
  readonly is_dev: number;
  readonly staging: number;
}

export const deploymentById = (db: Database, id: number): DeploymentRow | undefined =>
  db.get<DeploymentRow>('SELECT * FROM deployments WHERE id = ?', id);

export const branchByName = (db: Database, deploymentId: number, name: string): BranchRow | undefined =>
  db.get<BranchRow>('SELECT * FROM branches WHERE deployment_id = ? AND name = ?', deploymentId, name);

/** A JSON column as an object. */
export function json(text: unknown): Record<string, unknown> {
  return typeof text === 'string' ? (JSON.parse(text) as Record<string, unknown>) : {};
}
