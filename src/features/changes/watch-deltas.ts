import { derived } from '#base/derived.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';
import { isEqual } from '#base/equal.ts';
import { observe } from '#base/store.ts';
import type { SyncSession, SyncSessions } from '#features/folders/index.ts';
import { branchKey } from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { ComparedBranch } from './branch-deltas.ts';
import { comparedBranch, type CommitPlanDeps } from './commit-plan.ts';

/** The dependencies that keep comparisons with the parent up to date. */
export interface DeltaWatchDeps extends CommitPlanDeps {
  readonly syncs: Pick<SyncSessions, 'all'>;
  /** Fires when a branch was written to through one of its documents. */
  readonly onDidWrite: Event<BranchTarget>;
}

/** A branch to compare, and a stamp of what its last comparison depended on; another stamp leads to a new comparison. */
interface Wanted {
  readonly branch: ComparedBranch;
  readonly stamp: unknown;
}

/**
 * Compares the dev branches of linked folders with their parents: once both are known, and again after a push, a commit, a pull,
 * a change on the platform, or an outage.
 */
export function watchDeltas(deps: DeltaWatchDeps): Disposable {
  const { data, deltas, onDidWrite, syncs } = deps;
  const owned = new DisposableStore();
  const stamps = new Map<string, unknown>();
  const wanted = owned.add(
    derived<readonly Wanted[]>(() => syncs.all.value.flatMap((session) => wantedOf(deps, session))),
  );
  owned.add(
    observe(wanted, (all) => {
      for (const { branch, stamp } of all) {
        const key = branchKey(branch.target);
        if (isEqual(stamps.get(key), stamp)) continue;
        stamps.set(key, stamp);
        void deltas.compare(branch);
      }
    }),
  );
  owned.add(observe(syncs.all, (all) => all.forEach(({ target }) => void data.of(target).branches.start())));
  owned.add(
    onDidWrite((target) => {
      const branch = comparedBranch(deps, target);
      if (branch && stamps.has(branchKey(target))) void deltas.compare(branch);
    }),
  );
  return owned;
}

/** Compares every branch of a linked folder again, with a fresh list of branches. */
export async function compareAgain(deps: DeltaWatchDeps): Promise<void> {
  for (const { target } of deps.syncs.all.value) {
    await deps.data.of(target).branches.refresh();
    const branch = comparedBranch(deps, target);
    if (branch) await deps.deltas.compare(branch);
  }
}

function wantedOf(deps: DeltaWatchDeps, { sync, target }: SyncSession): readonly Wanted[] {
  const branch = comparedBranch(deps, target);
  if (!branch) return [];
  const { lastChecked, lastSynced, outage, remoteChanges } = sync.status.value;
  // After a failure, each check of the folder tries again: the platform may be available again.
  const attempt = deps.deltas.failure(target) ? lastChecked : undefined;
  return [{ branch, stamp: { branch, lastSynced, remoteChanges, outage: outage?.kind, attempt } }];
}
