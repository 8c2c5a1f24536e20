import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { unreachable } from '#base/result.ts';
import { changeSetting, type Setting, settingValues, type SettingChange } from '#features/deployments/settings.ts';
import { deploymentKey, type DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { methodLabels, modeLabels, named } from '#features/deployments/deployment-choices.ts';
import { titleOf } from '#features/platform/index.ts';
import type { SettingDeps } from './deps.ts';

/** Rows for the settings of a deployment apart from its version (docs/platform-api.md#updatedeployment). */
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

/** Asks for a setting’s new value and for confirmation, then changes it. */
export async function askSetting(services: SettingDeps, target: DeploymentTarget, setting: Setting): Promise<void> {
  const body = await askValue(services, target, setting);
  if (!body) return;
  const name = titleOf(services, target);
  const sure = await confirm({
    title: text`Change the settings of “${name}”?`,
    detail: text`${whatChanges[setting]}: ${meant(setting, Object.values(body).join())}.`,
    button: 'Change Settings',
  });
  if (!sure) return;
  drafts.set(deploymentKey(target), body.name);
  await changeSetting(services.data, target, body);
  drafts.delete(deploymentKey(target));
  vscode.window.setStatusBarMessage(text`$(check) The settings of “${name}” are changed`, 5000);
}

/** Names that the platform refused in this window, so that the next attempt starts with them. */
const drafts = new Map<string, string | undefined>();

/** Returns the value with what it means, as its choice showed it. */
function meant(setting: Setting, value: string): string {
  const meaning = { name: undefined, deployMode: modeLabels[value], creationMethod: methodLabels[value] }[setting];
  return meaning === undefined ? value : `${value} (${meaning})`;
}

const whatChanges = { name: 'New name', deployMode: 'Deploy mode', creationMethod: 'Creation method' };

async function askValue(
  services: SettingDeps,
  target: DeploymentTarget,
  setting: Setting,
): Promise<SettingChange | undefined> {
  switch (setting) {
    case 'name': {
      const before = services.data.nameOf(target);
      const name = await askChecked({
        title: text`Rename Deployment`,
        prompt: text`New name of “${before}”`,
        value: drafts.get(deploymentKey(target)) ?? before,
        validate: (typed) => (typed.trim() === '' ? 'Enter a name.' : undefined),
      });
      return name === undefined ? undefined : { name: name.trim() };
    }
    case 'deployMode': {
      const modes = await offered(services, target, setting);
      const picked = await choose('What is production built from?', named(modes, modeLabels));
      return picked && { deployMode: picked.id };
    }
    case 'creationMethod': {
      const methods = await offered(services, target, setting);
      const picked = await choose('Where does the model come from?', named(methods, methodLabels));
      return picked && { creationMethod: picked.id };
    }
    default:
      return unreachable(setting);
  }
}

async function offered(
  { capabilitiesOf }: SettingDeps,
  { accountId }: DeploymentTarget,
  setting: Exclude<Setting, 'name'>,
): Promise<readonly string[]> {
  const { description } = await capabilitiesOf(accountId);
  return settingValues(description, setting);
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
