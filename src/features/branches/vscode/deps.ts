import type { Store } from '#base/store.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { BranchFiles, SyncSessions } from '#features/folders/index.ts';
import type { LinkAddressDeps, RemoteFileSystem } from '#features/folders/vscode/index.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/index.ts';
import type { ChangeCountDeps } from '#features/changes/vscode/index.ts';
import type { BranchRole, BuildWatcher, ForkPoints, Session, Windows } from '#features/platform/index.ts';
import type { ListWatchDeps } from '#features/branches/watch-branches.ts';
import type { Operations } from '#shell/operations.ts';

// What the branches of a deployment need of the rest of the extension, by what it is for.

/** Counting the changes on the active branch. */
export interface ActiveCountDeps extends ChangeCountDeps {
  readonly session: Session;
}

/** The Branches view. */
export interface BranchesViewDeps {
  readonly list: ListWatchDeps;
  readonly counts: ActiveCountDeps;
  readonly accounts: Accounts;
  /** Only branches whose name holds this text are shown. */
  readonly branchFilter: Store<string>;
  /** How many pages of each group of branches are drawn. */
  readonly branchPages: Store<ReadonlyMap<BranchRole, number>>;
  readonly windows: Windows;
}

/** Entering another branch: what is saved is sent first, and the build of the new one followed. */
export interface DevModeDeps extends DeploymentPickDeps {
  readonly builds: BuildWatcher;
  readonly operations: Operations;
  readonly syncs: SyncSessions;
}

/** Deleting a branch, where the platform offers that. */
export interface BranchDeletionDeps extends DeploymentPickDeps {
  /** Whether the platform of an account lists an operation; false until its description was read. */
  readonly offers: (accountId: string, operationId: string) => boolean;
  readonly operations: Operations;
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
