import type { Logger } from '#base/log.ts';
import type { CommitPlanDeps } from '#features/changes/commit-plan.ts';
import type { ChangeInputDeps } from '#features/changes/change-inputs.ts';
import type { SaveChoices, SyncPauses, SyncSessions } from '#features/folders/index.ts';
import type {
  BranchTrashDeps,
  FolderPicker,
  RemoteDocuments,
  RemoteFileSystem,
  TransferDeps,
  UploadDeps,
} from '#features/folders/vscode/index.ts';
import type { StoppedStepDeps } from '#features/history/index.ts';
import type { ConflictDeps, DeployDeps, GitConflictDeps, PutBackDeps } from '#features/history/vscode/index.ts';
import type { Session } from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { WindowTrust } from '#shell/trust.ts';

// The dependencies of the changes of linked folders on the rest of the extension, grouped by purpose.

/** Counting changes. */
export interface ChangeCountDeps extends StoppedStepDeps {}

/** Comparing dev branches with their parents, and following writes to them. */
export interface DeltaDeps extends CommitPlanDeps {
  readonly remote: RemoteFileSystem;
  readonly syncs: SyncSessions;
}

/** Showing linked folders in the Source Control view. */
export interface SourceControlDeps extends StoppedStepDeps, DeltaDeps {
  readonly documents: RemoteDocuments;
  readonly logger: Logger;
}

/** Showing the changes of linked folders anywhere. */
export interface FolderViewDeps {
  readonly inputs: ChangeInputDeps;
  readonly sourceControl: SourceControlDeps;
}

/** Asking how saved files are pushed. */
export interface PushQuestionDeps extends UploadDeps {
  readonly saveChoices: SaveChoices;
}

/** Choosing whether saved files are pushed, and whether a folder is synced at all. */
export interface PushModeDeps {
  readonly pauses: SyncPauses;
  readonly saveChoices: SaveChoices;
}

/** Opening reports about a folder. */
export interface ReportDeps {
  readonly documents: RemoteDocuments;
  readonly operations: Operations;
}

/** Choosing a folder whose files are changed or transferred. */
export interface TrustedFolders extends FolderPicker, WindowTrust {}

/** Resolving conflicts of sync and of Git steps. */
export interface ConflictCommandDeps {
  readonly session: Session;
  readonly ofFolder: ConflictDeps;
  readonly ofStep: GitConflictDeps;
}

/** Every command on linked folders and their changes, grouped by what its handlers need. */
export interface SyncCommandDeps {
  readonly folders: TrustedFolders;
  readonly transfers: TransferDeps;
  readonly pushMode: PushModeDeps;
  readonly branches: DeltaDeps;
  readonly trash: BranchTrashDeps;
  readonly conflicts: ConflictCommandDeps;
  readonly deploys: DeployDeps;
  readonly putBack: PutBackDeps;
}
