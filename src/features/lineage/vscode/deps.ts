import type { BranchFiles } from '#features/folders/branch-files.ts';
import type { BuildWatcher } from '#features/platform/build-watch.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import type { Session } from '#features/platform/session.ts';
import type { Operations } from '#shell/operations.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';

/** What is read of two branches and of the workspace, to say what a change means. */
export interface ReviewDeps {
  readonly data: PlatformData;
  readonly branchFiles: Pick<BranchFiles, 'tree'>;
  readonly remote: { refresh(target: BranchTarget): Promise<unknown> };
  readonly builds: BuildWatcher;
  readonly offers: (accountId: string, operationId: string) => boolean;
}

/** Where a review is shown. */
export interface ReviewPageDeps {
  readonly objects: DocumentFiles;
}

/** What reviewing the active branch needs. */
export interface OpenReviewDeps extends ReviewDeps, ReviewPageDeps {
  readonly session: Session;
  readonly operations: Operations;
}
