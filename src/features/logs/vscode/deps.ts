import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Logger } from '#base/log.ts';
import type { PlatformData, Session } from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';

/** The dependencies of opening a file that a log mentions, from a linked folder or the deploy branch. */
export interface LogPlaceDeps {
  readonly data: PlatformData;
  readonly session: Session;
  readonly branchFiles: { list(target: BranchTarget): Promise<ReadonlyMap<string, unknown>> };
  readonly remote: { uri(target: BranchTarget, path: string): vscode.Uri };
}

/** The dependencies of following a deployment's log. */
export interface LogDeps extends LogPlaceDeps {
  readonly context: vscode.ExtensionContext;
  readonly logger: Logger;
  readonly boundary: ErrorBoundary;
}
