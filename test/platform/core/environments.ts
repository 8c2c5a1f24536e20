import type { EnvironmentInfo } from '../deps.ts';
import type { Core } from './core.ts';
import type { BranchRow } from './rows.ts';

interface ServedBranch extends BranchRow {
  readonly active: number;
}

/**
 * The environments that are up: production (deploy branch), staging (shared branches whose staging environment is
 * always active) and development (dev branches that someone is in), in this order.
 */
export function listEnvironments(core: Core, deploymentId: number): EnvironmentInfo[] {
  const rows = core.db.all<ServedBranch>(
    `SELECT b.*, EXISTS (SELECT 1 FROM dev_mode m WHERE m.branch_id = b.id) AS active
     FROM branches b WHERE b.deployment_id = ? ORDER BY b.parent IS NOT NULL, b.is_dev, b.id`,
    deploymentId,
  );
  return rows.flatMap((row) => {
    const type = environmentType(row);
    return type === undefined ? [] : [environmentInfo(core, row, type)];
  });
}

/** An environment by its id, when it is up. */
export function environmentById(core: Core, id: string): EnvironmentInfo | undefined {
  const row = core.db.get<{ deployment_id: number; branch_name: string }>(
    'SELECT deployment_id, branch_name FROM environments WHERE id = ?',
    Number(id),
  );
  return row === undefined ? undefined : environmentOf(core, row.deployment_id, row.branch_name);
}

export function environmentOf(core: Core, deploymentId: number, branchName: string): EnvironmentInfo | undefined {
  const row = core.db.get<ServedBranch>(
    `SELECT b.*, EXISTS (SELECT 1 FROM dev_mode m WHERE m.branch_id = b.id) AS active
     FROM branches b WHERE b.deployment_id = ? AND b.name = ?`,
    deploymentId,
    branchName,
  );
  const type = row === undefined ? undefined : environmentType(row);
  return row === undefined || type === undefined ? undefined : environmentInfo(core, row, type);
}

function environmentType(row: ServedBranch): EnvironmentInfo['type'] | undefined {
  if (row.parent === null) return 'production';
  if (row.is_dev === 1) return row.active === 1 ? 'development' : undefined;
  return row.staging === 1 ? 'staging' : undefined;
}

function environmentInfo(core: Core, row: BranchRow, type: EnvironmentInfo['type']): EnvironmentInfo {
  return {
    id: String(environmentId(core, row)),
    deploymentId: String(row.deployment_id),
    name: type === 'production' ? 'Production' : row.name,
    type,
    branchName: row.name,
  };
}

/** Ids are kept, so that an environment that comes back has the address it had. */
function environmentId(core: Core, row: BranchRow): number {
  const known = core.db.get<{ id: number }>(
    'SELECT id FROM environments WHERE deployment_id = ? AND branch_name = ?',
    row.deployment_id,
    row.name,
  );
  if (known !== undefined) return known.id;
  return core.db.run('INSERT INTO environments (deployment_id, branch_name) VALUES (?, ?)', row.deployment_id, row.name)
    .id;
}
