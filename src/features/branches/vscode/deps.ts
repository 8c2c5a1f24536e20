import type { Store } from '#base/store.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { BranchFiles, SyncSessions } from '#features/folders/index.ts';
import type { LinkAddressDeps, RemoteFileSystem } from '#features/folders/vscode/index.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/index.ts';
import type { ChangeCountDeps } from '#features/changes/vscode/index.ts';
import type { BranchRole, BuildWatcher, ForkPoints, Session, Windows } from '#features/platform/index.ts';
import type { ListWatchDeps } from '#features/branches/watch-branches.ts';
import type { Reviews } from '#features/review/index.ts';
import type { Operations } from '#shell/operations.ts';

// The dependencies of the branches feature, by purpose.

/** Counting the changes on the active branch. */
export interface ActiveCountDeps extends ChangeCountDeps {
  readonly session: Session;
}

/** The Branches view. */
export interface BranchesViewDeps {
  readonly list: ListWatchDeps;
  readonly counts: ActiveCountDeps;
  readonly accounts: Accounts;
  /** Shows only branches whose name contains this text. */
  readonly branchFilter: Store<string>;
  /** The number of pages that are shown of each group of branches. */
  readonly branchPages: Store<ReadonlyMap<BranchRole, number>>;
  readonly windows: Windows;
}

/** Entering another branch: saved files are uploaded first, and the new branch's build is followed. */
export interface DevModeDeps extends DeploymentPickDeps {
  readonly builds: BuildWatcher;
  readonly operations: Operations;
  readonly syncs: SyncSessions;
}

/** Deleting a branch, if the platform supports it. */
export interface BranchDeletionDeps extends DeploymentPickDeps {
  /** Whether the platform of an account lists an operation; false until its description was read. */
  readonly offers: (accountId: string, operationId: string) => boolean;
  readonly operations: Operations;
  readonly lost: LostWorkDeps;
}

/** What a deleted branch takes with it, and the page that shows it. */
export interface LostWorkDeps extends BranchFilesDeps {
  readonly reviews: Pick<Reviews, 'open'>;
  readonly syncs: Pick<SyncSessions, 'ofBranch'>;
}

/** Every command on branches. */
export interface BranchCommandDeps {
  readonly devMode: DevModeDeps;
  readonly deletion: BranchDeletionDeps;
  readonly addresses: LinkAddressDeps;
  readonly branchFilter: Store<string>;
}

/** Files of branches, as documents. */
export interface BranchFilesDeps {
  readonly branchFiles: BranchFiles;
  readonly remote: RemoteFileSystem;
}

/** Opening, searching and comparing files of a branch that the user chooses. */
export interface ComparisonDeps extends DeploymentPickDeps, BranchFilesDeps {}

/** Deleting dev branches that are not in use. */
export interface PruneDeps {
  readonly deletion: BranchDeletionDeps;
  readonly forks: ForkPoints;
  readonly windows: Windows;
}

/** Every command that compares branches. */
export interface CompareCommandDeps {
  readonly comparison: ComparisonDeps;
  readonly pruning: PruneDeps;
}
