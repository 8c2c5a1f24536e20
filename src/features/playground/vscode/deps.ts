import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Logger } from '#base/log.ts';
import type { LazyQueries, QueryTarget } from '#features/data/index.ts';
import type { QuerySaving } from '#features/data/vscode/index.ts';
import type { BuildWatcher, PlatformData } from '#features/platform/index.ts';
import type { EngineAdvice } from '#features/playground/ports.ts';
import type { EditReviewDeps } from '#features/review/vscode/index.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';

/** The dependencies of the playground. */
export interface PlaygroundDeps {
  readonly context: vscode.ExtensionContext;
  readonly queries: LazyQueries;
  readonly data: PlatformData;
  /** Explains queries to the model of a folder (a URI) with the engine on this machine. */
  readonly advice: EngineAdvice;
  readonly files: FileDeps;
  readonly logger: Logger;
  readonly builds: Pick<BuildWatcher, 'onDidFinish'>;
  readonly boundary: ErrorBoundary;
}

/** What the playground needs to write files. */
interface FileDeps {
  /** Shows a change of a file before it is made. */
  readonly edits: EditReviewDeps;
  /**
   * Opens the folder for query files of the project whose model is queried; `folder` is the URI of a folder of the window, or
   * empty. Throws `UserError` if nothing can be saved.
   */
  readonly saving: (target: QueryTarget, folder: string) => Promise<QuerySaving>;
}
