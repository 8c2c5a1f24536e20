import * as vscode from 'vscode';
import type { SyncSettings } from '#sync/folder-sync.ts';
import { setting } from '../platform/settings.ts';

/** The settings of one linked folder; a window that nobody looks at does not look at both sides by itself. */
export function syncSettings(folder: vscode.Uri): Partial<SyncSettings> {
  return {
    saveSync: setting('sync.onSave', folder),
    useGitignore: setting('sync.useGitignore', folder),
    ignore: setting('sync.ignore', folder),
    refreshSeconds: vscode.window.state.focused ? setting('sync.refreshSeconds', folder) : 0,
  };
}
