import { activeDevBranch } from './branches.ts';
import type { Core } from './core.ts';
import { forbidden, notFound } from './refusal.ts';
import { type BranchRow, branchByName, type Caller, type DeploymentRow } from './rows.ts';

/**
 * Starts dev mode for the caller's credential (docs/platform-api.md#branches-and-dev-mode). On a shared or the deploy branch
 * it forks a personal branch, on one's own stopped dev branch it continues there; the credential's other dev branch stops
 * being active. Asking again for the branch one is forked from changes nothing, so that a lost answer may be asked for
 * again.
 */
export async function startDevMode(
  core: Core,
  caller: Caller,
  deployment: DeploymentRow,
  name: string,
): Promise<BranchRow> {
  const target = branchByName(core.db, deployment.id, name);
  if (target === undefined) throw notFound(`Branch "${name}"`);
  if (target.is_dev === 1 && target.owner_id !== caller.userId) {
    throw forbidden(`Branch "${name}" is another person's dev-mode branch: start dev mode on its parent instead.`);
  }
  const repository = core.repository(deployment.id);
  const branch = await repository.exclusive(async () => {
    const active = activeDevBranch(core, caller, deployment);
    if (active !== undefined && (active.parent === name || active.name === name)) return active;
    const row = target.is_dev === 1 ? target : await fork(core, caller, deployment, target);
    core.db.run(
      `INSERT INTO dev_mode (key_id, deployment_id, branch_id) VALUES (?, ?, ?)
       ON CONFLICT (key_id, deployment_id) DO UPDATE SET branch_id = excluded.branch_id`,
      caller.keyId,
      deployment.id,
      row.id,
    );
    return row;
  });
  core.builds.request(deployment.id, branch.name);
  return branch;
}

/** Stops dev mode for the caller's credential; the branch and its uncommitted work stay. */
export function stopDevMode(core: Core, caller: Caller, deployment: DeploymentRow): BranchRow | undefined {
  const active = activeDevBranch(core, caller, deployment);
  core.db.run('DELETE FROM dev_mode WHERE key_id = ? AND deployment_id = ?', caller.keyId, deployment.id);
  return active;
}

async function fork(core: Core, caller: Caller, deployment: DeploymentRow, parent: BranchRow): Promise<BranchRow> {
  const repository = core.repository(deployment.id);
  const refs = repository.refs();
  const person =
    caller.userEmail
      .split('@')[0]
      ?.toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-') ?? 'user';
  let number = 1;
  while (refs.has(`dev-${person}-${number}`)) number++;
  const name = `dev-${person}-${number}`;
  await repository.addDevBranch(name, repository.head(parent.name));
  core.db.run(
    'INSERT INTO branches (deployment_id, name, parent, owner_id, is_dev, created_at) VALUES (?, ?, ?, ?, 1, ?)',
    deployment.id,
    name,
    parent.name,
    caller.userId,
    core.now(),
  );
  return branchByName(core.db, deployment.id, name) as BranchRow;
}
