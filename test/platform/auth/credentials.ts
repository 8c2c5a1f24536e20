import { createHash } from 'node:crypto';
import type { Core } from '../core/core.ts';
import type { Caller } from '../core/rows.ts';
import type { Database } from '../state/database.ts';

export interface KeyInput {
  readonly tenantId: number;
  readonly userId: number;
  readonly name: string;
  readonly secret: string;
  /** Ids of deployments; undefined: an unscoped key. */
  readonly deployments?: readonly number[] | undefined;
  readonly permissions?: readonly string[];
  readonly expiresAt?: string | undefined;
}

interface KeyRow {
  readonly id: number;
  readonly tenant_id: number;
  readonly account_name: string;
  readonly user_id: number;
  readonly email: string;
  readonly is_active: number;
  readonly is_admin: number;
  readonly scoped: number;
  readonly permissions: string;
  readonly expires_at: string | null;
}

const keyQuery = `SELECT k.*, t.account_name, u.email, u.is_active, u.is_admin
  FROM api_keys k JOIN tenants t ON t.id = k.tenant_id JOIN users u ON u.id = k.user_id`;

/** Stores an API key; only its hash is kept. */
export function createKey(db: Database, input: KeyInput): number {
  return db.transaction(() => {
    const { id } = db.run(
      'INSERT INTO api_keys (tenant_id, user_id, name, hash, scoped, permissions, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      input.tenantId,
      input.userId,
      input.name,
      hashOf(input.secret),
      input.deployments === undefined ? 0 : 1,
      JSON.stringify(input.permissions ?? ['AuditLogManage', 'SecretsManage', 'DownloadData']),
      input.expiresAt ?? null,
    );
    for (const deployment of input.deployments ?? []) {
      db.run('INSERT INTO api_key_deployments (key_id, deployment_id) VALUES (?, ?)', id, deployment);
    }
    return id;
  });
}

/** Who an API key or an OAuth access token belongs to; undefined: unknown, expired, or its user is deactivated. */
export function callerOf(core: Core, secret: string): Caller | undefined {
  const hash = hashOf(secret);
  const row = core.db.get<KeyRow>(`${keyQuery} WHERE k.hash = ?`, hash) ?? rowOfAccessToken(core, hash);
  if (row === undefined || row.is_active === 0) return undefined;
  if (row.expires_at !== null && Date.parse(row.expires_at) <= core.clock.now()) return undefined;
  return {
    keyId: row.id,
    tenantId: row.tenant_id,
    accountName: row.account_name,
    userId: row.user_id,
    userEmail: row.email,
    isAdmin: row.is_admin === 1,
    scope: row.scoped === 1 ? scopeOf(core, row.id) : undefined,
    permissions: JSON.parse(row.permissions) as string[],
  };
}

/**
 * The credential of an `Authorization` header: `Bearer …` everywhere, `Api-Key …` also for SCIM (docs/platform-api.md#credentials).
 * Undefined: missing or malformed.
 */
export function credentialIn(header: string | null, apiKeyScheme: boolean): string | undefined {
  const match = /^(Bearer|Api-Key) +(\S+)$/i.exec(header?.trim() ?? '');
  if (match === null || (match[1]?.toLowerCase() === 'api-key' && !apiKeyScheme)) return undefined;
  return match[2];
}

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

function rowOfAccessToken(core: Core, hash: string): KeyRow | undefined {
  return core.db.get<KeyRow>(
    `${keyQuery} JOIN access_tokens a ON a.key_id = k.id WHERE a.hash = ? AND a.kind = 'access' AND a.expires_at > ?`,
    hash,
    core.clock.now(),
  );
}

function scopeOf(core: Core, keyId: number): ReadonlySet<number> {
  const rows = core.db.all<{ deployment_id: number }>(
    'SELECT deployment_id FROM api_key_deployments WHERE key_id = ?',
    keyId,
  );
  return new Set(rows.map((row) => row.deployment_id));
}
