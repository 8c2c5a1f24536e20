import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { advanceCreationStep, resetCreationStep } from '#api/deployments.ts';
import {
  connectGithub,
  getGithubStatus,
  listGithubBranches,
  listGithubInstallations,
  listGithubRepositories,
  loginOf,
} from '#api/github.ts';
import type { Client } from '#api/client.ts';
import type { AnswerOf } from '#api/operation.ts';
import { shownRows } from '#shell/shown-rows.ts';
import { UserError } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { titleOf } from '#features/platform/vscode/document-title.ts';
import type { ChangeDeps } from './deps.ts';

/** Connects a deployment to a branch of a GitHub repository: installation, repository, branch (docs/platform-api.md#connectgithub). */
export async function connectToGithub(services: ChangeDeps, target: DeploymentTarget): Promise<void> {
  const title = `Connect ${titleOf(services, target)} to GitHub`;
  const client = services.data.client(target.accountId);
  const { connected } = await client.call(getGithubStatus, {});
  if (connected === false) {
    throw new UserError(
      'This account is not connected to GitHub. Connect it in the account’s settings on the platform.',
    );
  }
  const repository = await chooseRepository(client, title);
  if (!repository) return;
  const { owner, repo } = repository;
  const branch = await chooseBranch(client, title, repository);
  if (branch === undefined) return;
  const sure = await confirm({
    title: text`${title}?`,
    detail: text`The deployment takes its model from branch “${branch}” of ${owner}/${repo}, and the first build starts.`,
    button: 'Connect',
  });
  if (!sure) return;
  await services.operations.run({
    label: text`Cloning ${owner}/${repo}`,
    key: `github ${target.accountId} ${target.deploymentId}`,
    run: async () =>
      client.call(connectGithub, {
        params: { deploymentId: target.deploymentId },
        body: { owner, repo, branch },
      }),
  });
  await services.data.of(target).branches.invalidate();
  vscode.window.setStatusBarMessage(text`$(check) Connected to ${owner}/${repo}`, 5000);
}

/** Moves the platform's setup wizard of a deployment on, or starts it again (docs/platform-api.md#advancecreationstep). */
export async function changeCreationStep(services: ChangeDeps, target: DeploymentTarget): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    [
      { label: text`Next Step`, op: advanceCreationStep },
      { label: text`Start Again`, op: resetCreationStep },
    ],
    {
      title: text`Setup of ${titleOf(services, target)}`,
      placeHolder: text`Which setup step should the platform’s wizard show?`,
    },
  );
  if (!picked) return;
  const { deploymentId } = target;
  const answer = await services.data.client(target.accountId).call(picked.op, { params: { deploymentId } });
  await services.data.deployments(target.accountId).invalidate();
  vscode.window.setStatusBarMessage(text`$(check) The setup is at “${answer?.creationStep ?? 'another step'}”`, 5000);
}

interface Repository {
  readonly owner: string;
  readonly repo: string;
  readonly defaultBranch?: string | undefined;
}

/** No fields of these lists are documented: what cannot be chosen from them can be typed. */
async function chooseRepository(client: Client, title: string): Promise<Repository | undefined> {
  const installations = (await shownRows(async () => client.call(listGithubInstallations, {}))) ?? [];
  const known = installations.flatMap(({ id, account }) =>
    id === undefined ? [] : [{ id, account: loginOf(account) }],
  );
  const installation = await choose(title, 'Which GitHub installation?', 'Another Repository…', known, (each) => ({
    label: textOf(each.account ?? each.id),
    description: each.account === undefined ? text`` : text`#${each.id}`,
  }));
  if (installation === undefined) return undefined;
  if (installation === 'another') return typeRepository(title);
  const params = { installationId: installation.id };
  const rows = (await shownRows(async () => client.call(listGithubRepositories, { params }))) ?? [];
  const repositories = rows.flatMap((row) => repositoryOf(row, installation.account) ?? []);
  const chosen = await choose(title, 'Which repository?', 'Another Repository…', repositories, (each) => ({
    label: textOf(each.repo),
    description: textOf(each.defaultBranch ?? ''),
  }));
  return chosen === 'another' ? typeRepository(title) : chosen;
}

type RepositoryRow = AnswerOf<typeof listGithubRepositories>['data'][number];

function repositoryOf({ name, owner, fullName, defaultBranch }: RepositoryRow, account = ''): Repository | undefined {
  const [fullOwner, fullRepo] = fullName?.split('/') ?? [];
  const repo = name ?? fullRepo;
  return repo === undefined ? undefined : { owner: loginOf(owner) ?? fullOwner ?? account, repo, defaultBranch };
}

async function typeRepository(title: string): Promise<Repository | undefined> {
  const typed = await askChecked({
    title,
    prompt: 'The repository, as owner/name',
    placeholder: 'acme/shop-model',
    validate: (value) =>
      /^[^\s/]+\/[^\s/]+$/.test(value.trim()) ? undefined : 'Enter an owner and a name: owner/name.',
  });
  const [owner, repo] = typed?.trim().split('/') ?? [];
  return owner === undefined || repo === undefined ? undefined : { owner, repo };
}

async function chooseBranch(
  client: Client,
  title: string,
  { owner, repo, defaultBranch }: Repository,
): Promise<string | undefined> {
  const rows = (await shownRows(async () => client.call(listGithubBranches, { params: { owner, repo } }))) ?? [];
  const names = rows.flatMap(({ name }) => name ?? []);
  const prompt = 'Which branch is deployed?';
  const chosen = await choose(
    title,
    prompt,
    'Another Branch…',
    names.map((name) => ({ name })),
    ({ name }) => ({
      label: textOf(name),
      description: name === defaultBranch ? text`default` : text``,
    }),
  );
  if (chosen !== 'another') return chosen?.name;
  const validate = (value: string): string | undefined => (value.trim() === '' ? 'Enter a branch.' : undefined);
  return (await askChecked({ title, prompt, value: defaultBranch, validate }))?.trim();
}

/** A row of a list or, as the last row and where the list is empty, something that is typed. */
async function choose<T extends object>(
  title: string,
  placeHolder: string,
  other: string,
  all: readonly T[],
  row: (item: T) => vscode.QuickPickItem,
): Promise<T | 'another' | undefined> {
  if (all.length === 0) return 'another';
  const items = [
    ...all.map((item) => ({ ...row(item), item })),
    { label: text`$(edit) ${other}`, item: 'another' as const },
  ];
  return (
    await vscode.window.showQuickPick(items, {
      title: textOf(title),
      placeHolder: textOf(placeHolder),
      ignoreFocusOut: true,
      matchOnDescription: true,
    })
  )?.item;
}
