import * as vscode from '#vscode/guarded/vscode.ts';
import { parsedJson } from '#base/json.ts';
import { text, textOf } from '#base/user-text.ts';
import { creationMethods, deployModes, listRegions } from '#api/deployments.ts';
import { isObject } from '#api/schema.ts';
import { createdDeployment } from '#features/console/created-deployment.ts';
import { cloudsOf } from '#features/deployments.ts';
import { UserError } from '#features/user-error.ts';
import { askChecked } from '../platform/checked-input.ts';
import { methodWords, modeWords, named, providerWords } from './deployment-choices.ts';
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
    value: drafts.get(accountId)?.name,
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
  const settings = await askProviderSettings(drafts.get(accountId)?.settings);
  if (settings === undefined) return;
  drafts.set(accountId, { name: name.trim(), settings });
  const body = {
    name: name.trim(),
    region: region.id,
    cloudProvider: cloudProvider.id,
    creationMethod: creationMethod.id,
    deployMode: deployMode.id,
    csps: settingsIn(settings),
  };
  const deploymentId = await services.operations.run({
    label: text`Creating ${name.trim()}`,
    key: `create ${accountId}`,
    run: async () => createdDeployment(services.data, accountId, body),
  });
  drafts.delete(accountId);
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

const steps = 6;

/** What was typed for deployments that could not be created, in this window, by account. */
const drafts = new Map<string, { readonly name: string; readonly settings: string }>();

/** The “CSPs config” of the documents (management 4.11): settings of the cloud provider, for the platform to judge. */
async function askProviderSettings(before: string | undefined): Promise<string | undefined> {
  return askChecked({
    title: text`Create Deployment`,
    step: 6,
    totalSteps: steps,
    prompt: text`Settings of the cloud provider (“csps”) as a JSON object. Leave it empty for the platform’s own.`,
    value: before,
    validate: (typed) =>
      typed.trim() === '' || settingsIn(typed) ? undefined : 'Enter a JSON object, for example {"aws": {}}.',
  });
}

function settingsIn(typed: string): Readonly<Record<string, unknown>> | undefined {
  const json = typed.trim() === '' ? undefined : parsedJson(typed);
  return isObject(json) ? json : undefined;
}

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
