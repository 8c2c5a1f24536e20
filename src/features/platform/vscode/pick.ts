import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import { type Branch, deployBranchOf, type BranchRole, roleOf, shortHash } from '#features/platform/branches.ts';
import { type LinkedDeployment, linkedDeployments } from '#features/platform/linked-deployments.ts';
import type { Deployment } from '#features/platform/deployments.ts';
import { Hint } from '#shell/user-error.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import type { DeploymentPickDeps } from './deps.ts';
import { pickAccount, signIn } from '#features/accounts/vscode/index.ts';

/** Asks for a deployment of any account; asks the user to sign in first if there is no account. */
export async function pickDeployment(
  services: Omit<DeploymentPickDeps, 'session'>,
  placeHolder: string,
): Promise<(DeploymentTarget & { readonly deployment: Deployment }) | undefined> {
  const account =
    services.accounts.all.value.length === 0 ? await signIn(services) : await pickAccount(services, 'Which account?');
  if (!account) return undefined;
  const list = services.data.deployments(account.id).get();
  const items = list.then((deployments) =>
    deployments.map((deployment) => ({
      label: textOf(deployment.name),
      description: text`#${deployment.id}`,
      deployment,
    })),
  );
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: textOf(placeHolder),
    matchOnDescription: true,
    none: noDeployment(account.label),
  });
  return picked && { accountId: account.id, deploymentId: picked.deployment.id, deployment: picked.deployment };
}

/** What to say of an account without deployments. */
export function noDeployment(account: string): UserText {
  return text`${account} has no deployment that this key may see. Ask for access, or sign in with another key.`;
}

/**
 * Resolves to the given deployment, or else the shown one, or else asks for one. It also asks if folders of this window are
 * linked to several deployments: the shown one may belong to another folder than the one that the user means.
 */
export async function deploymentOrPick(
  services: DeploymentPickDeps,
  target: DeploymentTarget | undefined,
): Promise<DeploymentTarget | undefined> {
  if (target) return target;
  const linked = linkedDeployments(services.session);
  if (linked.length > 1) return pickLinked(services, linked);
  const known = services.session.active.value;
  if (known) return known;
  const picked = await pickDeployment(services, 'Which deployment?');
  if (picked) await services.session.select(picked);
  return picked;
}

/** Asks for one of several deployments that folders of this window are linked to. */
export async function pickLinked(
  { data, session }: Pick<DeploymentPickDeps, 'data' | 'session'>,
  linked: readonly LinkedDeployment[],
): Promise<DeploymentTarget | undefined> {
  const items = linked.map(({ target, folders }) => ({
    label: textOf(data.titleOf(target)),
    description: textOf([...folders, session.activeBranch(target) ?? 'no dev branch'].join(' · ')),
    target,
  }));
  const options = { placeHolder: text`Which deployment?`, matchOnDescription: true };
  return (await vscode.window.showQuickPick(items, options))?.target;
}

export interface BranchChoice {
  readonly title: string;
  readonly placeHolder: string;
  /** Selects the branches to offer. */
  readonly offer: (branch: Branch, role: BranchRole) => boolean;
  /** The message if there is no branch to offer. */
  readonly none: string;
}

/** Asks for a branch of a deployment. */
export async function pickBranch(
  services: Pick<DeploymentPickDeps, 'data' | 'session'>,
  deployment: DeploymentTarget,
  choice: BranchChoice,
): Promise<BranchTarget | undefined> {
  const mine = services.session.myBranches(deployment);
  const active = services.session.activeBranch(deployment);
  const branches = await services.data.of(deployment).branches.get();
  const deploy = deployBranchOf(branches)?.name;
  const items = branches
    .map((branch) => ({ branch, role: roleOf(branch, deploy, mine) }))
    .filter(({ branch, role }) => choice.offer(branch, role))
    .map(({ branch, role }) => ({
      label: textOf(branch.name),
      description: textOf(
        [roleLabels[role], branch.name === active ? 'active' : '', branch.staging ? 'staging' : '']
          .filter((fact) => fact !== '')
          .join(' · '),
      ),
      detail: textOf(shortHash(branch.lastHash) ?? ''),
      branch,
    }));
  if (items.length === 0) throw new Hint(choice.none);
  const picked = await vscode.window.showQuickPick(items, {
    title: textOf(choice.title),
    placeHolder: textOf(choice.placeHolder),
    matchOnDescription: true,
  });
  return (
    picked && {
      accountId: deployment.accountId,
      deploymentId: deployment.deploymentId,
      branchName: picked.branch.name,
    }
  );
}

const roleLabels: Readonly<Record<BranchRole, string>> = {
  deploy: 'deploy branch',
  shared: 'shared branch',
  mine: 'my dev branch',
  others: 'dev branch started elsewhere',
};
