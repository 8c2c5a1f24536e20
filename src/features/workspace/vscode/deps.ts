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

/** What searching for a report or workbook needs. */
export interface SearchDeps extends OfferedData {
  readonly session: Session;
}

/** What moving items needs. */
export interface MoveDeps extends DataDeps {
  readonly operations: Operations;
  readonly boundary: ErrorBoundary;
}

/** What deleting items needs: a favourite that is gone is none any more. */
export interface RemoveDeps extends MoveDeps {
  readonly favourites: Favourites;
}

/** What moving rows by dragging needs: into a folder, or to the favourites. */
export interface DropDeps extends RemoveDeps, WindowTrust {}

type AccountOf = (id: string) => Parameters<AdminDocuments['fileOf']>[0] | undefined;

/** What the documents of items need. */
export interface ItemDeps extends OfferedData {
  readonly accounts: { get(accountId: string): ReturnType<AccountOf> };
  /** Documents with a schema, checked and compared before they are sent. */
  readonly forms: AdminDocuments;
}

/** A report or workbook that a user found. */
export interface FoundItem {
  readonly target: DeploymentTarget;
  readonly item: WorkspaceItem;
}

/** What arranging the Workspace view needs. */
export interface ArrangeDeps extends Pick<OfferedData, 'offers'>, DescribedData {
  readonly session: Session;
  readonly favourites: Favourites;
  readonly reportOrder: ReportOrderSetting;
  /** Asks for a report or workbook, searched for on the platform. */
  readonly findItem: (placeholder: string) => Promise<FoundItem | undefined>;
}

/** What rows that are dragged need. */
export interface DraggingDeps {
  /** Moves rows of the workspace tree to where they are dropped; `undefined`: below the last row. */
  readonly drop: (rows: readonly unknown[], onto: WorkspaceNode | undefined) => Promise<void>;
  readonly boundary: ErrorBoundary;
}

/** What the Workspace view shows. */
export interface WorkspaceViewDeps extends DraggingDeps, Pick<OfferedData, 'data' | 'offers'> {
  readonly session: Session;
  readonly favourites: Favourites;
  readonly reportOrder: ReportOrderSetting;
}
