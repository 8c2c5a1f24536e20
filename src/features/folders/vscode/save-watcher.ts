import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { SaveFacts } from '#features/folders/save-choice.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import type { SyncSettings } from '#sync/core/folder-sync.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { fileTargetOf } from './folder-uris.ts';
import { onDidChangeSetting } from '#shell/vscode/settings.ts';
import { syncSettings } from './sync-settings.ts';
import type { FocusDeps, SaveQuestionDeps, SaveWatcherDeps, SyncSettingsDeps } from './deps.ts';

/** Reports to the syncs what was saved, created, renamed and deleted here, and follows the build after each transfer. */
export function saveWatcher(deps: SaveWatcherDeps): Contribution {
  const { session, syncs, builds } = deps;
  const tell = async (ask: AskAboutSaves, folderId: string, changed: readonly string[]): Promise<void> => {
    // Right after a switch or a start the folder is still being opened: what is saved then is for the new branch.
    const found = await syncs.opened(folderId);
    if (!found) return;
    found.sync.onSaved(changed);
    ask(found, changed);
  };
  const told = (ask: AskAboutSaves, uris: readonly vscode.Uri[]): void => {
    const paths = new Map<string, string[]>();
    for (const uri of uris) {
      const file = fileTargetOf(uri, session.links.value);
      if (!file) continue;
      const others = paths.get(file.folderId);
      if (others) others.push(file.path);
      else paths.set(file.folderId, [file.path]);
    }
    for (const [folderId, changed] of paths) {
      tell(ask, folderId, changed).catch((error: unknown) =>
        deps.logger.warn('A save could not be synced', { error: String(error) }),
      );
    }
  };
  return {
    id: 'saveWatcher',
    register: (store) => {
      const ask = askAboutSaves(deps, store);
      keepEarlierAnswers(deps);
      store.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => told(ask, [uri])));
      store.add(vscode.workspace.onDidCreateFiles(({ files }) => told(ask, files)));
      store.add(vscode.workspace.onDidDeleteFiles(({ files }) => told(ask, files)));
      store.add(
        vscode.workspace.onDidRenameFiles(({ files }) =>
          told(
            ask,
            files.flatMap(({ oldUri, newUri }) => [oldUri, newUri]),
          ),
        ),
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
        deps.remote.onDidWrite((target) => {
          for (const { sync } of syncs.ofBranch(target)) sync.plan().catch(() => undefined);
          void builds.follow(target);
        }),
      );
      watchSettings(deps, store);
      watchFocus(deps, store);
    },
  };
}

/** Answers of earlier versions become the setting. */
function keepEarlierAnswers({ logger, saveChoices }: Pick<SaveWatcherDeps, 'logger' | 'saveChoices'>): void {
  saveChoices
    .migrate()
    .catch((error: unknown) => logger.warn('Earlier answers could not be stored', { error: String(error) }));
}

type AskAboutSaves = (saved: SyncSession, paths: readonly string[]) => void;

/**
 * Asks with a save how the files of its folder are pushed, as long as that is open. What is saved until the answer follows
 * it, also where the answer comes from the command.
 */
function askAboutSaves(deps: SaveQuestionDeps, store: DisposableStore): AskAboutSaves {
  const { consent, saveChoices, questions, syncs } = deps;
  const waiting = new WeakMap<SyncSession['sync'], Set<string>>();
  const factsOf = ({ folder, target }: SyncSession): SaveFacts => ({
    folderId: folder.folderId,
    isRisky: consent.missing(target) !== undefined,
  });
  store.add(
    saveChoices.onDidChange(() => {
      configureAll(deps);
      for (const session of syncs.all.value) {
        const paths = waiting.get(session.sync);
        if (!paths || saveChoices.isOpen(factsOf(session))) continue;
        waiting.delete(session.sync);
        session.sync.onSaved([...paths]);
      }
    }),
  );
  return (session, paths) => {
    const facts = factsOf(session);
    if (session.sync.status.value.readOnly !== undefined || !saveChoices.isOpen(facts)) return;
    waiting.set(session.sync, new Set([...(waiting.get(session.sync) ?? []), ...paths]));
    const ask = async (): Promise<void> => {
      // Another window or the command may have answered while other questions were shown.
      const open = syncs.ofFolder(facts.folderId);
      if (!open || !saveChoices.isOpen(factsOf(open))) return;
      await deps.choosePush(open);
    };
    saveChoices.ask(facts, async () => questions.ask(ask)).catch((error: unknown) => deps.boundary('save', error));
  };
}

function watchSettings(deps: SyncSettingsDeps, store: DisposableStore): void {
  const names = ['sync.useGitignore', 'sync.ignore', 'sync.refreshSeconds'] as const;
  store.add(
    onDidChangeSetting(names, () => {
      configureAll(deps);
    }),
  );
}

function configureAll(deps: SyncSettingsDeps): void {
  for (const session of deps.syncs.all.value) session.sync.configure(settingsOf(deps, session));
}

function settingsOf({ saveChoices }: SyncSettingsDeps, { folder }: SyncSession): Partial<SyncSettings> {
  return syncSettings(vscode.Uri.parse(folder.folderId, true), saveChoices);
}

/** A window that gets the focus compares both sides once: colleagues may have been busy, and files changed outside. */
function watchFocus(deps: FocusDeps, store: DisposableStore): void {
  const { accounts, syncs, session, data } = deps;
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      configureAll(deps);
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
