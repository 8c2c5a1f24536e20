import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { refreshPeriod } from '#features/folders/refresh-period.ts';
import type { PushSetting, SaveChoices } from '#features/folders/save-choice.ts';
import type { SyncSettings } from '#sync/core/folder-sync.ts';
import { explicitSetting, onDidChangeSetting, setForUser, setting } from '#shell/vscode/settings.ts';

/** Returns the settings of one linked folder; a window without focus checks both sides less often. */
export function syncSettings(folder: vscode.Uri, choices: SaveChoices): Partial<SyncSettings> {
  return {
    saveSync: pushesSaves(folder.toString(), choices),
    useGitignore: setting('sync.useGitignore', folder),
    ignore: setting('sync.ignore', folder),
    refreshSeconds: refreshPeriod(setting('sync.refreshSeconds', folder), vscode.window.state.focused),
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
