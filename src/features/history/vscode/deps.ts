import type { MessageDrafts } from '#features/history/message-drafts.ts';
import type { Logger } from '#base/log.ts';
import type {
  BegunMerges,
  BranchFiles,
  BranchTree,
  OpenSync,
  SyncSession,
  SyncSessions,
} from '#features/folders/index.ts';
import type {
  FolderTrashDeps,
  RemoteDocuments,
  RemoteFileSystem,
  TransferDeps,
  UploadDeps,
} from '#features/folders/vscode/index.ts';
import type { BuildWatcher, PlatformData, Session } from '#features/platform/index.ts';
import type { ConfirmStep } from '#features/history/at-gate.ts';
import type { Impact, Reviews } from '#features/review/index.ts';
import type { StepImpact } from '#features/history/step-review.ts';
import type { ResolvedPulls } from '#features/history/resolved-pull.ts';
import type { Operations } from '#shell/operations.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type { BranchFinder, ResolvedFilesDeps, StoppedStepDeps } from '#features/history/step-ports.ts';

// The dependencies of commits, pulls, merges and deploys on the rest of the extension, grouped by purpose.

/** A review in one sentence, its lines, and its page. */
export type ImpactReview = StepImpact;

/** Reviews of how a merge or a deploy affects the users of the model. */
export interface ImpactReviews {
  /** Reviews a merge of a branch into another, for the question before it. */
  readonly review: (from: BranchTarget, to: BranchTarget) => Promise<ImpactReview>;
  /** Reviews the replacement of texts of a branch; `after` derives the new texts from those on the branch. */
  readonly reviewTexts: (
    to: BranchTarget,
    from: string,
    after: (before: BranchTree) => Promise<ReadonlyMap<string, string>>,
  ) => Promise<ImpactReview>;
}

/** Questions that were saved with their answers. */
export interface AnswerComparisons {
  readonly count: () => Promise<number>;
  /** Compares the saved answers with those after a merge of a branch into another. Rejects with the reason to show. */
  readonly compare: (from: BranchTarget, to: BranchTarget) => Promise<Impact>;
}

/** Confirming a step that reaches production. */
export interface GateDeps {
  readonly data: PlatformData;
  readonly confirmStep: ConfirmStep;
}

/** Opening the page of a step that reaches production. */
export interface StepPageDeps extends Pick<ImpactReviews, 'review'> {
  readonly answers: AnswerComparisons;
  readonly branchFiles: BranchFiles;
  readonly logger: Logger;
  readonly remote: RemoteFileSystem;
  readonly reviews: Reviews;
}

/** Running any Git step: it refreshes what it changed and stops at conflicts. */
export interface GitStepDeps extends BranchFinder, StoppedStepDeps {
  readonly builds: BuildWatcher;
  readonly data: PlatformData;
  readonly documents: RemoteDocuments;
  readonly operations: Operations;
}

/** Every Git command. */
export interface GitCommandDeps extends MergeUndoDeps {
  readonly steps: GitStepDeps;
  readonly drafts: MessageDrafts;
  readonly confirmStep: ConfirmStep;
  readonly resolved: ResolvedFilesDeps;
  readonly resolvedPulls: ResolvedPulls;
  /** Pulls what a pull changed on the platform into a linked folder. */
  readonly bringChanges: (session: SyncSession) => Promise<void>;
}

/** Undoing merges in editors that were opened for a conflict. */
export interface MergeUndoDeps {
  readonly merges: BegunMerges;
  readonly syncs: SyncSessions;
}

/** Opening a merge editor. */
export interface MergeEditorDeps extends MergeUndoDeps {
  readonly documents: RemoteDocuments;
}

/** Ending merges whose editor was closed or whose conflict is gone. */
export interface MergeEndsDeps extends MergeUndoDeps, StoppedStepDeps {
  readonly boundary: ErrorBoundary;
  readonly session: Session;
}

/** Showing a file next to the platform's version. */
export interface ChangeDiffDeps {
  readonly documents: RemoteDocuments;
  readonly syncs: SyncSessions;
}

/** Resolving a conflict of sync. */
export interface ConflictDeps extends MergeEditorDeps, ChangeDiffDeps, UploadDeps, FolderTrashDeps {}

/** Resolving a conflict of a Git step. */
export interface GitConflictDeps extends MergeEditorDeps, ResolvedFilesDeps {
  /** Warns once about uploads that a Git provider may overwrite; resolves to whether to continue. */
  readonly mayUpload: (target: BranchTarget) => Promise<boolean>;
  readonly remote: RemoteFileSystem;
  readonly operations: Operations;
}

/** Repairing a branch after a pull that was interrupted. */
export interface PutBackDeps {
  readonly operations: Operations;
  readonly remote: RemoteFileSystem;
  readonly resolvedPulls: ResolvedPulls;
  readonly syncs: SyncSessions;
}

/** Notifying the user of files that changed during such a pull. */
export type MovedFilesDeps = Omit<PutBackDeps, 'operations'>;

/** Handling what outlives a Git step. */
export interface StoppedContributionDeps extends StoppedStepDeps, MovedFilesDeps {
  readonly logger: Logger;
  readonly session: Session;
}

/** Deploying a folder to production. */
export interface DeployDeps {
  readonly transfers: TransferDeps;
  readonly branchFiles: BranchFiles;
  readonly builds: BuildWatcher;
  readonly openSync: OpenSync;
  readonly session: Session;
  readonly drafts: MessageDrafts;
}

/** Showing the change of a row in the deploy plan. */
export interface DeployDiffDeps {
  readonly documents: RemoteDocuments;
  readonly remote: RemoteFileSystem;
}
