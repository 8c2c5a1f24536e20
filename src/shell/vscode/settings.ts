import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Disposable } from '#base/disposable.ts';
import { mergedSetting, type SettingLayers } from '#shell/setting-rules.ts';
import type { SettingName, Settings } from '#shell/settings.ts';

const section = 'modelbench';

/**
 * Returns a setting, for a folder if it can differ by folder. Values from a repository count as far as the setting's rule allows.
 */
export function setting<K extends SettingName>(name: K, scope?: vscode.Uri): Settings[K] {
  const layers = layersOf(name, scope);
  return mergedSetting(name, layers) ?? layers.default;
}

/** Returns the user's value, as modified by the repository; `undefined` if only the default applies. */
export function explicitSetting<K extends SettingName>(name: K, scope?: vscode.Uri): Settings[K] | undefined {
  return mergedSetting(name, layersOf(name, scope));
}

/** Changes a setting in the user settings. */
export async function setForUser<K extends SettingName>(name: K, value: Settings[K]): Promise<void> {
  await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
}

/** Returns the severities by code: the user's, and those of a repository that are stricter than the default of their code. */
export function severitySetting(defaults: Settings['language.severity']): Settings['language.severity'] {
  return mergedSetting('language.severity', { ...layersOf('language.severity'), default: defaults }) ?? {};
}

function layersOf<K extends SettingName>(name: K, scope?: vscode.Uri): SettingLayers<Settings[K]> {
  const found = vscode.workspace.getConfiguration(section, scope ?? null).inspect<Settings[K]>(name);
  if (found?.defaultValue === undefined) throw new Error(`The manifest has no default for “${section}.${name}”.`);
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } = found;
  return { default: defaultValue, user: globalValue, workspace: workspaceValue, folder: workspaceFolderValue };
}

/** Calls the listener when one of the settings changes in any scope. */
export function onDidChangeSetting(names: readonly SettingName[], listener: () => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`${section}.${name}`))) listener();
  });
}
