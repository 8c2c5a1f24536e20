import * as vscode from '#vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { advanceCreationStep, resetCreationStep } from '#api/deployments.ts';
import {
  connectGithub,
  getGithubStatus,
  listGithubBranches,
  listGithubInstallations,
  listGithubRepositories,
} from '#api/github.ts';
import { UserError } from '#features/user-error.ts';
import type { DeploymentTarget } from '#protocol/targets.ts';
import { confirm } from '../protection.ts';
import { type ConsoleServices, titleOf } from './deps.ts';

/** Connects a deployment to a branch of a GitHub repository: installation, repository, branch (management 4.11). */
export async function connectToGithub(services: ConsoleServices, target: DeploymentTarget): Promise<void> {
  const title = `Connect ${titleOf(services, target)} to GitHub`;
  const client = services.data.client(target.accountId);
  const { connected } = await client.call(getGithubStatus, {});
  if (connected === false) {
    throw new UserError(
      'This account is not connected to GitHub. Connect it in the account’s settings on the platform.',
    );
  }
  const { data: installations } = await client.call(listGithubInstallations, {});
  const installation = await choose(title, 'Which GitHub installation?', installations, ({ id, account }) => ({
    label: textOf(account ?? id),
    description: account === undefined ? text`` : text`#${id}`,
  }));
  if (!installation) return;
  const params = { installationId: installation.id };
  const { data: repositories } = await client.call(listGithubRepositories, { params });
  const repository = await choose(title, 'Which repository?', repositories, ({ name, defaultBranch = '' }) => ({
    label: textOf(name),
    description: textOf(defaultBranch),
  }));
  if (!repository) return;
  const owner = repository.owner ?? installation.account ?? '';
  const { name: repo, defaultBranch } = repository;
  const { data: branches } = await client.call(listGithubBranches, { params: { owner, repo } });
  const branch = await choose(title, 'Which branch is deployed?', branches, ({ name }) => ({
    label: textOf(name),
    description: name === defaultBranch ? text`default` : text``,
  }));
  if (!branch) return;
  const sure = await confirm({
    title: text`${title}?`,
    detail: text`The model of ${owner}/${repo}, branch “${branch.name}”, becomes the deployment’s, and the first build starts.`,
    button: 'Connect',
  });
  if (!sure) return;
  await services.operations.run({
    label: text`Cloning ${owner}/${repo}`,
    key: `github ${target.accountId} ${target.deploymentId}`,
    run: async () =>
      client.call(connectGithub, {
        params: { deploymentId: target.deploymentId },
        body: { owner, repo, branch: branch.name },
      }),
  });
  await services.data.of(target).branches.invalidate();
  vscode.window.setStatusBarMessage(text`$(check) Connected to ${owner}/${repo}`, 5000);
}

/** Moves the platform's setup wizard of a deployment on, or starts it again (management 4.11). */
export async function changeCreationStep(services: ConsoleServices, target: DeploymentTarget): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    [
      { label: text`Next Step`, op: advanceCreationStep },
      { label: text`Start Again`, op: resetCreationStep },
    ],
    { title: text`Setup of ${titleOf(services, target)}`, placeHolder: text`Move the platform’s setup wizard` },
  );
  if (!picked) return;
  const { deploymentId } = target;
  const answer = await services.data.client(target.accountId).call(picked.op, { params: { deploymentId } });
  await services.data.deployments(target.accountId).invalidate();
  vscode.window.setStatusBarMessage(text`$(check) The setup is at “${answer?.creationStep ?? 'another step'}”`, 5000);
}

async function choose<T>(
  title: string,
  placeHolder: string,
  all: readonly T[],
  row: (item: T) => vscode.QuickPickItem,
): Promise<T | undefined> {
  if (all.length === 0)
    throw new UserError(`${placeHolder} The platform lists none: check what GitHub gives it access to.`);
  const items = all.map((item) => ({ ...row(item), item }));
  return (
    await vscode.window.showQuickPick(items, {
      title: textOf(title),
      placeHolder: textOf(placeHolder),
      ignoreFocusOut: true,
      matchOnDescription: true,
    })
  )?.item;
}
