import type { Logger } from '#base/log.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { SaveChoices } from '#features/folders/save-choice.ts';
import type { SyncSessions } from '#features/folders/sync-sessions.ts';
import type { SyncPauses } from '#features/folders/sync-pause.ts';
import type {
  BranchTrashDeps,
  FolderPicker,
  FolderTrashDeps,
  TransferDeps,
  UploadDeps,
} from '#features/folders/vscode/deps.ts';
import type { PlanView } from '#features/folders/vscode/plan-view.ts';
import type { RemoteDocuments } from '#features/folders/vscode/remote-documents.ts';
import type { SettledPulls } from '#features/history/index.ts';
import type {
  ConflictDeps,
  DeployDeps,
  GitConflictDeps,
  PutBackDeps,
  StoppedStepDeps,
} from '#features/history/vscode/index.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import type { Session } from '#features/platform/session.ts';
import type { Operations } from '#shell/operations.ts';

// What the changes of linked folders need of the rest of the extension, by what it is for.

/** Counting changes. */
export interface ChangeCountDeps extends StoppedStepDeps {}

/** The Changes view. */
export interface ChangesViewDeps extends ChangeCountDeps {
  readonly data: PlatformData;
  readonly isTrusted: ReadonlyStore<boolean>;
  readonly saveChoices: SaveChoices;
  readonly session: Session;
  readonly settledPulls: SettledPulls;
}

/** The view of the plan. */
export interface PlanViewDeps {
  readonly plan: PlanView;
  readonly syncs: SyncSessions;
}

/** Linked folders in the Source Control view. */
export interface SourceControlDeps extends StoppedStepDeps {
  readonly documents: RemoteDocuments;
  readonly logger: Logger;
}

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
export interface UpkeepDeps extends FolderPicker, FolderTrashDeps {
  readonly isTrusted: ReadonlyStore<boolean>;
}

/** The open plan, and a plan as a text. */
export interface PlanCommandDeps extends FolderPicker, TransferDeps {}

/** Settling conflicts of sync and of Git steps. */
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
    DeployDeps,
    PauseDeps,
    PlanCommandDeps,
    PushQuestionDeps,
    PutBackDeps,
    TransferCommandDeps,
    UpkeepDeps {}
