import { checkDeletable, describeBranch, deleteBranch } from './branches.ts';
import type { Core } from './core.ts';
import { branchFiles } from './files.ts';
import { applyChange } from './journal.ts';
import { author, mergedCommit } from './merging.ts';
import { conflict, invalid, notFound } from './refusal.ts';
import { type BranchRow, branchByName, type Caller, type DeploymentRow } from './rows.ts';
import { publish, receive } from './upstream.ts';

/** What the Git operations answer. */
export interface Outcome {
  readonly branchName: string;
  readonly lastHash: string;
  readonly message: string;
}

/**
 * Commits a dev branch's working copy and moves its parent branch to the commit. Refused with 409 when the parent has
 * moved: pull first, nothing is lost.
 */
export async function commit(
  core: Core,
  caller: Caller,
  deployment: DeploymentRow,
  branch: BranchRow,
  message: string,
): Promise<Outcome> {
  const repository = core.repository(deployment.id);
  const parent = parentOf(core, deployment, branch);
  await repository.exclusive(async () => {
    await checkParent(core, deployment, branch);
    const [mine, theirs] = [repository.head(branch.name), repository.head(parent.name)];
    const dirty = await hasUncommitted(core, branch);
    if (!dirty && mine === theirs) throw invalid(`There is nothing to commit on "${branch.name}".`);
    const to = dirty ? await commitWorkingCopy(core, caller, branch, mine, message) : mine;
    const moves = [{ branch: parent.name, to, from: theirs }];
    await repository.setRefs(dirty ? [{ branch: branch.name, to, from: mine }, ...moves] : moves);
    await publish(core, deployment, parent.name);
  });
  core.builds.request(deployment.id, parent.name);
  return outcome(core, branch, `Committed to ${branch.name} and pushed to ${parent.name}.`);
}

/**
 * Takes in what was pushed to a connected repository, then checks that the branch has everything of its parent. To be
 * called inside `repository.exclusive`.
 * @throws Refusal 409 when the parent has moved
 */
export async function checkParent(core: Core, deployment: DeploymentRow, branch: BranchRow): Promise<void> {
  const repository = core.repository(deployment.id);
  const parent = parentOf(core, deployment, branch);
  await receive(core, deployment, parent.name);
  const [mine, theirs] = [repository.head(branch.name), repository.head(parent.name)];
  if (await repository.isAncestor(theirs, mine)) return;
  throw conflict(`Branch "${parent.name}" has moved since "${branch.name}" last took its changes: pull, then commit.`);
}

/**
 * Brings the parent's changes into a branch. Uncommitted work of a dev branch is kept: it is merged with them.
 * A conflict is 409 with the paths, and then nothing has changed.
 */
export async function pull(core: Core, caller: Caller, deployment: DeploymentRow, branch: BranchRow): Promise<Outcome> {
  if (branch.parent === null && deployment.github !== null) return pullUpstream(core, deployment, branch);
  const repository = core.repository(deployment.id);
  const parent = parentOf(core, deployment, branch);
  const changed = await repository.exclusive(async () => {
    await receive(core, deployment, parent.name);
    const [mine, theirs] = [repository.head(branch.name), repository.head(parent.name)];
    if (await repository.isAncestor(theirs, mine)) return false;
    const message = `Merge branch '${parent.name}' into ${branch.name}`;
    const commit = await mergedCommit(repository, author(core, caller), {
      mine,
      theirs,
      message,
      names: [branch.name, parent.name],
    });
    if (branch.is_dev === 0) {
      await repository.setRefs([{ branch: branch.name, to: commit, from: mine }]);
      return true;
    }
    const tree = await pulledWorkingCopy(core, caller, branch, { mine, theirs, commit });
    await applyChange(core, deployment.id, branch.name, { kind: 'checkout', tree, commit });
    return true;
  });
  if (changed) core.builds.request(deployment.id, branch.name);
  return outcome(
    core,
    branch,
    changed ? `Took the changes of ${parent.name}.` : `Already up to date with ${parent.name}.`,
  );
}

/** The deploy branch of a connected deployment takes what was pushed to the repository. */
async function pullUpstream(core: Core, deployment: DeploymentRow, branch: BranchRow): Promise<Outcome> {
  const repository = core.repository(deployment.id);
  const before = repository.head(branch.name);
  await repository.exclusive(() => receive(core, deployment, branch.name));
  const changed = repository.head(branch.name) !== before;
  if (changed) core.builds.request(deployment.id, branch.name);
  return outcome(core, branch, changed ? 'Took the changes of the connected repository.' : 'Already up to date.');
}

export interface MergeOptions {
  readonly message?: string | undefined;
  readonly squash?: boolean | undefined;
  readonly deleteBranch?: boolean | undefined;
}

/** Merges a branch into its parent, or into the deploy branch. 409: uncommitted work, or a conflict with its paths. */
export async function mergeInto(
  core: Core,
  caller: Caller,
  deployment: DeploymentRow,
  branch: BranchRow,
  target: BranchRow,
  options: MergeOptions,
): Promise<Outcome> {
  if (branch.name === target.name) throw invalid(`Branch "${branch.name}" cannot be merged into itself.`);
  if (options.deleteBranch === true) checkDeletable(core, caller, deployment, branch);
  const repository = core.repository(deployment.id);
  const merged = await repository.exclusive(async () => {
    if (branch.is_dev === 1 && (await hasUncommitted(core, branch))) {
      throw conflict(`Branch "${branch.name}" has uncommitted changes: commit or discard them, then merge.`);
    }
    await receive(core, deployment, target.name);
    const [ours, theirs] = [repository.head(target.name), repository.head(branch.name)];
    if (await repository.isAncestor(theirs, ours)) return false;
    const message = options.message?.trim() || `Merge branch '${branch.name}' into ${target.name}`;
    const to = await mergedCommit(repository, author(core, caller), {
      mine: ours,
      theirs,
      message,
      names: [target.name, branch.name],
      squash: options.squash === true,
      always: branch.is_dev === 0,
    });
    await repository.setRefs([{ branch: target.name, to, from: ours }]);
    await publish(core, deployment, target.name);
    return true;
  });
  const words = merged
    ? `Merged ${branch.name} into ${target.name}.`
    : `${target.name} has everything of ${branch.name} already.`;
  if (options.deleteBranch === true) await deleteBranch(core, caller, deployment, branch);
  if (merged) core.builds.request(deployment.id, target.name);
  return outcome(core, target, words);
}

/** Whether the working copy of a dev branch differs from its last commit. */
export async function hasUncommitted(core: Core, branch: BranchRow): Promise<boolean> {
  const repository = core.repository(branch.deployment_id);
  const [working, committed] = [
    await branchFiles(core, branch),
    await repository.indexOf(repository.head(branch.name)),
  ];
  if (working.size !== committed.size) return true;
  return [...working].some(([path, { hash }]) => committed.get(path)?.hash !== hash);
}

/** @throws Refusal 400 on the deploy branch, 404 */
export function parentOf(core: Core, deployment: DeploymentRow, branch: BranchRow): BranchRow {
  if (branch.parent === null) throw invalid(`Branch "${branch.name}" is the deploy branch: it has no parent.`);
  const parent = branchByName(core.db, deployment.id, branch.parent);
  if (parent === undefined) throw notFound(`The parent branch "${branch.parent}"`);
  return parent;
}

/** A dev branch's working copy after the parent's changes came in: a merge of uncommitted work and those. */
async function pulledWorkingCopy(
  core: Core,
  caller: Caller,
  branch: BranchRow,
  heads: { readonly mine: string; readonly theirs: string; readonly commit: string },
): Promise<string> {
  const repository = core.repository(branch.deployment_id);
  if (!(await hasUncommitted(core, branch))) return repository.treeOf(heads.commit);
  const work = await commitWorkingCopy(core, caller, branch, heads.mine, 'Uncommitted work');
  const merge = await repository.mergeTrees(work, heads.theirs);
  if (merge.ok) return merge.tree;
  throw conflict(
    `Uncommitted work on "${branch.name}" and the changes of "${branch.parent}" touch the same lines. Nothing was changed.`,
    merge.conflicts,
  );
}

async function commitWorkingCopy(
  core: Core,
  caller: Caller,
  branch: BranchRow,
  parent: string,
  message: string,
): Promise<string> {
  const repository = core.repository(branch.deployment_id);
  const tree = await repository.snapshot(repository.worktree(branch.name));
  return repository.commitTree({ tree, parents: [parent], message, author: author(core, caller) });
}

async function outcome(core: Core, branch: BranchRow, message: string): Promise<Outcome> {
  const { lastHash } = await describeBranch(core, branch);
  return { branchName: branch.name, lastHash, message };
}
