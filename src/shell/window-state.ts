import type { ContextKeys } from './context-key-names.ts';

/** What features that are loaded late know of what their commands could act on; `undefined` until they are loaded. */
export interface LateFacts {
  /** An answer of the chat can be stopped. */
  readonly isAnswering?: boolean;
  /** There are threads of the chat. */
  readonly hasThreads?: boolean;
  /** The accounts of the requests that the API Explorer has sent. */
  readonly requestsOf?: readonly string[];
}

/** The state that menus, the palette and welcome texts depend on, as plain data. */
export interface WindowState {
  /** The number of accounts that are signed in. */
  readonly accounts: number;
  /** Whether there is an account that a user can sign out of: not one of the environment. */
  readonly canSignOut: boolean;
  /** Whether the deployments of all accounts are known, and there is none. */
  readonly hasNoDeployment: boolean;
  /** No tenant is reachable, and there is no earlier response to show. */
  readonly isOffline: boolean;
  /** Whether each list was loaded or failed to load. */
  readonly loaded: { readonly deployments: boolean; readonly branches: boolean; readonly workspace: boolean };
  /** The deployment that the Branches and Workspace views show. */
  readonly deployment: ShownDeployment | undefined;
  /** The linked folders of this window. */
  readonly links: readonly {
    readonly isSignedIn: boolean;
    /** Whether the user can choose its account: there are several at its tenant, or none, which is said with a way to sign in. */
    readonly canChoose: boolean;
  }[];
  /** Whether the file in the active editor is in a linked folder. */
  readonly isLinkedFile: boolean;
  /** What can be undone or restored in the linked folders that this window writes. */
  readonly stored: {
    readonly push: boolean;
    readonly pull: boolean;
    readonly history: boolean;
    readonly trash: boolean;
  };
  /** Whether the branch whose document is in the active editor has something in its trash. */
  readonly hasBranchTrash: boolean;
  readonly isAnswering: boolean;
  readonly hasThreads: boolean;
  readonly hasRequests: boolean;
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
  /** Whether the user has another dev branch there, or in another linked folder's deployment, as far as is known. */
  readonly canSwitch: boolean;
  /** Likewise, whether there is a shared branch without a staging environment. */
  readonly canStage: boolean;
}

/** Derives the context keys from a window's state; nothing else determines them. Every state has keys, and this never throws. */
export function contextKeysOf(state: WindowState): ContextKeys {
  const { deployment, links, loaded, stored } = state;
  const isLinked = links.length > 0;
  return {
    'modelbench.ready': true,
    'modelbench.signedIn': state.accounts > 0,
    'modelbench.canSignOut': state.canSignOut,
    'modelbench.noDeployment': state.hasNoDeployment,
    'modelbench.offline': state.isOffline,
    'modelbench.deploymentsLoaded': loaded.deployments,
    'modelbench.branchesLoaded': loaded.branches,
    'modelbench.workspaceLoaded': loaded.workspace,
    'modelbench.hasDeployment': deployment !== undefined,
    'modelbench.linked': isLinked,
    'modelbench.linkSignedOut': isLinked && links.every(({ isSignedIn }) => !isSignedIn),
    'modelbench.canChooseAccount': links.some(({ canChoose }) => canChoose),
    'modelbench.linkedFile': state.isLinkedFile,
    'modelbench.devMode': deployment?.isInDevMode === true,
    'modelbench.canDeploy': deployment?.canDeploy === true,
    'modelbench.takesDeploys': deployment?.canDeploy === true && deployment.isBuiltFromUploads,
    'modelbench.hasConflicts': state.conflicts > 0,
    'modelbench.canCommit': state.canCommit,
    'modelbench.canUndoPush': stored.push,
    'modelbench.canUndoPull': stored.pull,
    'modelbench.hasHistory': stored.history,
    'modelbench.hasTrash': stored.trash,
    'modelbench.hasBranchTrash': state.hasBranchTrash,
    'modelbench.canSwitchBranch': deployment?.canSwitch === true,
    'modelbench.canStage': deployment?.canStage === true,
    'modelbench.answering': state.isAnswering,
    'modelbench.hasThreads': state.hasThreads,
    'modelbench.hasRequests': state.hasRequests,
    'modelbench.syncPaused': state.isSyncPaused,
    'modelbench.stopped': state.isStopped,
    'modelbench.planOpen': state.isPlanOpen,
    'modelbench.branchFilter': state.branchFilter !== '',
    'modelbench.canDeleteBranch': deployment?.canDeleteBranch === true,
  };
}
