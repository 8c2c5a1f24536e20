import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';
import type { BuildWatcher } from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { SyncSession, SyncSessions } from './sync-sessions.ts';

/** The dependencies of {@link followTransfers}. */
export interface FollowPorts {
  readonly builds: Pick<BuildWatcher, 'follow'>;
  readonly syncs: Pick<SyncSessions, 'onDidChange' | 'ofBranch'>;
  /** Documents of branches, which are written to without a linked folder. */
  readonly remote: { readonly onDidWrite: Event<BranchTarget> };
}

/** Follows the build after each transfer. After a write without the folder, the synced folders of that branch compare again. */
export function followTransfers({ builds, syncs, remote }: FollowPorts): Disposable {
  const store = new DisposableStore();
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
  store.add(
    remote.onDidWrite((target) => {
      for (const { sync } of syncs.ofBranch(target)) sync.plan().catch(() => undefined);
      void builds.follow(target);
    }),
  );
  return store;
}
