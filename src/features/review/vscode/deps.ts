import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type * as vscode from '#shell/vscode/guarded/vscode.ts';

/** The dependencies of review tabs on the rest of the extension. */
export interface ReviewDeps {
  readonly boundary: ErrorBoundary;
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}
