import type { Logger } from '#base/log.ts';
import type { CommitPlanDeps } from '#features/changes/commit-plan.ts';
import type { ChangeInputDeps } from '#features/changes/change-inputs.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { SaveChoices, SyncPauses, SyncSessions } from '#features/folders/index.ts';
import type {
  BranchTrashDeps,
  FolderPicker,
  RemoteDocuments,
  RemoteFileSystem,
  RestoreDeps,
  TransferDeps,
  UploadDeps,
} from '#features/folders/vscode/index.ts';
import type { StoppedStepDeps } from '#features/history/index.ts';
import type { ConflictDeps, DeployDeps, GitConflictDeps, PutBackDeps } from '#features/history/vscode/index.ts';
import type { Session } from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';

// What the changes of linked folders need of the rest of the extension, by what it is for.

/** Counting changes. */
export interface ChangeCountDeps extends StoppedStepDeps {}

/** Dev branches beside their parents, and where they are written to. */
export interface DeltaDeps extends CommitPlanDeps {
  readonly remote: RemoteFileSystem;
  readonly syncs: SyncSessions;
}

/** Linked folders in the Source Control view. */
export interface SourceControlDeps extends StoppedStepDeps, DeltaDeps {
  readonly documents: RemoteDocuments;
  readonly logger: Logger;
}

/** Everything that shows the changes of linked folders. */
export interface FolderViewDeps extends SourceControlDeps, ChangeInputDeps {}

/** Asking how saved files are pushed. */
export interface PushQuestionDeps extends UploadDeps {
  readonly saveChoices: SaveChoices;
}

/** Reports about a folder. */
export interface ReportDeps {
  readonly documents: RemoteDocuments;
  readonly operations: Operations;
}

/** Explaining, checking, undoing and discarding. */
export interface UpkeepDeps extends FolderPicker, RestoreDeps {
  readonly isTrusted: ReadonlyStore<boolean>;
}

/** The open plan, and a plan as a text. */
export interface PlanCommandDeps extends FolderPicker, TransferDeps {}

/** Resolves conflicts of sync and of Git steps. */
export interface ConflictCommandDeps extends ConflictDeps, GitConflictDeps {
  readonly session: Session;
}

/** Pausing the sync of a folder. */
export interface PauseDeps extends FolderPicker {
  readonly pauses: SyncPauses;
}

/** Pushing and pulling a folder that the user names or chooses. */
export interface TransferCommandDeps extends FolderPicker, TransferDeps {
  readonly isTrusted: ReadonlyStore<boolean>;
}

/** Every command on linked folders and their changes. */
export interface SyncCommandDeps
  extends
    BranchTrashDeps,
    ConflictCommandDeps,
    DeltaDeps,
    DeployDeps,
    PauseDeps,
    PlanCommandDeps,
    PushQuestionDeps,
    PutBackDeps,
    TransferCommandDeps,
    UpkeepDeps {}
