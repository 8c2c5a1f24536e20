/** The keys that menus and welcome views ask for, all derived in one contribution. Undefined until it has run once. */
export interface ContextKeys {
  readonly 'modelbench.ready': boolean;
  readonly 'modelbench.signedIn': boolean;
  /** No tenant can be reached, and no earlier answer is there to show. */
  readonly 'modelbench.offline': boolean;
  /** Every account's deployments are there, or could not be loaded: until then their number is not shown. */
  readonly 'modelbench.deploymentsLoaded': boolean;
  /** The same of the branches of the shown deployment. */
  readonly 'modelbench.branchesLoaded': boolean;
  /** The same of the workspace of the shown deployment. */
  readonly 'modelbench.workspaceLoaded': boolean;
  /** A deployment is shown in the Branches and Workspace views. */
  readonly 'modelbench.hasDeployment': boolean;
  /** A folder of this window is linked. */
  readonly 'modelbench.linked': boolean;
  /** None of the linked folders' tenants is signed in to. */
  readonly 'modelbench.linkSignedOut': boolean;
  /** A linked folder's deployment has an active dev branch. */
  readonly 'modelbench.devMode': boolean;
  /** The shown deployment is in deploy mode `cli`, or the platform does not say: linked folders can be deployed to it. */
  readonly 'modelbench.canDeploy': boolean;
  /** The shown deployment is known to be in deploy mode `cli`. */
  readonly 'modelbench.takesDeploys': boolean;
  readonly 'modelbench.hasConflicts': boolean;
  /** A linked folder's dev branch holds something that its parent does not, or that is not known. */
  readonly 'modelbench.canCommit': boolean;
  /** The user has paused the sync of every linked folder. */
  readonly 'modelbench.syncPaused': boolean;
  /** A commit, pull or merge of the active branch stopped at conflicts. */
  readonly 'modelbench.stopped': boolean;
  /** A push or pull plan waits for ticks. */
  readonly 'modelbench.planOpen': boolean;
  readonly 'modelbench.branchFilter': boolean;
  /** The platform can delete branches. */
  readonly 'modelbench.canDeleteBranch': boolean;
}

export type ContextKey = keyof ContextKeys;
