import type * as vscode from 'vscode';
import type { SyncSettings } from '#sync/folder-sync.ts';
import { setting } from '../platform/settings.ts';

/** The settings of one linked folder. */
export function syncSettings(folder: vscode.Uri): Partial<SyncSettings> {
  return {
    saveSync: setting('sync.onSave', folder),
    useGitignore: setting('sync.useGitignore', folder),
    ignore: setting('sync.ignore', folder),
    refreshSeconds: setting('sync.refreshSeconds', folder),
  };
}
