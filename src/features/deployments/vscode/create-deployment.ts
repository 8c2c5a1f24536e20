import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { createdDeployment } from '#features/deployments/created-deployment.ts';
import {
  cloudsOf,
  creationOptions,
  type FieldChoice,
  parseProviderSettings,
  type Region,
} from '#features/deployments/create-choices.ts';
import { Hint } from '#shell/user-error.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { methodLabels, modeLabels, named, providerLabels } from '#features/deployments/deployment-choices.ts';
import type { CreateDeps } from './deps.ts';
import { connectToGithub } from './github.ts';

/** Asks for a new deployment step by step and creates it. */
export async function create(services: CreateDeps, accountId: string): Promise<void> {
  const name = await askChecked({
    title: text`Create Deployment`,
    step: 1,
    totalSteps: steps,
    prompt: text`Name of the deployment`,
    value: drafts.get(accountId)?.name,
    validate: (typed) => (typed.trim() === '' ? 'Enter a name.' : undefined),
  });
  if (name === undefined) return;
  const { regions, choices } = await creationOptions(services, accountId);
  const region = await chooseRegion(regions);
  if (region === undefined) return;
  const clouds = cloudsOf(region, regions, choices.cloudProvider.values);
  const cloudProvider = await chooseValue(3, 'Which cloud does it run in?', providerLabels, {
    ...choices.cloudProvider,
    values: clouds,
  });
  const creationMethod =
    cloudProvider && (await chooseValue(4, 'Where does the model come from?', methodLabels, choices.creationMethod));
  const deployMode = creationMethod && (await chooseValue(5, 'How is it deployed?', modeLabels, choices.deployMode));
  if (cloudProvider === undefined || creationMethod === undefined || deployMode === undefined) return;
  const settings = await askProviderSettings(drafts.get(accountId)?.settings);
  if (settings === undefined) return;
  drafts.set(accountId, { name: name.trim(), settings });
  const body = {
    name: name.trim(),
    region: region.id,
    cloudProvider,
    creationMethod,
    deployMode,
    csps: parseProviderSettings(settings),
  };
  const deploymentId = await services.operations.run({
    label: text`Creating ${name.trim()}`,
    key: `create ${accountId}`,
    run: async () => createdDeployment(services.data, accountId, body),
  });
  drafts.delete(accountId);
  if (deploymentId === undefined) {
    throw new Hint(
      `“${body.name}” was created, but the platform did not return its id. Refresh the deployments and select it there.`,
      { title: 'Refresh', command: 'modelbench.deployments.refresh' },
    );
  }
  const target = { accountId, deploymentId };
  await services.session.select(target);
  vscode.window.setStatusBarMessage(text`$(check) Created “${name.trim()}”`, 5000);
  if (body.creationMethod === 'github') await connectToGithub(services, target);
}

const steps = 6;

/** The input for deployments that could not be created in this window, by account. */
const drafts = new Map<string, { readonly name: string; readonly settings: string }>();

/** Asks for `csps` (docs/platform-api.md#createdeployment): settings of the cloud provider, which the platform checks. */
async function askProviderSettings(before: string | undefined): Promise<string | undefined> {
  return askChecked({
    title: text`Create Deployment`,
    step: 6,
    totalSteps: steps,
    prompt: text`Settings of the cloud provider (“csps”) as a JSON object. Leave empty for the platform’s defaults.`,
    value: before,
    validate: (typed) =>
      typed.trim() === '' || parseProviderSettings(typed) ? undefined : 'Enter a JSON object, for example {"aws": {}}.',
  });
}

const anotherRegion = 'another region';

async function chooseRegion(regions: readonly Region[]): Promise<Region | undefined> {
  const platformsOwn: Region = {};
  const chosen = await choose(2, 'In which region does it run?', [
    ...regions.map((region) => ({
      label: textOf(region.name ?? region.id ?? ''),
      description: textOf(region.cloudProvider ?? ''),
      region,
    })),
    ...(regions.length === 0
      ? [
          {
            label: text`Let the Platform Choose`,
            description: text`its regions could not be listed`,
            region: platformsOwn,
          },
        ]
      : []),
    { label: text`$(edit) Another Region…`, description: text`by its id`, region: anotherRegion },
  ]);
  if (!chosen) return undefined;
  if (typeof chosen.region !== 'string') return chosen.region;
  const id = await typeValue(2, 'ID of the region, as the platform’s own pages show it');
  return id === undefined ? undefined : { id };
}

/** Offers the values that the server lists; if it lists none, the documented ones and a free input. */
async function chooseValue(
  step: number,
  placeHolder: string,
  labels: Readonly<Record<string, string>>,
  { values, isServed }: FieldChoice,
): Promise<string | undefined> {
  const another = {
    label: text`$(edit) Another Value…`,
    description: text`by its name on the platform`,
    id: undefined,
  };
  const chosen = await choose(step, placeHolder, [...named(values, labels), ...(isServed ? [] : [another])]);
  return chosen && (chosen.id ?? (await typeValue(step, placeHolder)));
}

async function typeValue(step: number, prompt: string): Promise<string | undefined> {
  const typed = await askChecked({
    title: text`Create Deployment`,
    step,
    totalSteps: steps,
    prompt,
    validate: (value) => (value.trim() === '' ? 'Enter a value.' : undefined),
  });
  return typed?.trim();
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
