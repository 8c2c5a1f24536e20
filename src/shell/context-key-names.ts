/** The context keys that menus and welcome views use, all set by one contribution. They are undefined until it has run once. */
export interface ContextKeys {
  readonly 'modelbench.ready': boolean;
  readonly 'modelbench.signedIn': boolean;
  /** There is an account that a user can sign out of: not one of the environment. */
  readonly 'modelbench.canSignOut': boolean;
  /** The deployments of all accounts were loaded, and there is none. */
  readonly 'modelbench.noDeployment': boolean;
  /** No tenant is reachable, and there is no earlier response to show. */
  readonly 'modelbench.offline': boolean;
  /** The deployments of every account were loaded or failed to load; until then their number is not shown. */
  readonly 'modelbench.deploymentsLoaded': boolean;
  /** Likewise for the branches of the shown deployment. */
  readonly 'modelbench.branchesLoaded': boolean;
  /** Likewise for the workspace of the shown deployment. */
  readonly 'modelbench.workspaceLoaded': boolean;
  /** A deployment is shown in the Branches and Workspace views. */
  readonly 'modelbench.hasDeployment': boolean;
  /** A folder of this window is linked. */
  readonly 'modelbench.linked': boolean;
  /** The user is not signed in to the tenant of any linked folder. */
  readonly 'modelbench.linkSignedOut': boolean;
  /** The user has several accounts at the tenant of a linked folder, or none. */
  readonly 'modelbench.canChooseAccount': boolean;
  /** The file in the active editor is in a linked folder. */
  readonly 'modelbench.linkedFile': boolean;
  /** A linked folder's deployment has an active dev branch. */
  readonly 'modelbench.devMode': boolean;
  /**
   * The shown deployment is in deploy mode `cli`, or the platform does not report the mode: linked folders can be deployed to it.
   */
  readonly 'modelbench.canDeploy': boolean;
  /** The shown deployment is known to be in deploy mode `cli`. */
  readonly 'modelbench.takesDeploys': boolean;
  readonly 'modelbench.hasConflicts': boolean;
  /** A linked folder's dev branch has changes that its parent does not have, or this is unknown. */
  readonly 'modelbench.canCommit': boolean;
  /** A push can be undone in a linked folder that this window writes. */
  readonly 'modelbench.canUndoPush': boolean;
  /** Likewise, a pull. */
  readonly 'modelbench.canUndoPull': boolean;
  /** The history of a linked folder has a run. */
  readonly 'modelbench.hasHistory': boolean;
  /** The trash of a linked folder that this window writes has a version. */
  readonly 'modelbench.hasTrash': boolean;
  /** Likewise, the trash of the branch whose document is in the active editor. */
  readonly 'modelbench.hasBranchTrash': boolean;
  /** The user has another dev branch, or the branches are not loaded. */
  readonly 'modelbench.canSwitchBranch': boolean;
  /** There is a shared branch without a staging environment, or the branches are not loaded. */
  readonly 'modelbench.canStage': boolean;
  /** An answer of the chat can be stopped. */
  readonly 'modelbench.answering': boolean;
  /** There are threads of the chat. */
  readonly 'modelbench.hasThreads': boolean;
  /** Requests that the API Explorer has sent can be opened again. */
  readonly 'modelbench.hasRequests': boolean;
  /** The user has paused the sync of every linked folder. */
  readonly 'modelbench.syncPaused': boolean;
  /** A commit, pull or merge of the active branch stopped because of conflicts. */
  readonly 'modelbench.stopped': boolean;
  /** A push or pull plan is open for review. */
  readonly 'modelbench.planOpen': boolean;
  readonly 'modelbench.branchFilter': boolean;
  /** The platform can delete branches. */
  readonly 'modelbench.canDeleteBranch': boolean;
}

export type ContextKey = keyof ContextKeys;
