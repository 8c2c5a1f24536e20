import type { Logger } from '#base/log.ts';
import type { Store } from '#base/store.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { BranchRole, BuildWatcher, DescribedData, PlatformData, Session } from '#features/platform/index.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';

/** What changing a deployment needs. */
export interface ChangeDeps {
  readonly data: PlatformData;
  readonly operations: Operations;
}

/** What creating a deployment needs: it is shown next. */
export interface CreateDeps extends ChangeDeps {
  readonly session: Session;
}

/** What following a dbt sync needs: how it went is logged. */
export interface DbtSyncDeps extends ChangeDeps {
  readonly logger: Logger;
}

/** What showing a deployment's variables as a document needs. */
export interface VariableDeps {
  readonly data: PlatformData;
  readonly objects: DocumentFiles;
}

/** What changing a deployment's settings needs. */
export type SettingDeps = DescribedData;

/** What the Deployments view shows. */
export interface DeploymentsViewDeps {
  readonly accounts: Accounts;
  readonly data: PlatformData;
  readonly session: Session;
  readonly builds: BuildWatcher;
}

/** The lists of the Workspace view. */
export interface WorkspaceListDeps {
  readonly data: PlatformData;
  readonly session: Session;
  readonly offers: (accountId: string, operationId: string) => boolean;
}

/** Ways to read again what a failed row stands for. */
export interface RetryDeps extends WorkspaceListDeps {
  readonly accounts: Accounts;
  readonly syncs: OpenFolders;
  readonly loadBranches: (target: DeploymentTarget) => Promise<void>;
}

/** The sync of this window's folders, as far as it can be asked to try again. */
interface OpenFolders {
  ofFolder(folderId: string): { readonly sync: { plan(): Promise<unknown> } } | undefined;
  reconcile(): Promise<unknown>;
}

/** How many pages of each group of branches are drawn. */
export interface BranchPageDeps {
  readonly branchPages: Store<ReadonlyMap<BranchRole, number>>;
}

/** What the commands of the Deployments view need. */
export interface DeploymentCommandDeps extends DeploymentPickDeps, RetryDeps, BranchPageDeps {
  readonly accounts: Accounts;
  readonly data: PlatformData;
  readonly session: Session;
}
