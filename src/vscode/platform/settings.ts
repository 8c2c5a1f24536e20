import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable.ts';
import type { SettingName, Settings } from '#protocol/settings.ts';

const section = 'modelbench';

/** One setting, for a folder where it can differ by folder. */
export function setting<K extends SettingName>(name: K, scope?: vscode.Uri): Settings[K] {
  const value = vscode.workspace.getConfiguration(section, scope ?? null).get<Settings[K]>(name);
  if (value === undefined) throw new Error(`The manifest has no default for “${section}.${name}”.`);
  return value;
}

/** Calls back when one of the settings changed anywhere. */
export function onDidChangeSetting(names: readonly SettingName[], listener: () => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`${section}.${name}`))) listener();
  });
}
