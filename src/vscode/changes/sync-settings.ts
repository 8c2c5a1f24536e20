import * as vscode from '#vscode/guarded/vscode.ts';
import type { SaveChoices } from '#features/save-choice.ts';
import type { SyncSettings } from '#sync/folder-sync.ts';
import { explicitSetting, setting } from '../platform/settings.ts';

/** The settings of one linked folder; a window that nobody looks at does not look at both sides by itself. */
export function syncSettings(folder: vscode.Uri, choices: SaveChoices): Partial<SyncSettings> {
  return {
    saveSync: choices.of(folder.toString(), explicitSetting('sync.onSave', folder)) ?? false,
    useGitignore: setting('sync.useGitignore', folder),
    ignore: setting('sync.ignore', folder),
    refreshSeconds: vscode.window.state.focused ? setting('sync.refreshSeconds', folder) : 0,
  };
}
