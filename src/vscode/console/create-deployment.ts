import * as vscode from '#vscode/guarded/vscode.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import { creationMethods, deployModes, listRegions } from '#api/deployments.ts';
import { createdDeployment } from '#features/console/created-deployment.ts';
import { cloudsOf } from '#features/deployments.ts';
import { UserError } from '#features/user-error.ts';
import { askChecked } from '../platform/checked-input.ts';
import type { ConsoleServices } from './deps.ts';
import { connectToGithub } from './github.ts';

/** Creates a deployment, step by step. */
export async function create(services: ConsoleServices, accountId: string): Promise<void> {
  const client = services.data.client(accountId);
  const name = await askChecked({
    title: text`Create Deployment`,
    step: 1,
    totalSteps: steps,
    prompt: text`Name of the deployment`,
    validate: (typed) => (typed.trim() === '' ? 'Enter a name.' : undefined),
  });
  if (name === undefined) return;
  const regions = await client.call(listRegions, {});
  const region = await choose(
    2,
    'In which region does it run?',
    regions.map(({ id, name: label, cloudProvider }) => ({
      label: textOf(label ?? id),
      description: textOf(cloudProvider ?? ''),
      id,
      cloudProvider,
    })),
  );
  if (!region) return;
  const cloudProvider = await choose(3, 'Whose cloud does it run in?', named(cloudsOf(region), providerWords));
  const creationMethod =
    cloudProvider && (await choose(4, 'Where does the model come from?', named(creationMethods, methodWords)));
  const deployMode = creationMethod && (await choose(5, 'How is it deployed?', named(deployModes, modeWords)));
  if (!deployMode) return;
  const body = {
    name: name.trim(),
    region: region.id,
    cloudProvider: cloudProvider.id,
    creationMethod: creationMethod.id,
    deployMode: deployMode.id,
  };
  const deploymentId = await services.operations.run({
    label: text`Creating ${name.trim()}`,
    key: `create ${accountId}`,
    run: async () => createdDeployment(services.data, accountId, body),
  });
  if (deploymentId === undefined) {
    throw new UserError(
      `“${body.name}” was created, but the platform did not name its id. Refresh the deployments and select it there.`,
      { title: 'Refresh', command: 'modelbench.deployments.refresh' },
    );
  }
  const target = { accountId, deploymentId };
  await services.session.select(target);
  vscode.window.setStatusBarMessage(text`$(check) Created “${name.trim()}”`, 5000);
  if (body.creationMethod === 'github') await connectToGithub(services, target);
}

const providerWords = { cubecloud: 'the platform’s own', aws: 'Amazon Web Services', gcp: 'Google Cloud' };
const methodWords = {
  upload: 'files that are uploaded',
  cubecloud: 'a new model, kept on the platform',
  github: 'a repository on GitHub, chosen next',
  ssh: 'a Git repository that is reached over SSH',
};
const modeWords = { git: 'what its deploy branch holds', cli: 'what was uploaded last' };

/** The platform's own words, as its API and its pages say them, with what they mean. */
const named = <const T extends string>(
  values: readonly T[],
  words: Readonly<Record<T, string>>,
): readonly { label: UserText; description: UserText; id: T }[] =>
  values.map((id) => ({ label: textOf(id), description: textOf(words[id]), id }));

const steps = 5;

async function choose<T extends vscode.QuickPickItem>(
  step: number,
  placeHolder: string,
  items: readonly T[],
): Promise<T | undefined> {
  return vscode.window.showQuickPick(items, {
    title: text`Create Deployment (${step}/${steps})`,
    placeHolder: textOf(placeHolder),
    ignoreFocusOut: true,
  });
}
