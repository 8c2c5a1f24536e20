import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Disposable } from '#base/disposable.ts';
import type { ImpactReviews } from '#features/history/vscode/deps.ts';
import type { ShowPlayground } from '#features/data/show-playground.ts';
import type { FoundItem } from '#features/workspace/vscode/deps.ts';
import type { WorkspaceNode } from '#features/workspace/workspace-tree.ts';
import type { DeploymentWorkCommands } from '#shell/commands/workspace-commands.ts';
import type { PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import type { Handlers } from '#shell/vscode/register.ts';

/** The services for documents of deployments and of the workspace, dashboards and logs. */
export interface OpenedDeploymentWork extends Disposable, ImpactReviews {
  readonly commands: Handlers<DeploymentWorkCommands>;
  /** Moves rows of the workspace tree to the drop target; `undefined`: below the last row. */
  readonly drop: (rows: readonly unknown[], onto: WorkspaceNode | undefined) => Promise<void>;
  /** Lets the user search the platform for a report or workbook. */
  readonly find: (placeholder: string) => Promise<FoundItem | undefined>;
  readonly showPlayground: ShowPlayground;
  readonly earlier: EarlierEditors;
}

/** Restores editors of an earlier window. */
interface EarlierEditors {
  readonly documentOf: (recipe: unknown, path: string) => PlatformDocument | undefined;
  /** Restores a layout preview. */
  readonly restorePreview: (panel: vscode.WebviewPanel, state: unknown) => Promise<void>;
  /** Restores a view that follows a log. */
  readonly restoreLog: (panel: vscode.WebviewPanel, state: unknown) => void;
}

/** Loads the services at first use. */
export type LazyDeploymentWork = () => Promise<OpenedDeploymentWork>;
