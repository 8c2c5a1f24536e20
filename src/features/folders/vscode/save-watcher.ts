import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { followTransfers, type FollowPorts } from '#features/folders/followed-transfers.ts';
import { SavedFiles } from '#features/folders/saved-files.ts';
import { refreshOnReturn } from '#features/folders/window-return.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { onDidChangeSetting } from '#shell/vscode/settings.ts';
import type { FocusDeps, SaveWatcherDeps, SyncSettingsDeps } from './deps.ts';
import { fileTargetOf } from './folder-uris.ts';
import { syncSettings } from './sync-settings.ts';

/** Reports files that are saved, created, renamed or deleted here to the syncs. */
export function saveWatcher(deps: SaveWatcherDeps): Contribution {
  const { boundary, consent, logger, pushQuestion, saveChoices, session, syncs } = deps;
  return {
    id: 'saveWatcher',
    register: (store) => {
      const saved = store.add(
        new SavedFiles({
          saveChoices,
          syncs,
          consent,
          ...pushQuestion,
          configure: () => configureAll(deps),
          report: (error) => void boundary('save', error),
        }),
      );
      const report = (uris: readonly vscode.Uri[]): void => {
        const files = uris.flatMap((uri) => fileTargetOf(uri, session.links.value) ?? []);
        saved
          .saved(files)
          .catch((error: unknown) => logger.warn('A save could not be synced', { error: String(error) }));
      };
      saveChoices
        .migrate()
        .catch((error: unknown) => logger.warn('Earlier answers could not be stored', { error: String(error) }));
      store.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => report([uri])));
      store.add(vscode.workspace.onDidCreateFiles(({ files }) => report(files)));
      store.add(vscode.workspace.onDidDeleteFiles(({ files }) => report(files)));
      store.add(
        vscode.workspace.onDidRenameFiles(({ files }) =>
          report(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri])),
        ),
      );
    },
  };
}

/** Follows the build after each transfer. */
export function transferWatcher(ports: FollowPorts): Contribution {
  return { id: 'transferWatcher', register: (store) => void store.add(followTransfers(ports)) };
}

/** Compares again when the window gets the focus, and when the sync settings change. */
export function focusWatcher(deps: FocusDeps): Contribution {
  return {
    id: 'focusWatcher',
    register: (store) => {
      const names = ['sync.useGitignore', 'sync.ignore', 'sync.refreshSeconds'] as const;
      store.add(onDidChangeSetting(names, () => configureAll(deps)));
      store.add(
        vscode.window.onDidChangeWindowState(({ focused }) => {
          configureAll(deps);
          if (focused) refreshOnReturn(deps);
        }),
      );
    },
  };
}

function configureAll({ saveChoices, syncs }: SyncSettingsDeps): void {
  for (const { folder, sync } of syncs.all.value) {
    sync.configure(syncSettings(vscode.Uri.parse(folder.folderId, true), saveChoices));
  }
}
