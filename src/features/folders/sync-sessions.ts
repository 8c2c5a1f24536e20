import { asError, Sequencer } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import { isEqual } from '#base/equal.ts';
import type { Logger } from '#base/log.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import type { DeployAccess } from '#sync/core/remote/platform-remote.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { FolderLink, LinkedFolder, Session } from '#features/platform/index.ts';

/** One linked folder in sync with its active dev branch. */
export interface SyncSession {
  readonly folder: LinkedFolder & { readonly link: FolderLink };
  readonly target: BranchTarget;
  readonly sync: FolderSync;
}

/** Opens the sync of a folder with a branch. With a checked deploy branch, a push of this sync is the deploy. */
export type OpenSync = (
  folder: SyncSession['folder'],
  target: BranchTarget,
  deploy?: DeployAccess,
) => Promise<FolderSync>;

/**
 * Keeps one sync for each linked folder that has an account, a trusted window and an active dev branch; opens, replaces and
 * closes it as those change. Nothing is compared or transferred for a folder that lacks one of them.
 */
export class SyncSessions implements Disposable {
  readonly #session: Session;
  readonly #isTrusted: ReadonlyStore<boolean>;
  readonly #open: OpenSync;
  readonly #logger: Logger;
  readonly #all = new Store<readonly SyncSession[]>([]);
  readonly #problems = new Map<string, Error>();
  readonly #statusChanged = new Emitter<SyncSession | undefined>();
  readonly #listeners = new Map<FolderSync, Disposable>();
  readonly #work = new Sequencer();
  readonly #owned = new DisposableStore();

  constructor(options: {
    readonly session: Session;
    readonly accounts: Accounts;
    readonly isTrusted: ReadonlyStore<boolean>;
    readonly open: OpenSync;
    readonly logger: Logger;
  }) {
    this.#session = options.session;
    this.#isTrusted = options.isTrusted;
    this.#open = options.open;
    this.#logger = options.logger;
    const reconcile = (): void => void this.reconcile();
    this.#owned.add(options.session.links.onDidChange(reconcile));
    this.#owned.add(options.session.onDidBind(reconcile));
    this.#owned.add(options.session.onDidChangeDevMode(reconcile));
    this.#owned.add(options.accounts.all.onDidChange(reconcile));
    this.#owned.add(options.isTrusted.onDidChange(reconcile));
    this.#owned.add(options.accounts.refused.onDidChange((refused) => this.#reopenRefused(refused)));
  }

  get all(): ReadonlyStore<readonly SyncSession[]> {
    return this.#all;
  }

  /** Fires with a session whose status changed, or with `undefined` when the list or a problem changed. */
  get onDidChange(): Event<SyncSession | undefined> {
    return this.#statusChanged.event;
  }

  ofFolder(folderId: string): SyncSession | undefined {
    return this.#all.value.find((session) => session.folder.folderId === folderId);
  }

  /**
   * Resolves to the session of a folder with its current branch once it is open; `undefined` if none is wanted or opening fails.
   */
  async opened(folderId: string): Promise<SyncSession | undefined> {
    const wanted = this.#wanted().find(({ folder }) => folder.folderId === folderId);
    if (!wanted) return undefined;
    const present = this.ofFolder(folderId);
    if (present && sameSession(present, wanted)) return present;
    await this.#work.queue(() => Promise.resolve());
    return this.ofFolder(folderId);
  }

  /**
   * Resolves to the session of a folder, even before one is wanted: VS Code restores documents before the window knows its links
   * and accounts. Resolves to `undefined` after `limit` milliseconds without one.
   */
  async awaited(folderId: string, limit: number, clock: Clock): Promise<SyncSession | undefined> {
    const present = this.ofFolder(folderId);
    if (present) return present;
    const found = new AbortController();
    const listener = this.#all.onDidChange(() => {
      if (this.ofFolder(folderId)) found.abort();
    });
    await clock.sleep(limit, found.signal).catch(() => undefined);
    listener.dispose();
    return this.ofFolder(folderId);
  }

  ofBranch(target: BranchTarget): readonly SyncSession[] {
    return this.#all.value.filter((session) => isEqual(session.target, branchOnly(target)));
  }

  /** Returns the reason why the sync of a folder could not be opened. */
  problem(folderId: string): Error | undefined {
    this.#statusChanged.track();
    return this.#problems.get(folderId);
  }

  /** Opens and closes syncs to match the current links, accounts, trust and dev branches. Never rejects. */
  reconcile(): Promise<void> {
    return this.#work.queue(async () => {
      const wanted = this.#wanted();
      const keep = this.#all.value.filter((session) => wanted.some((other) => sameSession(session, other)));
      const gone = this.#all.value.filter((session) => !keep.includes(session));
      this.#all.set(keep);
      for (const session of gone) await this.#close(session);
      for (const { folder, target } of wanted) {
        if (this.ofFolder(folder.folderId)) continue;
        await this.#start(folder, target);
      }
      this.#statusChanged.fire(undefined);
    });
  }

  dispose(): void {
    this.#owned.dispose();
    for (const session of this.#all.value) void this.#close(session);
    this.#all.dispose();
    this.#statusChanged.dispose();
  }

  #wanted(): readonly Pick<SyncSession, 'folder' | 'target'>[] {
    if (!this.#isTrusted.value) return [];
    return this.#session.links.value.flatMap((folder) => {
      const target = this.#session.targetOf(folder);
      const branchName = target && this.#session.activeBranch(target);
      return folder.link && target && branchName !== undefined
        ? [{ folder: { ...folder, link: folder.link }, target: { ...target, branchName } }]
        : [];
    });
  }

  async #start(folder: SyncSession['folder'], target: BranchTarget): Promise<void> {
    try {
      const sync = await this.#open(folder, target);
      const session: SyncSession = { folder, target, sync };
      if (this.#owned.isDisposed) {
        await this.#close(session);
        return;
      }
      this.#problems.delete(folder.folderId);
      this.#listeners.set(
        sync,
        sync.status.onDidChange(() => this.#statusChanged.fire(session)),
      );
      this.#all.update((sessions) => [...sessions, session]);
      // The first comparison; the views show a failure from the status.
      sync
        .plan()
        .catch((error: unknown) => this.#logger.warn('First comparison failed', { error: asError(error).message }));
    } catch (thrown) {
      const error = asError(thrown);
      this.#problems.set(folder.folderId, error);
      this.#logger.error('Sync could not be opened', { folder: folder.name, error: error.message });
    }
  }

  /** Compares again in the syncs that waited for a key that is accepted again. */
  #reopenRefused(refused: ReadonlySet<string>): void {
    for (const { sync, target } of this.#all.value) {
      const waits = sync.status.value.paused.includes('signedOut');
      if (waits && !refused.has(target.accountId)) sync.plan().catch(() => undefined);
    }
  }

  async #close({ sync, folder }: SyncSession): Promise<void> {
    this.#listeners.get(sync)?.dispose();
    this.#listeners.delete(sync);
    try {
      await sync.close();
    } catch (thrown) {
      this.#logger.error('Sync could not be closed', { folder: folder.name, error: asError(thrown).message });
    }
    sync.dispose();
  }
}

/** Returns a target without the other fields of a tree node. */
export function branchOnly({ accountId, deploymentId, branchName }: BranchTarget): BranchTarget {
  return { accountId, deploymentId, branchName };
}

function sameSession(a: Pick<SyncSession, 'folder' | 'target'>, b: Pick<SyncSession, 'folder' | 'target'>): boolean {
  return isEqual(a.target, b.target) && isEqual(a.folder, b.folder);
}
