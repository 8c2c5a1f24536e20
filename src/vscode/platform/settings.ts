import * as vscode from '#vscode/guarded/vscode.ts';
import type { Disposable } from '#base/disposable.ts';
import type { SettingName, Settings } from '#protocol/settings.ts';

const section = 'modelbench';

/** One setting, for a folder where it can differ by folder. */
export function setting<K extends SettingName>(name: K, scope?: vscode.Uri): Settings[K] {
  const value = vscode.workspace.getConfiguration(section, scope ?? null).get<Settings[K]>(name);
  if (value === undefined) throw new Error(`The manifest has no default for “${section}.${name}”.`);
  return value;
}

/** What somebody has set, in any place; `undefined` where only the default holds. */
export function explicitSetting<K extends SettingName>(name: K, scope?: vscode.Uri): Settings[K] | undefined {
  const found = vscode.workspace.getConfiguration(section, scope ?? null).inspect<Settings[K]>(name);
  return found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
}

/** Calls back when one of the settings changed anywhere. */
export function onDidChangeSetting(names: readonly SettingName[], listener: () => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`${section}.${name}`))) listener();
  });
}
