import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Logger } from '#base/log.ts';
import type { LazyQueries } from '#features/data/index.ts';
import type { PlatformData } from '#features/platform/index.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';

/** What the playground needs of the window. */
export interface PlaygroundDeps {
  readonly context: vscode.ExtensionContext;
  readonly queries: LazyQueries;
  readonly data: PlatformData;
  readonly logger: Logger;
  readonly boundary: ErrorBoundary;
}
