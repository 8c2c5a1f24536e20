import type { Logger } from '#base/log.ts';
import type { BranchPages, RefreshPorts } from '#features/deployments/refresh.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { BuildWatcher, DescribedData, PlatformData, Session } from '#features/platform/index.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';

/** The dependencies of changing a deployment. */
export interface ChangeDeps {
  readonly data: PlatformData;
  readonly operations: Operations;
}

/** The dependencies of creating a deployment, which is then selected. */
export interface CreateDeps extends ChangeDeps {
  readonly session: Session;
}

/** The dependencies of following a dbt sync, whose progress is logged. */
export interface DbtSyncDeps extends ChangeDeps {
  readonly logger: Logger;
}

/** The dependencies of showing a deployment's variables as a document. */
export interface VariableDeps {
  readonly data: PlatformData;
  readonly objects: DocumentFiles;
}

/** The dependencies of changing a deployment's settings. */
export type SettingDeps = DescribedData;

/** The dependencies of the Deployments view. */
export interface DeploymentsViewDeps {
  readonly accounts: Accounts;
  readonly data: PlatformData;
  readonly session: Session;
  readonly builds: BuildWatcher;
}

/** The dependencies of the commands of the Deployments view. */
export interface DeploymentCommandDeps extends BranchPages {
  readonly picking: DeploymentPickDeps;
  readonly refreshing: RefreshPorts;
}
