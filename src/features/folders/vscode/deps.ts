import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Logger } from '#base/log.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { Account, Accounts, TenantSuggestion } from '#features/accounts/index.ts';
import type { BranchFiles, BranchTree } from '#features/folders/branch-files.ts';
import type { BranchTrash } from '#features/folders/branch-trash.ts';
import type { SaveChoices } from '#features/folders/save-choice.ts';
import type { SavedFilesPorts } from '#features/folders/saved-files.ts';
import type { OpenSync, SyncSessions } from '#features/folders/sync-sessions.ts';
import type { UploadConsent } from '#features/folders/upload-consent.ts';
import type { BuildWatcher, PlatformData, Session } from '#features/platform/index.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/index.ts';
import type { Impact, ModelComparison, Reviews } from '#features/review/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type { FilePages } from '#features/folders/file-review.ts';
import type { PlanView } from '#features/folders/plan-view.ts';
import type { RemoteDocuments } from './remote-documents.ts';
import type { RemoteFileSystem } from './remote-file-system.ts';

// The dependencies of linked folders on the rest of the extension, grouped by purpose.

/** Linking a folder to a deployment. */
export interface LinkDeps extends DeploymentPickDeps {}

/** Linking a folder that may have been linked before. */
export interface LinkFolderDeps extends LinkDeps {
  /** Throws `Hint` if work in a folder has begun that belongs to the deployment that it is linked to. */
  readonly requireEnded: (folderId: string) => void;
}

/** Making a linked folder from a deployment's files. */
export interface CloneDeps extends LinkDeps {
  readonly openSync: OpenSync;
  readonly operations: Operations;
}

/** Addresses of links into the extension. */
export interface LinkAddressDeps {
  readonly accounts: Accounts;
  readonly context: Pick<vscode.ExtensionContext, 'extension'>;
}

/** Following a link into the extension. */
export interface FollowLinkDeps {
  readonly accounts: Accounts;
  readonly data: PlatformData;
  readonly session: Session;
  readonly remote: RemoteFileSystem;
  /** Asks for an account of a tenant; resolves to `undefined` if the user cancels. */
  readonly signIn: (suggestion: TenantSuggestion | undefined) => Promise<Account | undefined>;
  /** Opens a thread of the shown deployment by its id on the platform. */
  readonly openThread: (chatId: string) => Promise<void>;
}

/** Handling links that VS Code passes on. */
export interface LinkHandlerDeps extends FollowLinkDeps {
  readonly boundary: ErrorBoundary;
}

/** Choosing the account of a folder. */
export interface FolderAccountDeps {
  readonly accounts: Accounts;
  readonly session: Session;
}

/** Knowing which folders of the window are linked, and to what. */
export interface LinkedFoldersDeps {
  readonly logger: Logger;
  readonly session: Session;
}

/** Offering the tools of the command line to agents in this window. */
export interface McpServerDeps {
  readonly accounts: Pick<Accounts, 'all' | 'get' | 'key'>;
  readonly context: Pick<vscode.ExtensionContext, 'extension' | 'extensionUri'>;
  readonly data: Pick<PlatformData, 'deployments'>;
  readonly isTrusted: ReadonlyStore<boolean>;
  readonly session: Pick<Session, 'links' | 'targetOf'>;
}

/** Installing what the extension ships for other programs. */
export interface SkillDeps {
  readonly context: Pick<vscode.ExtensionContext, 'extension' | 'extensionUri'>;
}

/** Choosing a folder that is synced. */
export interface FolderPicker {
  readonly accounts: Accounts;
  readonly session: Session;
  readonly syncs: SyncSessions;
}

/** Noticing branches and deployments that are gone or refuse writes. */
export interface DeletionDeps {
  readonly data: PlatformData;
  readonly logger: Logger;
  readonly session: Session;
  readonly syncs: SyncSessions;
}

/** Uploading to a deployment that may need the user's consent. */
export interface UploadDeps {
  readonly consent: UploadConsent;
  readonly data: PlatformData;
}

/** Writing a deleted or replaced file to its branch again. */
export interface BranchRestoreDeps {
  readonly branchTrash: BranchTrash;
  readonly remote: RemoteFileSystem;
}

/** Reporting what happens to documents of branches. */
export interface RemoteChangesDeps extends BranchRestoreDeps {
  readonly boundary: ErrorBoundary;
}

/** Restoring files that sync moved to the trash of a folder. */
export interface FolderTrashDeps {
  readonly boundary: ErrorBoundary;
  readonly documents: RemoteDocuments;
  readonly operations: Operations;
}

/** Reviewing several files before they are restored. */
export interface RestoreDeps extends FolderTrashDeps {
  readonly filePages: FilePages;
}

/** Restoring what was replaced or deleted in documents of a branch. */
export interface BranchTrashDeps extends RestoreDeps, BranchRestoreDeps {
  readonly branchFiles: BranchFiles;
}

/** Comparing a folder with its branch, for the page of the plan. */
export interface ComparisonDeps {
  readonly operations: Operations;
  readonly plan: PlanView;
}

/** Showing the open plan on a page. */
export interface PlanPageDeps {
  readonly boundary: ErrorBoundary;
  readonly builds: BuildWatcher;
  readonly documents: RemoteDocuments;
  readonly model: ModelComparison;
  readonly plan: PlanView;
  readonly remote: RemoteFileSystem;
  /** Returns the model section for replacing texts of a branch; `after` derives the new texts from those on the branch. */
  readonly reviewTexts: (
    to: BranchTarget,
    from: string,
    after: (before: BranchTree) => Promise<ReadonlyMap<string, string>>,
  ) => Promise<Impact>;
  readonly reviews: Reviews;
}

/** Pushing and pulling a folder. */
export interface TransferDeps extends ComparisonDeps, UploadDeps, FolderTrashDeps {}

/** Giving each sync the settings of its folder. */
export interface SyncSettingsDeps {
  readonly saveChoices: SaveChoices;
  readonly syncs: SyncSessions;
}

/** Syncing saved files, and asking how to push them. */
export interface SaveWatcherDeps extends SyncSettingsDeps {
  readonly boundary: ErrorBoundary;
  readonly consent: UploadConsent;
  readonly logger: Logger;
  /** Whether and how the user is asked about pushing saved files. */
  readonly pushQuestion: Pick<SavedFilesPorts, 'choosePush' | 'merges' | 'questions'>;
  readonly session: Session;
}

/** Comparing again when the window gets the focus. */
export interface FocusDeps extends SyncSettingsDeps {
  readonly accounts: Accounts;
  readonly data: PlatformData;
  readonly session: Session;
}

/** Holding uploads back while Git moves files. */
export interface GitPauseDeps {
  readonly logger: Logger;
  readonly syncs: SyncSessions;
}
