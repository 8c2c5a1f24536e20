import type { AdminDocuments } from '#features/administration/vscode/index.ts';
import type {
  DescribedData,
  Favourites,
  OfferedData,
  PlatformData,
  ReportOrderSetting,
  Session,
  WorkspaceItem,
} from '#features/platform/index.ts';
import type { WorkspaceNode } from '#features/workspace/workspace-tree.ts';
import type { Operations } from '#shell/operations.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type { WindowTrust } from '#shell/trust.ts';

/** The platform's data alone. */
export interface DataDeps {
  readonly data: PlatformData;
}

/** The dependencies of searching for a report or workbook. */
export interface SearchDeps extends OfferedData {
  readonly session: Session;
}

/** The dependencies of moving items. */
export interface MoveDeps extends DataDeps {
  readonly operations: Operations;
  readonly boundary: ErrorBoundary;
}

/** The dependencies of deleting items, which also removes them from the favourites. */
export interface RemoveDeps extends MoveDeps {
  readonly favourites: Favourites;
}

/** The dependencies of moving rows by dragging, into a folder or to the favourites. */
export interface DropDeps extends RemoveDeps, WindowTrust {}

type AccountOf = (id: string) => Parameters<AdminDocuments['fileOf']>[0] | undefined;

/** The dependencies of the documents of items. */
export interface ItemDeps extends OfferedData {
  readonly accounts: { get(accountId: string): ReturnType<AccountOf> };
  /** Documents with a schema, which are checked and compared before they are sent. */
  readonly forms: AdminDocuments;
}

/** A report or workbook that the user found. */
export interface FoundItem {
  readonly target: DeploymentTarget;
  readonly item: WorkspaceItem;
}

/** The dependencies of arranging the Workspace view. */
export interface ArrangeDeps extends Pick<OfferedData, 'offers'>, DescribedData {
  readonly session: Session;
  readonly favourites: Favourites;
  readonly reportOrder: ReportOrderSetting;
  /** Asks the user to find a report or workbook on the platform. */
  readonly findItem: (placeholder: string) => Promise<FoundItem | undefined>;
}

/** The dependencies of dragging rows. */
export interface DraggingDeps {
  /** Moves dragged rows of the workspace tree; `undefined`: dropped below the last row. */
  readonly drop: (rows: readonly unknown[], onto: WorkspaceNode | undefined) => Promise<void>;
  readonly boundary: ErrorBoundary;
}

/** The dependencies of the Workspace view. */
export interface WorkspaceViewDeps extends DraggingDeps, Pick<OfferedData, 'data' | 'offers'> {
  readonly session: Session;
  readonly favourites: Favourites;
  readonly reportOrder: ReportOrderSetting;
}
