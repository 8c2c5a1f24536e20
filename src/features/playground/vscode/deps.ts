import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Logger } from '#base/log.ts';
import type { LazyQueries } from '#features/data/index.ts';
import type { BuildWatcher, PlatformData } from '#features/platform/index.ts';
import type { EngineAdvice } from '#features/playground/ports.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';

/** What the playground needs of the window. */
export interface PlaygroundDeps {
  readonly context: vscode.ExtensionContext;
  readonly queries: LazyQueries;
  readonly data: PlatformData;
  /** What the engine on this machine says of queries to the model of a folder (a URI). */
  readonly advice: EngineAdvice;
  readonly logger: Logger;
  readonly builds: Pick<BuildWatcher, 'onDidFinish'>;
  readonly boundary: ErrorBoundary;
}
