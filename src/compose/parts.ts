import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Disposable } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { AdminNode } from '#features/administration/admin-tree.ts';
import type { ImpactReviews } from '#features/history/vscode/deps.ts';
import type { ExplorerNode } from '#features/api-explorer/explorer-tree.ts';
import type { TreeItemSpec } from '#shell/tree-item.ts';
import type { WorkspaceNode } from '#features/workspace/workspace-tree.ts';
import type { WorkspaceItem } from '#features/platform/workspace-items.ts';
import type { AdminCommands } from '#shell/commands/administration-commands.ts';
import type { ChatCommands } from '#shell/commands/chat-commands.ts';
import type { ConsoleCommands } from '#shell/commands/workspace-commands.ts';
import type { ExplorerCommands } from '#shell/commands/api-explorer-commands.ts';
import type {
  CheckProposalParams,
  PlacedError,
  PlaceEngineErrorsParams,
  ProposalVerdict,
} from '#features/language/messages.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { ShownQuery } from '#features/chat/vscode/results.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import type { PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';

// What the parts that are bundles of their own give to the rest of the extension. Each is opened when it is first needed.

/** The chat with what the extension registers of it. */
export interface OpenedChat extends Disposable {
  /** Registers the chat's view, its editors and their restoring. */
  readonly register: Contribution['register'];
  readonly commands: Handlers<ChatCommands>;
  /** Runs a query and shows its rows in an editor. */
  readonly showResults: (query: ShownQuery) => void;
  /** Shows the thread of the shown deployment that the platform knows by this id. */
  readonly openLinked: (chatId: string) => Promise<void>;
  /** Forgets the threads of an account, whose files are erased next. */
  readonly forgetAccount: (accountId: string) => void;
}
export type LazyChat = () => Promise<OpenedChat>;

/** Documents of deployments and of the workspace, dashboards and logs. */
export interface OpenedConsole extends Disposable, ImpactReviews {
  readonly commands: Handlers<ConsoleCommands>;
  /** Moves rows of the workspace tree to where they are dropped; `undefined`: below the last row. */
  readonly drop: (rows: readonly unknown[], onto: WorkspaceNode | undefined) => Promise<void>;
  /** Asks for a report or workbook, searched for on the platform. */
  readonly find: (placeholder: string) => Promise<FoundItem | undefined>;
  /** Makes a document of an earlier window again. */
  readonly documentOf: (recipe: unknown, path: string) => PlatformDocument | undefined;
  /** Fills a layout preview of an earlier window. */
  readonly restorePreview: (panel: vscode.WebviewPanel, state: unknown) => Promise<void>;
  /** Follows the log of an earlier window again. */
  readonly restoreLog: (panel: vscode.WebviewPanel, state: unknown) => void;
}
export type LazyConsole = () => Promise<OpenedConsole>;

/** A report or workbook that a user found. */
export interface FoundItem {
  readonly target: DeploymentTarget;
  readonly item: WorkspaceItem;
}

/** The Administration view's rows, documents and commands. */
export interface OpenedAdmin extends Disposable {
  readonly commands: Handlers<AdminCommands>;
  readonly tree: ReadonlyStore<readonly AdminNode[]>;
  readonly describe: (node: AdminNode) => TreeItemSpec;
  /** Makes a document of an earlier window again. */
  readonly documentOf: (recipe: unknown, path: string) => Promise<PlatformDocument | undefined>;
  /** Loads the rows of a node that is opened for the first time. */
  readonly expand: (node: AdminNode) => Promise<void>;
}
export type LazyAdmin = () => Promise<OpenedAdmin>;

/** The API Explorer's rows, documents and commands. */
export interface OpenedExplorer extends Disposable {
  readonly commands: Handlers<ExplorerCommands>;
  readonly tree: ReadonlyStore<readonly ExplorerNode[]>;
  /** The text of a document that VS Code asks for and that nobody opened in this window. */
  restore(uri: vscode.Uri): Promise<string | undefined>;
}
export type LazyExplorer = () => Promise<OpenedExplorer>;

/** The running language features, for what the rest of the extension wants of them. */
export interface OpenedLanguage {
  restart(): Promise<void>;
  exportSchema(): Promise<void>;
  /** Shows the page of the problem at the cursor. */
  explainProblem(): Promise<void>;
  /** Shows the joins of the model of the active editor. */
  showJoinGraph(): Promise<void>;
  /** Has the engine compile the model of the active editor, and says what came of it. */
  checkModel(): Promise<void>;
  /** Has the engine judge a model with some texts in the place of its files; the user was shown these texts. */
  checkProposal(files: CheckProposalParams['files'], signal: AbortSignal): Promise<ProposalVerdict>;
  /** Chooses whether JavaScript models run in the sandbox. */
  chooseScripts(choice?: 'run' | 'skip'): Promise<void>;
  /** Where errors of the engine belong, one answer for each; `undefined` while the server does not run. */
  placeErrors(errors: PlaceEngineErrorsParams): Promise<readonly (PlacedError | null)[] | undefined>;
}
export type LazyLanguage = () => Promise<OpenedLanguage>;
