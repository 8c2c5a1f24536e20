import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Logger } from '#base/log.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import type { Session } from '#features/platform/session.ts';
import type { DescribedData } from '#features/platform/described-platform.ts';
import type { SearchDeps } from '#features/workspace/vscode/deps.ts';
import type { LazyQueries } from '#features/data/queries.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type { WindowTrust } from '#shell/vscode/trust.ts';

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
export interface DashboardDeps extends SearchDeps, DataDeps, DraftDeps, PreviewDeps, WorkbookDeps, WindowTrust {
  readonly data: PlatformData;
}
