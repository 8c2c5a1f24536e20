import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { SaveChoices } from '#features/folders/save-choice.ts';
import type { SyncSettings } from '#sync/core/folder-sync.ts';
import { explicitSetting, setting } from '#shell/vscode/settings.ts';

/** The settings of one linked folder; a window in the background does not check both sides automatically. */
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
  return choices.of(folderId, pushSetting(folderId)) ?? false;
}

/** What the user's setting says of a folder; `undefined` where it is not set. */
export function pushSetting(folderId: string): boolean | undefined {
  return explicitSetting('sync.onSave', vscode.Uri.parse(folderId, true));
}
