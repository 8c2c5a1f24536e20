import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import {
  connectRepository,
  Github,
  moveSetup,
  parseRepository,
  type Repository,
} from '#features/deployments/github.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { writeAtGate } from '#features/platform/vscode/index.ts';
import { titleOf } from '#features/platform/index.ts';
import type { ChangeDeps } from './deps.ts';

/** Connects a deployment to a branch of a GitHub repository: asks for installation, repository and branch. */
export async function connectToGithub(services: ChangeDeps, target: DeploymentTarget): Promise<void> {
  const title = `Connect ${titleOf(services, target)} to GitHub`;
  const github = new Github(services, target.accountId);
  await github.requireConnection();
  const repository = await chooseRepository(github, title);
  if (!repository) return;
  const { owner, repo } = repository;
  const branch = await chooseBranch(github, title, repository);
  if (branch === undefined) return;
  const from = `${owner}/${repo}`;
  const write = { step: 'connectGithub', target, from, to: branch, isDeploy: true } as const;
  const detail = `The deployment takes its model from branch “${branch}” of ${from}, and the first build starts.`;
  const outcome = await writeAtGate(services, { ...write, detail }, async (pass) =>
    connectRepository(services, target, { owner, repo, branch }, pass),
  );
  if (outcome.kind !== 'sent') return;
  vscode.window.setStatusBarMessage(text`$(check) Connected to ${owner}/${repo}`, 5000);
}

/** Asks how to move the platform's setup wizard of a deployment, and moves it. */
export async function changeCreationStep(services: ChangeDeps, target: DeploymentTarget): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    [
      { label: text`Next Step`, move: 'next' },
      { label: text`Start Again`, move: 'startAgain' },
    ] as const,
    {
      title: text`Setup of ${titleOf(services, target)}`,
      placeHolder: text`Which setup step should the platform’s wizard show?`,
    },
  );
  if (!picked) return;
  const step = await moveSetup(services.data, target, picked.move);
  vscode.window.setStatusBarMessage(text`$(check) The setup is now at “${step ?? 'another step'}”`, 5000);
}

async function chooseRepository(github: Github, title: string): Promise<Repository | undefined> {
  const known = await github.installations();
  const installation = await choose(title, 'Which GitHub installation?', 'Another Repository…', known, (each) => ({
    label: textOf(each.account ?? each.id),
    description: each.account === undefined ? text`` : text`#${each.id}`,
  }));
  if (installation === undefined) return undefined;
  if (installation === 'another') return typeRepository(title);
  const repositories = await github.repositories(installation);
  const chosen = await choose(title, 'Which repository?', 'Another Repository…', repositories, (each) => ({
    label: textOf(each.repo),
    description: textOf(each.defaultBranch ?? ''),
  }));
  return chosen === 'another' ? typeRepository(title) : chosen;
}

async function typeRepository(title: string): Promise<Repository | undefined> {
  const typed = await askChecked({
    title,
    prompt: 'The repository, as owner/name',
    placeholder: 'acme/shop-model',
    validate: (value) => (parseRepository(value) ? undefined : 'Enter an owner and a name: owner/name.'),
  });
  return typed === undefined ? undefined : parseRepository(typed);
}

async function chooseBranch(github: Github, title: string, repository: Repository): Promise<string | undefined> {
  const { defaultBranch } = repository;
  const names = await github.branches(repository);
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

/** Asks for an item of a list. The last row, or an empty list, returns `another`: the user types a value instead. */
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
