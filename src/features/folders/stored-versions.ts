import { Sequencer } from '#base/async.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';
import { observe, type ReadonlyStore, Store } from '#base/store.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { type HistoryAction, lastToUndo } from '#sync/core/undo/history.ts';
import type { SyncSession } from './sync-sessions.ts';

/** What a user can undo or restore in a linked folder. */
export interface StoredVersions {
  readonly push: boolean;
  readonly pull: boolean;
  readonly history: boolean;
  readonly trash: boolean;
}

/** A run that a folder recorded in its history, or a copy that went to its trash outside of a run. */
export interface VersionsChange {
  readonly folderId: string;
  readonly action: HistoryAction | 'copy';
}

const nothing: StoredVersions = { push: false, pull: false, history: false, trash: false };
/** What could not be read is offered: the command then says what is wrong. */
const unreadable: StoredVersions = { push: true, pull: true, history: true, trash: true };

/** Follows what the open linked folders have stored, so that commands are offered only where they have something to act on. */
export class StoredVersionsOfFolders implements Disposable {
  readonly #known = new Store<ReadonlyMap<FolderSync, StoredVersions>>(new Map());
  readonly #reads = new Sequencer();
  /** Folders whose history must be read again. A save cannot be undone from it, so that saves leave it alone. */
  readonly #changed = new Set<FolderSync>();
  readonly #sessions: ReadonlyStore<readonly SyncSession[]>;
  readonly #owned = new DisposableStore();

  constructor(sessions: ReadonlyStore<readonly SyncSession[]>, onDidChange: Event<VersionsChange>) {
    this.#sessions = sessions;
    this.#owned.add(observe(sessions, (all) => this.#follow(all)));
    this.#owned.add(
      onDidChange(({ folderId, action }) => {
        for (const { folder, sync } of sessions.value) if (folder.folderId === folderId) this.#read(sync, action);
      }),
    );
  }

  /** Returns what a folder has stored; nothing until it was read. */
  of(sync: FolderSync): StoredVersions {
    return this.#known.value.get(sync) ?? nothing;
  }

  /** Resolves when every change until now is known. */
  async settled(): Promise<void> {
    await this.#reads.queue(() => Promise.resolve());
  }

  dispose(): void {
    this.#owned.dispose();
    this.#known.dispose();
  }

  #follow(all: readonly SyncSession[]): void {
    const syncs = all.map(({ sync }) => sync);
    this.#known.update((known) => new Map([...known].filter(([sync]) => syncs.includes(sync))));
    for (const sync of syncs) if (!this.#known.value.has(sync)) this.#read(sync, 'copy', true);
  }

  #read(sync: FolderSync, action: VersionsChange['action'], isFirst = false): void {
    const before = this.of(sync);
    const mayUndo = isFirst || (action !== 'copy' && (action !== 'save' || !before.history));
    if (mayUndo) this.#changed.add(sync);
    // The trash never becomes empty: it keeps the newest version of each file.
    if (!mayUndo && before.trash) return;
    void this.#reads.queue(async () => {
      const isAnew = this.#changed.delete(sync);
      const stored = await storedIn(sync, this.of(sync), isAnew).catch(() => unreadable);
      const isOpen = this.#sessions.value.some((session) => session.sync === sync);
      if (isOpen) this.#known.update((known) => new Map([...known, [sync, stored]]));
    });
  }
}

async function storedIn(sync: FolderSync, before: StoredVersions, isHistoryNew: boolean): Promise<StoredVersions> {
  const trash = before.trash || (await sync.trashed()).length > 0;
  if (!isHistoryNew) return { ...before, trash };
  const runs = await sync.maintenance.history();
  return {
    push: lastToUndo(runs, 'push') !== undefined,
    pull: lastToUndo(runs, 'pull') !== undefined,
    history: runs.length > 0,
    trash,
  };
}
