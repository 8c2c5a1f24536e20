import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Logger } from '#base/log.ts';
import type { DescribedData, PlatformData, Session } from '#features/platform/index.ts';
import type { SearchDeps } from '#features/workspace/vscode/index.ts';
import type { LazyQueries } from '#features/data/index.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type { WindowTrust } from '#shell/trust.ts';

/** The dependencies of reading the data API of a deployment. */
export interface DataDeps {
  readonly data: PlatformData;
  readonly session: Session;
  readonly queries: LazyQueries;
  readonly logger: Logger;
}

/** The dependencies of drafts as documents. */
export interface DraftDeps {
  readonly data: PlatformData;
  readonly objects: DocumentFiles;
  readonly boundary: ErrorBoundary;
}

/** The dependencies of layout previews. */
export interface PreviewDeps {
  readonly context: vscode.ExtensionContext;
  readonly logger: Logger;
  readonly boundary: ErrorBoundary;
}

/** The dependencies of the commands for one workbook. */
export interface WorkbookDeps extends DescribedData {
  readonly context: vscode.ExtensionContext;
}

/** The dependencies of the dashboards feature. */
export interface DashboardDeps extends WindowTrust {
  readonly search: SearchDeps;
  readonly queries: DataDeps;
  readonly drafts: DraftDeps;
  readonly previews: PreviewDeps;
  readonly workbooks: WorkbookDeps;
}
