import type { PlanView, SyncSession } from '#features/folders/index.ts';
import {
  deployBranchOf,
  fetchBranches,
  fetchDeployments,
  type LinkedFolder,
  type PlatformData,
  type Session,
} from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { Plan } from '#sync/core/planning/plan.ts';
import { type DeployBranch, deployBranch } from '#sync/core/target.ts';
import { deployPlan, deployRefusal, sendsWhatWasShown } from './deploy.ts';

/** The destination of a folder's deploy. */
export interface DeployTarget {
  readonly target: BranchTarget;
  readonly branch: DeployBranch;
}

const signIn = { title: 'Sign In', command: 'modelbench.signIn' } as const;

/**
 * Resolves to the deploy branch of a folder’s deployment. It reads both from the platform instead of this window's cache; throws
 * `UserError` or `Hint` with the next step if the folder cannot be deployed.
 */
export async function deployTargetOf(
  { data, session }: { readonly data: PlatformData; readonly session: Session },
  folder: LinkedFolder,
): Promise<DeployTarget> {
  const target = session.targetOf(folder);
  if (!target) throw new Hint('Sign in to the tenant of this folder first.', signIn);
  const client = data.client(target.accountId);
  const deployment = (await fetchDeployments(client)).find(({ id }) => id === target.deploymentId);
  if (!deployment) throw new UserError('The deployment of this folder is gone from the platform. Link another one.');
  const refusal = deployRefusal(deployment);
  if (refusal !== undefined) throw new Hint(refusal);
  const branch = deployBranchOf(await fetchBranches(client, target.deploymentId));
  const checked = deployBranch(branch ?? { name: '', parentBranch: 'none' }, deployment.deployMode);
  if (!branch || !checked.ok) throw new Hint('This deployment has no deploy branch to upload to.');
  return { target: { ...target, branchName: branch.name }, branch: checked.value };
}

/** Returns the guards of a deploy that the user must confirm; throws `UserError` if one of them cannot be confirmed. */
export function deployGuards(shown: Plan): Plan['guards'] {
  const guards = shown.guards.filter(({ blocks }) => blocks !== 'pull');
  const blocking = guards.find(({ confirmable }) => !confirmable);
  if (blocking) throw new UserError(blocking.message);
  return guards;
}

/**
 * Compares again and resolves to the later plan. Throws `UserError` if it differs from the shown and confirmed one, and `Hint` if
 * the plan was closed.
 */
export async function asShown(
  { plan, operations }: { readonly plan: Pick<PlanView, 'open'>; readonly operations: Operations },
  session: SyncSession,
  shown: Plan,
  selection: ReadonlySet<string>,
): Promise<Plan> {
  const isOpen = (): boolean => plan.open.value?.session === session;
  const compare = async (): Promise<Plan> =>
    operations.run({
      label: `Comparing with ${session.target.branchName}`,
      key: session.folder.folderId,
      run: async ({ signal }) => session.sync.plan({ signal }),
    });
  const now = isOpen() ? await compare() : undefined;
  if (!now || !isOpen()) throw new Hint('The plan was closed meanwhile, so nothing was deployed. Deploy again.');
  const { plan: later } = deployPlan(now);
  if (sendsWhatWasShown(shown, later, selection)) return later;
  throw new UserError('The folder or the deploy branch changed meanwhile, so nothing was deployed. Review the plan.');
}
