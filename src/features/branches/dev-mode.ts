import * as branchApi from '#api/branches.ts';
import type { Client } from '#api/client.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import {
  type Branch,
  deployBranchOf,
  isDevBranch,
  type PlatformData,
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

/**
 * Starts dev mode: on a shared or the deploy branch the platform forks a personal `dev-…` branch, on a dev branch it makes
 * that one active again (docs/platform-api.md#branches-and-dev-mode). The answered branch becomes the one that saved files go to.
 */
export async function startDevMode({ data, session }: Deps, target: BranchTarget): Promise<BranchTarget> {
  const { deploymentId, branchName } = target;
  const client = data.client(target.accountId);
  const answer = await client.call(branchApi.startDevMode, { params: { deploymentId }, body: { branchName } });
  return enterDevBranch({ data, session }, target, toBranch(answer));
}

/** Makes a dev branch that the platform answered the active one. */
async function enterDevBranch(
  { data, session }: Deps,
  target: DeploymentTarget,
  branch: Branch,
): Promise<BranchTarget> {
  if (!isDevBranch(branch.name)) {
    throw new UserError(
      `The platform returned “${branch.name}”, which is not a dev branch, so nothing is uploaded to it. Refresh the branches and try again.`,
    );
  }
  const { accountId, deploymentId } = target;
  const entered = { accountId, deploymentId, branchName: branch.name };
  rememberBranch(data, target, branch);
  data.of(target).keyBranch.set(branch.name);
  // Before the branch is entered: a list that was asked for before the fork would say that it does not exist.
  refreshAfterChange(data, target);
  await session.enter(entered);
  return entered;
}

/** Stops dev mode; the dev branch stays on the platform with everything that was saved to it. */
export async function stopDevMode({ data, session }: Deps, target: DeploymentTarget): Promise<void> {
  const { deploymentId } = target;
  await data.client(target.accountId).call(branchApi.stopDevMode, { params: { deploymentId } });
  data.of(target).keyBranch.set('');
  await session.leave(target);
  refreshAfterChange(data, target);
}

/**
 * Creates a shared branch and starts dev mode on it. A platform may answer with the dev branch that it has forked, or with the
 * new branch only (docs/platform-api.md#createbranch): then dev mode is started as on any other branch.
 */
export async function createAndEnterBranch(
  { data, session }: Deps,
  target: DeploymentTarget,
  options: { readonly name: string; readonly parentBranch: string | undefined },
): Promise<BranchTarget> {
  const branch = await createBranch({ data }, target, { ...options, enterDevMode: true });
  const { accountId, deploymentId } = target;
  return isDevBranch(branch.name)
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
  // The answer of a platform need not hold more than “2xx”: what was asked for is what is there now.
  const branch = toBranch({ ...answer, name: answer.name ?? name, parentBranch: answer.parentBranch ?? parentBranch });
  rememberBranch(data, target, branch);
  refreshAfterChange(data, target);
  return branch;
}

/** Deletes a branch (docs/platform-api.md#deletebranch, optional); the active dev branch is left first. */
export async function deleteBranch({ data, session }: Deps, target: BranchTarget): Promise<void> {
  const { deploymentId, branchName } = target;
  await data.client(target.accountId).call(branchApi.deleteBranch, { params: { deploymentId }, query: { branchName } });
  if (session.activeBranch(target) === branchName) await session.leave(target);
  const branches = data.of(target).branches;
  branches.set((branches.value ?? []).filter((branch) => branch.name !== branchName));
  refreshAfterChange(data, target);
}

/** What the platform would refuse is said before it is asked (docs/platform-api.md#setbranchstagingenvironment). */
export async function refuseStaging({ data, session }: Deps, target: BranchTarget): Promise<void> {
  const branches = await data.of(target).branches.get();
  const branch = branches.find((other) => other.name === target.branchName);
  if (!branch) return;
  const refusal = stagingRefusal(branch, roleOf(branch, deployBranchOf(branches)?.name, session.myBranches(target)));
  if (refusal !== undefined) throw new Hint(refusal);
}

/** Switches the staging environment of a shared branch (docs/platform-api.md#setbranchstagingenvironment); the branch as the platform now has it. */
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

/** Says what is carried over to another dev branch, because the one that is left does not have it. */
export function carriedText(
  from: string | undefined,
  { files, unsaved }: { readonly files: number; readonly unsaved: number },
): string {
  if (from === undefined || files + unsaved === 0) return '';
  const parts = [files > 0 ? `${files} not pushed` : '', unsaved > 0 ? `${unsaved} not saved` : ''].filter(Boolean);
  return `; changes that “${from}” does not have stay here and are compared with it now: ${parts.join(', ')}`;
}

/** A name Git accepts for a branch, or why not. */
export function branchNameProblem(name: string, existing: ReadonlySet<string>): string | undefined {
  if (name.trim() === '') return 'Enter a name.';
  if (isDevBranch(name)) return 'Names that begin with “dev-” are for personal dev branches: start dev mode instead.';
  if (!/^[\w./-]+$/.test(name)) return 'Use letters, digits, “-”, “_”, “.” and “/” only.';
  if (/^[./-]|[./]$|\.\.|\/\/|\.lock$|@\{/.test(name)) return 'Git does not accept this as a branch name.';
  return existing.has(name) ? `A branch “${name}” already exists.` : undefined;
}

function rememberBranch(data: PlatformData, target: DeploymentTarget, branch: Branch): void {
  const { branches } = data.of(target);
  const others = (branches.value ?? []).filter((other) => other.name !== branch.name);
  if (branches.value) branches.set([...others, branch]);
}

/** Own writes are shown at once and confirmed by a refresh; environments follow branches. */
function refreshAfterChange(data: PlatformData, target: DeploymentTarget): void {
  const known = data.of(target);
  void known.branches.invalidate();
  if (known.environments.value) void known.environments.invalidate();
}
