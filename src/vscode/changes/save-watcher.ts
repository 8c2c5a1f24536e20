import * as vscode from '#vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { SyncSession } from '#features/sync-sessions.ts';
import { views } from '#protocol/views.ts';
import type { SyncSettings } from '#sync/folder-sync.ts';
import type { Contribution } from '../contribution.ts';
import { fileTargetOf } from '../link/folder-uris.ts';
import { explicitSetting, onDidChangeSetting } from '../platform/settings.ts';
import type { Services } from '../services.ts';
import { syncSettings } from './sync-settings.ts';

/** Tells the syncs what was saved, created, renamed and deleted here, and follows the build after each transfer. */
export function saveWatcher(services: Services): Contribution {
  const { session, syncs, builds } = services;
  const tell = async (folderId: string, changed: readonly string[]): Promise<void> => {
    // Right after a switch or a start the folder is still being opened: what is saved then is for the new branch.
    const found = await syncs.opened(folderId);
    if (!found) return;
    found.sync.onSaved(changed);
    await askFirst(services, found, changed);
  };
  const told = (uris: readonly vscode.Uri[]): void => {
    const paths = new Map<string, string[]>();
    for (const uri of uris) {
      const file = fileTargetOf(uri, session.links.value);
      if (file) paths.set(file.folderId, [...(paths.get(file.folderId) ?? []), file.path]);
    }
    for (const [folderId, changed] of paths) {
      tell(folderId, changed).catch((error: unknown) =>
        services.logger.warn('The first save could not be asked about', { error: String(error) }),
      );
    }
  };
  return {
    id: 'saveWatcher',
    register: (store) => {
      store.add(vscode.workspace.onDidSaveTextDocument((document) => told([document.uri])));
      store.add(vscode.workspace.onDidCreateFiles(({ files }) => told(files)));
      store.add(vscode.workspace.onDidDeleteFiles(({ files }) => told(files)));
      store.add(
        vscode.workspace.onDidRenameFiles(({ files }) => told(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri]))),
      );
      const transferred = new WeakMap<SyncSession['sync'], number>();
      store.add(
        syncs.onDidChange((changed) => {
          if (!changed) return;
          const { lastSynced } = changed.sync.status.value;
          if (lastSynced === undefined || transferred.get(changed.sync) === lastSynced) return;
          transferred.set(changed.sync, lastSynced);
          void builds.follow(changed.target);
        }),
      );
      // What was written without the folder is news for the folder and for the build.
      store.add(
        services.remote.onDidWrite((target) => {
          for (const { sync } of syncs.ofBranch(target)) sync.plan().catch(() => undefined);
          void builds.follow(target);
        }),
      );
      watchSettings(services, store);
      watchFocus(services, store);
    },
  };
}

/** The first save of a folder: nothing is pushed automatically before the user has chosen that. */
async function askFirst(services: Services, session: SyncSession, saved: readonly string[]): Promise<void> {
  const { folder, target, sync } = session;
  if (sync.status.value.readOnly !== undefined || services.consent.missing(target) !== undefined) return;
  const root = vscode.Uri.parse(folder.folderId, true);
  const send = 'Push Automatically';
  const push = 'Push Manually';
  const answer = await services.saveChoices.ask(folder.folderId, explicitSetting('sync.onSave', root), async () => {
    const chosen = await vscode.window.showInformationMessage(
      text`Push files that you save in “${folder.name}” to “${target.branchName}” automatically? Others see them only when you commit, and deletions always wait for a push.`,
      send,
      push,
    );
    return chosen === undefined ? undefined : chosen === send;
  });
  if (answer === undefined) return;
  configureAll(services);
  if (answer) services.syncs.ofFolder(folder.folderId)?.sync.onSaved(saved);
  else await vscode.commands.executeCommand(`${views.changes}.focus`);
}

function watchSettings(services: Services, store: DisposableStore): void {
  const names = ['sync.onSave', 'sync.useGitignore', 'sync.ignore', 'sync.refreshSeconds'] as const;
  store.add(
    onDidChangeSetting(names, () => {
      configureAll(services);
    }),
  );
}

function configureAll(services: Services): void {
  for (const session of services.syncs.all.value) session.sync.configure(settingsOf(services, session));
}

function settingsOf({ saveChoices }: Services, { folder }: SyncSession): Partial<SyncSettings> {
  return syncSettings(vscode.Uri.parse(folder.folderId, true), saveChoices);
}

/** A window that comes back looks at both sides once: colleagues may have been busy, and files changed outside. */
function watchFocus(services: Services, store: DisposableStore): void {
  const { accounts, syncs, session, data } = services;
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      configureAll(services);
      if (!focused) return;
      session.recheck();
      for (const { sync } of syncs.all.value) sync.plan().catch(() => undefined);
      const target = session.active.value;
      if (target) {
        void data.known(target)?.branches.refresh();
        void data.known(target)?.keyBranch.refresh();
      }
      // What could not be loaded before is tried again.
      for (const { id } of accounts.all.value) {
        const deployments = data.deployments(id);
        if (deployments.state.value.error) void deployments.refresh();
      }
    }),
  );
}
