import type { Core } from './core.ts';
import { conflict, forbidden, invalid, notFound } from './refusal.ts';
import { type BranchRow, branchByName, type Caller, type DeploymentRow } from './rows.ts';

/** A branch, with the deploy branch's parent null (docs/platform-api.md#branches-and-dev-mode). */
export interface BranchJson {
  readonly id: number;
  readonly name: string;
  readonly parentBranch: string | null;
  readonly lastHash: string;
  readonly isStagingEnvironmentEnabled: boolean;
}

export async function listBranches(core: Core, deployment: DeploymentRow): Promise<BranchJson[]> {
  const rows = core.db.all<BranchRow>(
    'SELECT * FROM branches WHERE deployment_id = ? ORDER BY parent IS NOT NULL, is_dev, name',
    deployment.id,
  );
  const repository = core.repository(deployment.id);
  if (rows.length === 0 || !repository.exists) return [];
  const refs = repository.refs();
  return rows.map((row) => branchJson(row, refs.get(row.name) ?? ''));
}

export async function describeBranch(core: Core, row: BranchRow): Promise<BranchJson> {
  const refs = core.repository(row.deployment_id).refs();
  return branchJson(row, refs.get(row.name) ?? '');
}

/**
 * The branch a request means: the named one, else the caller's active dev branch, else the deploy branch.
 * @throws Refusal 404
 */
export function resolveBranch(core: Core, caller: Caller, deployment: DeploymentRow, name?: string): BranchRow {
  const row = name === undefined ? activeDevBranch(core, caller, deployment) : findBranch(core, deployment, name);
  const branch = row ?? (name === undefined ? findBranch(core, deployment, deployment.deploy_branch) : undefined);
  if (branch === undefined) throw notFound(`Branch "${name ?? deployment.deploy_branch}"`);
  return branch;
}

/**
 * As `resolveBranch`, for file writes: they land on the caller's own dev branches while dev mode is on (docs/platform-api.md#branches-and-dev-mode).
 * @throws Refusal 403, 404
 */
export function writableBranch(core: Core, caller: Caller, deployment: DeploymentRow, name?: string): BranchRow {
  const branch = resolveBranch(core, caller, deployment, name);
  if (branch.is_dev === 0) {
    throw forbidden(
      `Branch "${branch.name}" is not a dev-mode branch: start dev mode and write to the dev branch it returns.`,
    );
  }
  if (branch.owner_id !== caller.userId) {
    throw forbidden(
      `Branch "${branch.name}" is another person's dev-mode branch: start dev mode on a branch of your own.`,
    );
  }
  if (!isInDevMode(core, branch)) {
    throw forbidden(`Branch "${branch.name}" is not an active dev-mode branch: start dev mode on it again.`);
  }
  return branch;
}

export function activeDevBranch(core: Core, caller: Caller, deployment: DeploymentRow): BranchRow | undefined {
  return core.db.get<BranchRow>(
    `SELECT b.* FROM branches b JOIN dev_mode m ON m.branch_id = b.id WHERE m.key_id = ? AND m.deployment_id = ?`,
    caller.keyId,
    deployment.id,
  );
}

function isInDevMode(core: Core, branch: BranchRow): boolean {
  return core.db.get('SELECT 1 FROM dev_mode WHERE branch_id = ?', branch.id) !== undefined;
}

/** Creates a shared branch at the head of its parent (the deploy branch unless named). */
export async function createBranch(
  core: Core,
  deployment: DeploymentRow,
  input: { readonly name: string; readonly parentBranch?: string | undefined },
): Promise<BranchRow> {
  checkName(input.name);
  const parent = findBranch(core, deployment, input.parentBranch ?? deployment.deploy_branch);
  if (parent === undefined) throw notFound(`Branch "${input.parentBranch ?? deployment.deploy_branch}"`);
  if (parent.is_dev === 1) throw invalid('A shared branch cannot be started from a dev-mode branch.');
  const repository = core.repository(deployment.id);
  return repository.exclusive(async () => {
    if (findBranch(core, deployment, input.name) !== undefined) {
      throw conflict(`Branch "${input.name}" exists already.`);
    }
    const taken = [...repository.refs().keys()].find(
      (ref) => ref.startsWith(`${input.name}/`) || input.name.startsWith(`${ref}/`),
    );
    if (taken !== undefined) throw conflict(`Branch "${input.name}" cannot exist beside branch "${taken}".`);
    // A ref without a row is what a killed request left: it was never acknowledged.
    if (repository.refs().has(input.name)) await repository.deleteRef(input.name);
    await repository.setRefs([{ branch: input.name, to: repository.head(parent.name) }]);
    core.db.run(
      'INSERT INTO branches (deployment_id, name, parent, created_at) VALUES (?, ?, ?, ?)',
      deployment.id,
      input.name,
      parent.name,
      core.now(),
    );
    return branchByName(core.db, deployment.id, input.name) as BranchRow;
  });
}

/** @throws Refusal when the branch must stay: the deploy branch, another user's, the parent of another one */
export function checkDeletable(core: Core, caller: Caller, deployment: DeploymentRow, branch: BranchRow): void {
  if (branch.parent === null) throw invalid(`Branch "${branch.name}" is the deploy branch and cannot be deleted.`);
  // What a deleted user left behind is everybody's to tidy away.
  if (branch.is_dev === 1 && branch.owner_id !== null && branch.owner_id !== caller.userId) {
    throw forbidden(`Branch "${branch.name}" is another person's dev-mode branch.`);
  }
  const child = core.db.get<{ name: string }>(
    'SELECT name FROM branches WHERE deployment_id = ? AND parent = ?',
    deployment.id,
    branch.name,
  );
  if (child !== undefined) {
    throw conflict(`Branch "${branch.name}" is the parent of "${child.name}": merge or delete that one first.`);
  }
}

/** Deletes a shared branch or one's own dev branch, with its working copy. */
export async function deleteBranch(
  core: Core,
  caller: Caller,
  deployment: DeploymentRow,
  branch: BranchRow,
): Promise<void> {
  checkDeletable(core, caller, deployment, branch);
  const repository = core.repository(deployment.id);
  await repository.exclusive(async () => {
    core.db.transaction(() => {
      core.db.run('DELETE FROM builds WHERE deployment_id = ? AND branch_name = ?', deployment.id, branch.name);
      core.db.run('DELETE FROM uploads WHERE deployment_id = ? AND branch_name = ?', deployment.id, branch.name);
      core.db.run('DELETE FROM branches WHERE id = ?', branch.id);
    });
    if (branch.is_dev === 1) await repository.removeWorktree(branch.name);
    await repository.deleteRef(branch.name);
  });
}

function checkName(name: string): void {
  if (name.startsWith('dev-')) {
    throw invalid('Names that begin with "dev-" are kept for dev-mode branches: choose another name.');
  }
  const segment = String.raw`(?!\.)(?:(?!\.\.|@\{)[\w.@+-])+(?<!\.lock)(?<!\.)`;
  if (!new RegExp(`^(?!-)(?!HEAD$)(?!@$)${segment}(?:/${segment})*$`, 'u').test(name) || name.length > 120) {
    throw invalid(`"${name}" cannot be the name of a branch: use letters, digits, ".", "_", "-" and "/".`);
  }
}

const findBranch = (core: Core, deployment: DeploymentRow, name: string): BranchRow | undefined =>
  branchByName(core.db, deployment.id, name);

const branchJson = (row: BranchRow, lastHash: string): BranchJson => ({
  id: row.id,
  name: row.name,
  parentBranch: row.parent,
  lastHash,
  isStagingEnvironmentEnabled: row.staging === 1,
});
