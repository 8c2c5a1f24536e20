import type { ContextKeys } from './context-key-names.ts';

/** The state that menus, the palette and welcome texts depend on, as plain data. */
export interface WindowState {
  /** The number of accounts that are signed in. */
  readonly accounts: number;
  /** No tenant is reachable, and there is no earlier response to show. */
  readonly isOffline: boolean;
  /** Whether each list was loaded or failed to load. */
  readonly loaded: { readonly deployments: boolean; readonly branches: boolean; readonly workspace: boolean };
  /** The deployment that the Branches and Workspace views show. */
  readonly deployment: ShownDeployment | undefined;
  /** The linked folders of this window. */
  readonly links: readonly { readonly isSignedIn: boolean }[];
  /** Whether the user has paused the sync of every linked folder. */
  readonly isSyncPaused: boolean;
  /** The number of files in conflict. */
  readonly conflicts: number;
  /** Whether the active dev branch has something to commit. */
  readonly canCommit: boolean;
  /** Whether a commit, pull or merge of the active branch stopped because of conflicts. */
  readonly isStopped: boolean;
  readonly isPlanOpen: boolean;
  /** The text that filters the branches; empty without a filter. */
  readonly branchFilter: string;
}

export interface ShownDeployment {
  readonly isInDevMode: boolean;
  /** Whether a folder of this window can be deployed to it, as far as is known. */
  readonly canDeploy: boolean;
  /** Whether production is known to be built from uploads. */
  readonly isBuiltFromUploads: boolean;
  readonly canDeleteBranch: boolean;
}

/** Derives the context keys from a window's state; nothing else determines them. Every state has keys, and this never throws. */
export function contextKeysOf(state: WindowState): ContextKeys {
  const { deployment, links, loaded } = state;
  const isLinked = links.length > 0;
  return {
    'modelbench.ready': true,
    'modelbench.signedIn': state.accounts > 0,
    'modelbench.offline': state.isOffline,
    'modelbench.deploymentsLoaded': loaded.deployments,
    'modelbench.branchesLoaded': loaded.branches,
    'modelbench.workspaceLoaded': loaded.workspace,
    'modelbench.hasDeployment': deployment !== undefined,
    'modelbench.linked': isLinked,
    'modelbench.linkSignedOut': isLinked && links.every(({ isSignedIn }) => !isSignedIn),
    'modelbench.devMode': deployment?.isInDevMode === true,
    'modelbench.canDeploy': deployment?.canDeploy === true,
    'modelbench.takesDeploys': deployment?.canDeploy === true && deployment.isBuiltFromUploads,
    'modelbench.hasConflicts': state.conflicts > 0,
    'modelbench.canCommit': state.canCommit,
    'modelbench.syncPaused': state.isSyncPaused,
    'modelbench.stopped': state.isStopped,
    'modelbench.planOpen': state.isPlanOpen,
    'modelbench.branchFilter': state.branchFilter !== '',
    'modelbench.canDeleteBranch': deployment?.canDeleteBranch === true,
  };
}
