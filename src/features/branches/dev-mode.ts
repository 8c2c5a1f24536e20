import * as branchApi from '#api/resources/branches.ts';
import type { Client } from '#api/client/client.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import {
  type Branch,
  deployBranchOf,
  type PlatformData,
  type ProductionPass,
  roleOf,
  type Session,
  stagingRefusal,
  toBranch,
} from '#features/platform/index.ts';
import { Hint, UserError } from '#shell/user-error.ts';

interface Deps {
  readonly data: PlatformData;
  readonly session: Session;
}

/** Whether *Switch Dev Branch* accepts a branch of this name. */
export function canBeSwitchedTo(branchName: string): boolean {
  return branchApi.isDevBranch(branchName);
}

/**
 * Starts dev mode. On a shared branch or the deploy branch, the platform forks a personal `dev-…` branch; on a dev branch, it
 * makes that branch active again (docs/platform-api.md#branches-and-dev-mode). The returned branch becomes the one that saved
 * files are uploaded to.
 */
export async function startDevMode({ data, session }: Deps, target: BranchTarget): Promise<BranchTarget> {
  const { deploymentId, branchName } = target;
  const client = data.client(target.accountId);
  const answer = await client.call(branchApi.startDevMode, { params: { deploymentId }, body: { branchName } });
  return enterDevBranch({ data, session }, target, toBranch(answer));
}

/** Makes a dev branch that the platform returned the active one. */
async function enterDevBranch(
  { data, session }: Deps,
  target: DeploymentTarget,
  branch: Branch,
): Promise<BranchTarget> {
  if (!branchApi.isDevBranch(branch.name)) {
    throw new UserError(
      `The platform returned “${branch.name}”, which is not a dev branch, so nothing is uploaded to it. Refresh the branches and try again.`,
    );
  }
  const { accountId, deploymentId } = target;
  const entered = { accountId, deploymentId, branchName: branch.name };
  rememberBranch(data, target, branch);
  data.of(target).keyBranch.set(branch.name);
  // Reload before entering the branch: a list that was requested before the fork would report that the branch does not exist.
  refreshAfterChange(data, target);
  await session.enter(entered);
  return entered;
}

/**
 * Stops dev mode; the dev branch stays on the platform with everything that was saved to it. The request names no branch: it stops
 * the one on which the key is. If another window has started dev mode on another branch since, only this window leaves its own;
 * resolves to that other branch.
 */
export async function stopDevMode({ data, session }: Deps, target: DeploymentTarget): Promise<string | undefined> {
  const { deploymentId } = target;
  const { keyBranch } = data.of(target);
  const other = await branchElsewhere({ data, session }, target);
  if (other === undefined) {
    await data.client(target.accountId).call(branchApi.stopDevMode, { params: { deploymentId } });
    keyBranch.set('');
  }
  await session.leave(target);
  refreshAfterChange(data, target);
  return other;
}

/** Resolves to the dev branch on which the key is now, if the platform reports another one than the window's. */
async function branchElsewhere({ data, session }: Deps, target: DeploymentTarget): Promise<string | undefined> {
  const { keyBranch } = data.of(target);
  await keyBranch.refresh();
  const name = keyBranch.state.value.error === undefined ? keyBranch.value : undefined;
  const isOther = name !== undefined && branchApi.isDevBranch(name) && name !== session.activeBranch(target);
  return isOther ? name : undefined;
}

/**
 * Creates a shared branch and starts dev mode on it. A platform may return the dev branch that it forked or only the new branch
 * (docs/platform-api.md#createbranch); in the second case dev mode is started as on any other branch.
 */
export async function createAndEnterBranch(
  { data, session }: Deps,
  target: DeploymentTarget,
  options: { readonly name: string; readonly parentBranch: string | undefined },
): Promise<BranchTarget> {
  const branch = await createBranch({ data }, target, { ...options, enterDevMode: true });
  const { accountId, deploymentId } = target;
  return branchApi.isDevBranch(branch.name)
    ? enterDevBranch({ data, session }, target, branch)
    : startDevMode({ data, session }, { accountId, deploymentId, branchName: options.name });
}

/** Creates a shared branch. */
export async function createBranch(
  { data }: Pick<Deps, 'data'>,
  target: DeploymentTarget,
  options: {
    readonly name: string;
    readonly parentBranch: string | undefined;
    readonly enterDevMode?: true | undefined;
  },
): Promise<Branch> {
  const { name, parentBranch, enterDevMode } = options;
  const body = { name, parentBranch, enterDevMode };
  const client: Client = data.client(target.accountId);
  const answer = await client.call(branchApi.createBranch, { params: { deploymentId: target.deploymentId }, body });
  // The platform may return no more than “2xx”; the branch then has the requested name and parent.
  const branch = toBranch({ ...answer, name: answer.name ?? name, parentBranch: answer.parentBranch ?? parentBranch });
  rememberBranch(data, target, branch);
  refreshAfterChange(data, target);
  return branch;
}

/** Deletes a branch (docs/platform-api.md#deletebranch, optional); leaves it if it is the active dev branch. */
export async function deleteBranch({ data, session }: Deps, target: BranchTarget, pass: ProductionPass): Promise<void> {
  pass.use('deleteBranch', target);
  const { deploymentId, branchName } = target;
  const request = { params: { deploymentId }, query: { branchName } };
  await data.client(target.accountId).call(branchApi.deleteBranch, request, { beforeRetry: pass.beforeRetry });
  if (session.activeBranch(target) === branchName) await session.leave(target);
  const branches = data.of(target).branches;
  branches.set((branches.value ?? []).filter((branch) => branch.name !== branchName));
  refreshAfterChange(data, target);
}

/** Throws a `Hint` if the platform would refuse a staging environment (docs/platform-api.md#setbranchstagingenvironment). */
export async function refuseStaging({ data, session }: Deps, target: BranchTarget): Promise<void> {
  const branches = await data.of(target).branches.get();
  const branch = branches.find((other) => other.name === target.branchName);
  if (!branch) return;
  const refusal = stagingRefusal(branch, roleOf(branch, deployBranchOf(branches)?.name, session.myBranches(target)));
  if (refusal !== undefined) throw new Hint(refusal);
}

/**
 * Switches the staging environment of a shared branch on or off (docs/platform-api.md#setbranchstagingenvironment); resolves to
 * the branch in its new state.
 */
export async function setStaging(
  { data }: Pick<Deps, 'data'>,
  target: BranchTarget,
  enabled: boolean,
): Promise<Branch> {
  const { deploymentId, branchName } = target;
  const { data: answer } = await data
    .client(target.accountId)
    .call(branchApi.setBranchStagingEnvironment, { params: { deploymentId }, body: { enabled, branchName } });
  const known = data.of(target).branches.value?.find(({ name }) => name === branchName);
  const branch = answer ? toBranch(answer) : { ...(known ?? toBranch({ name: branchName })), staging: enabled };
  rememberBranch(data, target, branch);
  refreshAfterChange(data, target);
  return branch;
}

/** Describes the changes that are carried over to another dev branch because the previous one does not have them. */
export function carriedText(
  from: string | undefined,
  { files, unsaved }: { readonly files: number; readonly unsaved: number },
): string {
  if (from === undefined || files + unsaved === 0) return '';
  const parts = [files > 0 ? `${files} not pushed` : '', unsaved > 0 ? `${unsaved} not saved` : ''].filter(Boolean);
  return `; changes that “${from}” does not have stay here and are compared with it now: ${parts.join(', ')}`;
}

/** Returns why Git or this extension does not accept a branch name; `undefined` if the name is valid. */
export function branchNameProblem(name: string, existing: ReadonlySet<string>): string | undefined {
  if (name.trim() === '') return 'Enter a name.';
  if (branchApi.isDevBranch(name))
    return 'Names that begin with “dev-” are for personal dev branches: start dev mode instead.';
  if (!/^[\w./-]+$/.test(name)) return 'Use letters, digits, “-”, “_”, “.” and “/” only.';
  if (/^[./-]|[./]$|\.\.|\/\/|\.lock$|@\{/.test(name)) return 'Git does not accept this as a branch name.';
  return existing.has(name) ? `A branch “${name}” already exists.` : undefined;
}

function rememberBranch(data: PlatformData, target: DeploymentTarget, branch: Branch): void {
  const { branches } = data.of(target);
  const others = (branches.value ?? []).filter((other) => other.name !== branch.name);
  if (branches.value) branches.set([...others, branch]);
}

/** Reloads the branches to confirm a change that is already shown; environments follow branches. */
function refreshAfterChange(data: PlatformData, target: DeploymentTarget): void {
  const known = data.of(target);
  void known.branches.invalidate();
  if (known.environments.value) void known.environments.invalidate();
}
