import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { ApiConnection } from '#features/api-explorer/connection.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/index.ts';
import type { LateFacts } from '#shell/window-state.ts';
import type { Operations } from '#shell/operations.ts';
import type { ExplorerFiles } from './files.ts';

/** The dependencies of sending requests. */
export interface RequestDeps {
  readonly operations: Operations;
  readonly files: ExplorerFiles;
  readonly connection: (accountId: string) => Promise<ApiConnection>;
}

/** The dependencies of the API Explorer. */
export interface ExplorerDeps extends DeploymentPickDeps {
  readonly requests: RequestDeps;
  readonly context: vscode.ExtensionContext;
  /** Receives what commands of the explorer could act on, whenever it changes. */
  readonly reportFacts: (facts: LateFacts) => void;
}
