import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import type { Logger } from '#base/log.ts';
import { type GitRepositories, type GitRepository, pauseWhileGitMoves } from '#features/folders/git-pause.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { SyncSessions } from '#features/folders/sync-sessions.ts';
import type { GitPauseDeps } from './deps.ts';

/** The members used from version 1 of the API of VS Code's built-in Git extension. */
interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): GitApi;
}

export interface GitApi {
  getRepository(uri: vscode.Uri): ApiRepository | null;
  readonly onDidOpenRepository: vscode.Event<unknown>;
  readonly onDidCloseRepository: vscode.Event<unknown>;
}

interface ApiRepository {
  readonly state: {
    readonly HEAD: { readonly name?: string | undefined; readonly commit?: string | undefined } | undefined;
    readonly rebaseCommit: unknown;
    readonly mergeChanges: readonly unknown[];
    readonly onDidChange: vscode.Event<void>;
  };
}

/** Pauses automatic uploads while Git moves files here. Does nothing without Git or its extension. */
export function gitPauseContribution(deps: GitPauseDeps): Contribution {
  return {
    id: 'gitPause',
    register: async (store) => {
      const extension = gitExtension();
      if (extension) return follow(extension, store, deps);
      // In Restricted Mode, VS Code disables the Git extension until the user trusts the workspace.
      const waiting = store.add(new Present());
      waiting.set(
        vscode.extensions.onDidChange(() => {
          const late = gitExtension();
          if (!late) return;
          waiting.set(undefined);
          follow(late, store, deps).catch((error: unknown) =>
            deps.logger.error('The Git extension could not be watched', { reason: String(error) }),
          );
        }),
      );
    },
  };
}

const gitExtension = (): vscode.Extension<GitExtension> | undefined =>
  vscode.extensions.getExtension<GitExtension>('vscode.git');

async function follow(
  extension: vscode.Extension<GitExtension>,
  store: DisposableStore,
  { syncs, logger }: GitPauseDeps,
): Promise<void> {
  const git = extension.isActive ? extension.exports : await extension.activate();
  const present = store.add(new Present());
  const update = (): void => present.set(git.enabled ? watch(git.getAPI(1), syncs, logger) : undefined);
  store.add(git.onDidChangeEnablement(update));
  update();
}

/** Holds one disposable and replaces it: the watch while Git is enabled. */
class Present implements Disposable {
  #value: Disposable | undefined;

  set(value: Disposable | undefined): void {
    this.#value?.dispose();
    this.#value = value;
  }

  dispose(): void {
    this.set(undefined);
  }
}

function watch(api: GitApi, syncs: SyncSessions, logger: Logger): Disposable {
  const store = new DisposableStore();
  store.add(pauseWhileGitMoves(syncs, gitRepositories(api, store), systemClock));
  logger.debug('Git repositories are watched');
  return store;
}

/** Returns the repositories that VS Code's Git extension has open; `store` holds the subscriptions. */
export function gitRepositories(api: GitApi, store: DisposableStore): GitRepositories {
  const changed = store.add(new Emitter<void>());
  store.add(api.onDidOpenRepository(() => changed.fire()));
  store.add(api.onDidCloseRepository(() => changed.fire()));
  const known = new WeakMap<ApiRepository, GitRepository>();
  return {
    of: (folderId) => {
      const found = api.getRepository(vscode.Uri.parse(folderId, true));
      if (!found) return undefined;
      const repository = known.get(found) ?? adapted(found);
      known.set(found, repository);
      return repository;
    },
    onDidChange: changed.event,
  };
}

function adapted({ state }: ApiRepository): GitRepository {
  return {
    get head() {
      return state.HEAD && `${state.HEAD.name ?? ''} ${state.HEAD.commit ?? ''}`;
    },
    get isUnfinished() {
      return state.mergeChanges.length > 0 || state.rebaseCommit !== undefined;
    },
    onDidChange: (listener) => state.onDidChange(() => listener()),
  };
}
