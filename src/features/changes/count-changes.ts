import type { SyncSession } from '#features/folders/index.ts';
import { gitConflictsOf, type StoppedStepDeps } from '#features/history/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { ChangeCounts } from './change-counts.ts';

/** Returns the totals of all linked folders. */
export function countsOf(deps: StoppedStepDeps): ChangeCounts {
  return countsIn(deps, deps.syncs.all.value);
}

/** Returns the totals of the folders on a branch in this window; `undefined` before the first comparison. */
export function countsOn(deps: StoppedStepDeps, target: BranchTarget): ChangeCounts | undefined {
  const looked = deps.syncs.ofBranch(target).filter(({ sync }) => sync.status.value.lastChecked !== undefined);
  return looked.length === 0 ? undefined : countsIn(deps, looked);
}

function countsIn(deps: StoppedStepDeps, sessions: readonly SyncSession[]): ChangeCounts {
  let [local, remote, conflicts] = [0, 0, 0];
  for (const session of sessions) {
    const status = session.sync.status.value;
    local += status.localChanges.length;
    remote += status.remoteChanges.length;
    conflicts += status.conflicts.length + gitConflictsOf(deps, session).length;
  }
  return { local, remote, conflicts };
}
