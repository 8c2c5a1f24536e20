import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Logger } from '#base/log.ts';
import type { DescribedData, PlatformData, Session } from '#features/platform/index.ts';
import type { SearchDeps } from '#features/workspace/vscode/index.ts';
import type { LazyQueries } from '#features/data/index.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type { WindowTrust } from '#shell/trust.ts';

/** What asking the data API of a deployment needs. */
export interface DataDeps {
  readonly data: PlatformData;
  readonly session: Session;
  readonly queries: LazyQueries;
  readonly logger: Logger;
}

/** What drafts need that are open as documents. */
export interface DraftDeps {
  readonly data: PlatformData;
  readonly objects: DocumentFiles;
  readonly boundary: ErrorBoundary;
}

/** What previews of layouts need. */
export interface PreviewDeps {
  readonly context: vscode.ExtensionContext;
  readonly logger: Logger;
  readonly boundary: ErrorBoundary;
}

/** What the commands for one workbook need. */
export interface WorkbookDeps extends DescribedData {
  readonly context: vscode.ExtensionContext;
}

/** What dashboards need. */
export interface DashboardDeps extends WindowTrust {
  readonly search: SearchDeps;
  readonly queries: DataDeps;
  readonly drafts: DraftDeps;
  readonly previews: PreviewDeps;
  readonly workbooks: WorkbookDeps;
}
