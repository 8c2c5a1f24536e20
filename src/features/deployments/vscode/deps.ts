import type { Logger } from '#base/log.ts';
import type { BranchPages, RefreshPorts } from '#features/deployments/refresh.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { BuildWatcher, DescribedData, PlatformData, Session } from '#features/platform/index.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/index.ts';
import type { Operations } from '#shell/operations.ts';
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

/** What the commands of the Deployments view need. */
export interface DeploymentCommandDeps extends BranchPages {
  readonly picking: DeploymentPickDeps;
  readonly refreshing: RefreshPorts;
}
