import type { ReadonlyStore } from '#base/store.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type * as vscode from '#shell/vscode/guarded/vscode.ts';

/** The dependencies of review tabs on the rest of the extension. */
export interface ReviewDeps {
  readonly accounts: { readonly all: ReadonlyStore<readonly { readonly id: string }[]> };
  readonly boundary: ErrorBoundary;
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}
