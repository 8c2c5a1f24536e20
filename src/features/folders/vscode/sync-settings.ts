import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { PushSetting, SaveChoices } from '#features/folders/save-choice.ts';
import type { SyncSettings } from '#sync/core/folder-sync.ts';
import { explicitSetting, onDidChangeSetting, setForUser, setting } from '#shell/vscode/settings.ts';

/** Returns the settings of one linked folder; a window in the background does not check both sides automatically. */
export function syncSettings(folder: vscode.Uri, choices: SaveChoices): Partial<SyncSettings> {
  return {
    saveSync: pushesSaves(folder.toString(), choices),
    useGitignore: setting('sync.useGitignore', folder),
    ignore: setting('sync.ignore', folder),
    refreshSeconds: vscode.window.state.focused ? setting('sync.refreshSeconds', folder) : 0,
  };
}

/** Whether saved files of a folder are pushed automatically. */
export function pushesSaves(folderId: string, choices: SaveChoices): boolean {
  return choices.of(folderId) ?? false;
}

/** The setting that decides whether saved files are pushed automatically. */
export const pushSetting: PushSetting = {
  of: (folderId) => explicitSetting('sync.onSave', vscode.Uri.parse(folderId, true)),
  ofUser: () => explicitSetting('sync.onSave'),
  set: async (automatically) => setForUser('sync.onSave', automatically),
  onDidChange: (listener) => onDidChangeSetting(['sync.onSave'], listener),
};
