import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { creationMethods, deployModes, updateDeployment } from '#api/deployments.ts';
import { unreachable } from '#base/result.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { offeredValues } from '#shell/offered-values.ts';
import { methodWords, modeWords, named } from './deployment-choices.ts';
import { titleOf } from '#features/platform/vscode/document-title.ts';
import type { SettingDeps } from './deps.ts';

type Setting = 'name' | 'deployMode' | 'creationMethod';

/** Rows for what can be changed of a deployment beside its version (docs/platform-api.md#updatedeployment). */
export const settingRows = [
  { label: text`$(edit) Rename…`, description: text`the deployment’s name`, setting: 'name' },
  {
    label: text`$(cloud-upload) Deploy Mode…`,
    description: text`what production is built from`,
    setting: 'deployMode',
  },
  {
    label: text`$(repo) Creation Method…`,
    description: text`where the model comes from`,
    setting: 'creationMethod',
  },
] as const satisfies readonly (vscode.QuickPickItem & { readonly setting: Setting })[];

/** Asks for a setting’s new value, confirms it and changes it. */
export async function changeSetting(services: SettingDeps, target: DeploymentTarget, setting: Setting): Promise<void> {
  const body = await askValue(services, target, setting);
  if (!body) return;
  const name = titleOf(services, target);
  const sure = await confirm({
    title: text`Change the settings of “${name}”?`,
    detail: text`${whatChanges[setting]}: ${Object.values(body).join()}.`,
    button: 'Change Settings',
  });
  if (!sure) return;
  drafts.set(keyOf(target), body.name);
  await services.data
    .client(target.accountId)
    .call(updateDeployment, { params: { deploymentId: target.deploymentId }, body });
  drafts.delete(keyOf(target));
  await services.data.deployments(target.accountId).invalidate();
  vscode.window.setStatusBarMessage(text`$(check) The settings of “${name}” are changed`, 5000);
}

/** Names that the platform refused, in this window: the next attempt begins with what was typed. */
const drafts = new Map<string, string | undefined>();
const keyOf = ({ accountId, deploymentId }: DeploymentTarget): string => JSON.stringify([accountId, deploymentId]);

const whatChanges = { name: 'New name', deployMode: 'Deploy mode', creationMethod: 'Creation method' };

type Body = {
  readonly name?: string;
  readonly deployMode?: string;
  readonly creationMethod?: string;
};

async function askValue(services: SettingDeps, target: DeploymentTarget, setting: Setting): Promise<Body | undefined> {
  switch (setting) {
    case 'name': {
      const before = services.data.nameOf(target);
      const name = await askChecked({
        title: text`Rename Deployment`,
        prompt: text`New name of “${before}”`,
        value: drafts.get(keyOf(target)) ?? before,
        validate: (typed) => (typed.trim() === '' ? 'Enter a name.' : undefined),
      });
      return name === undefined ? undefined : { name: name.trim() };
    }
    case 'deployMode': {
      const modes = await offered(services, target, setting, deployModes);
      const picked = await choose('What is production built from?', named(modes, modeWords));
      return picked && { deployMode: picked.id };
    }
    case 'creationMethod': {
      const methods = await offered(services, target, setting, creationMethods);
      const picked = await choose('Where does the model come from?', named(methods, methodWords));
      return picked && { creationMethod: picked.id };
    }
    default:
      return unreachable(setting);
  }
}

async function offered(
  { capabilitiesOf }: SettingDeps,
  { accountId }: DeploymentTarget,
  field: Setting,
  ours: readonly string[],
): Promise<readonly string[]> {
  const { description } = await capabilitiesOf(accountId);
  return offeredValues(description, updateDeployment, { body: field }, ours);
}

async function choose<T extends vscode.QuickPickItem>(
  placeHolder: string,
  items: readonly T[],
): Promise<T | undefined> {
  return vscode.window.showQuickPick(items, {
    title: text`Deployment Settings`,
    placeHolder: textOf(placeHolder),
    ignoreFocusOut: true,
  });
}
