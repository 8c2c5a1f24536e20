import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { AuditEntry, LogEntry, ModelCompiler } from '../deps.ts';
import { Repository } from '../git/repository.ts';
import type { Database } from '../state/database.ts';
import { Builds } from './builds.ts';
import { podName } from './pods.ts';

const keptLogRows = 2000;

/** What every route works with: rows, repositories, builds, time, and the two places where events go. */
export class Core {
  readonly db: Database;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly engine: ModelCompiler;
  readonly builds: Builds;
  readonly #repositories = new Map<number, Repository>();

  constructor(init: { db: Database; dataDir: string; clock: Clock; engine: ModelCompiler }) {
    this.db = init.db;
    this.dataDir = init.dataDir;
    this.clock = init.clock;
    this.engine = init.engine;
    this.builds = new Builds(this);
  }

  /** Now, as ISO 8601 text. */
  now(): string {
    return new Date(this.clock.now()).toISOString();
  }

  repository(deploymentId: number): Repository {
    const known = this.#repositories.get(deploymentId);
    if (known !== undefined) return known;
    const repository = new Repository(join(this.dataDir, 'git', String(deploymentId)));
    this.#repositories.set(deploymentId, repository);
    return repository;
  }

  async removeRepository(deploymentId: number): Promise<void> {
    this.#repositories.delete(deploymentId);
    await rm(join(this.dataDir, 'git', String(deploymentId)), { recursive: true, force: true, maxRetries: 3 });
  }

  /** Records an event for the audit log, when the tenant has it switched on. */
  audit(entry: AuditEntry): void {
    this.db.run(
      `INSERT INTO audit_events (tenant_id, date, event_name, user_email, deployment_id, data)
       SELECT id, ?, ?, ?, ?, ? FROM tenants WHERE id = ? AND audit_enabled = 1`,
      this.now(),
      entry.eventName,
      entry.userEmail,
      entry.deploymentId === undefined ? null : Number(entry.deploymentId),
      JSON.stringify(entry.data ?? {}),
      entry.tenantId,
    );
  }

  /** Adds a line to a deployment's container logs; old lines go. */
  log(entry: LogEntry): void {
    const deployment = Number(entry.deploymentId);
    const { id } = this.db.run(
      `INSERT INTO logs (deployment_id, date, source, container, pod, branch_name, message)
       SELECT id, ?, ?, ?, ?, ?, ? FROM deployments WHERE id = ?`,
      this.now(),
      entry.source,
      entry.container,
      podName(this, deployment, entry.source === 'production' ? undefined : entry.branchName),
      entry.branchName ?? null,
      entry.message,
      deployment,
    );
    if (id % 256 === 0) {
      this.db.run(
        `DELETE FROM logs WHERE deployment_id = ? AND id <=
         (SELECT id FROM logs WHERE deployment_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
        deployment,
        deployment,
        keptLogRows,
      );
    }
  }
}
