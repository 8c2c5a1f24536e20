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

// What commits, pulls, merges and deploys need of the rest of the extension, by what it is for.

/** A review in one sentence, its lines, and its page. */
export type ImpactReview = StepImpact;

/** Reviews of how a merge or a deploy affects the users of the model. */
export interface ImpactReviews {
  /** What merging a branch into another means; for the question before it. */
  readonly review: (from: BranchTarget, to: BranchTarget) => Promise<ImpactReview>;
  /** What replacing texts of a branch by others means; `after` makes them of what the branch holds. */
  readonly reviewTexts: (
    to: BranchTarget,
    from: string,
    after: (before: BranchTree) => Promise<ReadonlyMap<string, string>>,
  ) => Promise<ImpactReview>;
}

/** Questions that were saved with their answers. */
export interface AnswerComparisons {
  readonly count: () => Promise<number>;
  /** What merging a branch into another changes of the answers. Rejects with the reason to show. */
  readonly compare: (from: BranchTarget, to: BranchTarget) => Promise<Impact>;
}

/** Confirming what reaches production. */
export interface GateDeps {
  readonly data: PlatformData;
  readonly confirmStep: ConfirmStep;
}

/** The page of a step that reaches production. */
export interface StepPageDeps extends Pick<ImpactReviews, 'review'> {
  readonly answers: AnswerComparisons;
  readonly branchFiles: BranchFiles;
  readonly logger: Logger;
  readonly remote: RemoteFileSystem;
  readonly reviews: Reviews;
}

/** Any Git step: it runs, refreshes what it changed, and stops at conflicts. */
export interface GitStepDeps extends BranchFinder, StoppedStepDeps {
  readonly builds: BuildWatcher;
  readonly data: PlatformData;
  readonly documents: RemoteDocuments;
  readonly operations: Operations;
}

/** Every Git command. */
export interface GitCommandDeps extends MergeUndoDeps {
  readonly steps: GitStepDeps;
  readonly confirmStep: ConfirmStep;
  readonly resolved: ResolvedFilesDeps;
  readonly resolvedPulls: ResolvedPulls;
  /** Brings what a pull changed on the platform into a linked folder. */
  readonly bringChanges: (session: SyncSession) => Promise<void>;
}

/** Merge editors that were opened for a conflict. */
export interface MergeUndoDeps {
  readonly merges: BegunMerges;
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

/** Showing a file against what the platform holds. */
export interface ChangeDiffDeps {
  readonly documents: RemoteDocuments;
  readonly syncs: SyncSessions;
}

/** Resolving a conflict of sync. */
export interface ConflictDeps extends MergeEditorDeps, ChangeDiffDeps, UploadDeps, FolderTrashDeps {}

/** Resolving a conflict of a Git step. */
export interface GitConflictDeps extends MergeEditorDeps, ResolvedFilesDeps {
  /** Warns once of uploads that a Git provider may overwrite; answers whether to continue. */
  readonly mayUpload: (target: BranchTarget) => Promise<boolean>;
  readonly remote: RemoteFileSystem;
  readonly operations: Operations;
}

/** Putting a branch in order after a pull that was interrupted. */
export interface PutBackDeps {
  readonly operations: Operations;
  readonly remote: RemoteFileSystem;
  readonly resolvedPulls: ResolvedPulls;
  readonly syncs: SyncSessions;
}

/** Notifies the user of files that changed during such a pull. */
export type MovedFilesDeps = Omit<PutBackDeps, 'operations'>;

/** What outlives a Git step. */
export interface StoppedContributionDeps extends StoppedStepDeps, MovedFilesDeps {
  readonly logger: Logger;
  readonly session: Session;
}

/** Uploading a folder to production. */
export interface DeployDeps {
  readonly transfers: TransferDeps;
  readonly branchFiles: BranchFiles;
  readonly builds: BuildWatcher;
  readonly openSync: OpenSync;
  readonly session: Session;
}

/** Showing what a row of the deploy plan does. */
export interface DeployDiffDeps {
  readonly documents: RemoteDocuments;
  readonly remote: RemoteFileSystem;
}
