import type { Clock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import type { SyncSessions } from './sync-sessions.ts';

/** A Git repository on this disk, as far as automatic uploads depend on it. */
export interface GitRepository {
  /**
   * Names the branch and commit of HEAD, so it changes with a checkout, pull, merge, rebase or commit; `undefined`: not read yet.
   */
  readonly head: string | undefined;
  /** Whether a merge or rebase waits for the user: files may contain conflict markers. */
  readonly isUnfinished: boolean;
  readonly onDidChange: Event<void>;
}

export interface GitRepositories {
  /** Returns the repository that contains a folder. */
  of(folderId: string): GitRepository | undefined;
  /** Fires when a repository is opened or closed. */
  readonly onDidChange: Event<void>;
}

/** How long automatic uploads pause after Git reports a new HEAD, ms: file watchers notice the files later. */
const SETTLING_MS = 1500;

/**
 * Holds back automatic uploads while Git moves the files of a linked folder: not every change on disk is then the user's edit.
 * When HEAD has not moved for a while, compares both sides and lets uploads continue.
 */
export function pauseWhileGitMoves(
  syncs: Pick<SyncSessions, 'all'>,
  repositories: GitRepositories,
  clock: Clock,
): Disposable {
  const owned = new DisposableStore();
  const watched = new Map<FolderSync, { readonly repository: GitRepository; readonly watch: Disposable }>();
  const update = (): void => {
    const wanted = new Map(
      syncs.all.value.flatMap(({ sync, folder }) => {
        const repository = repositories.of(folder.folderId);
        return repository ? [[sync, repository] as const] : [];
      }),
    );
    for (const [sync, { repository, watch }] of watched) {
      if (wanted.get(sync) === repository) continue;
      watch.dispose();
      watched.delete(sync);
    }
    for (const [sync, repository] of wanted) {
      if (!watched.has(sync)) watched.set(sync, { repository, watch: watchHead(repository, sync, clock) });
    }
  };
  owned.add(syncs.all.onDidChange(update));
  owned.add(repositories.onDidChange(update));
  owned.add({ dispose: () => watched.forEach(({ watch }) => watch.dispose()) });
  update();
  return owned;
}

function watchHead(repository: GitRepository, sync: FolderSync, clock: Clock): Disposable {
  let { head } = repository;
  let resting: AbortController | undefined;
  let isHeld = false;
  const rest = async (signal: AbortSignal): Promise<void> => {
    await clock.sleep(SETTLING_MS, signal);
    await sync.plan({ signal }).catch(() => undefined);
    if (signal.aborted) return;
    isHeld = false;
    sync.resume('gitCheckout');
  };
  const check = (): void => {
    const moved = head !== undefined && repository.head !== head;
    head = repository.head ?? head;
    if (!moved && !repository.isUnfinished && !isHeld) return;
    isHeld = true;
    sync.pause('gitCheckout');
    resting?.abort();
    if (repository.isUnfinished) return;
    resting = new AbortController();
    rest(resting.signal).catch(() => undefined);
  };
  const subscription = repository.onDidChange(check);
  check();
  return {
    dispose: () => {
      subscription.dispose();
      resting?.abort();
      if (isHeld) sync.resume('gitCheckout');
    },
  };
}
