import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Event } from '#base/event.ts';
import type { Logger } from '#base/log.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { BranchFiles, SyncSessions } from '#features/folders/index.ts';
import type { RemoteFileSystem } from '#features/folders/vscode/index.ts';
import type { LazyQueries, ShowPlayground } from '#features/data/index.ts';
import type { BuildWatcher, OfferedData, Session } from '#features/platform/index.ts';
import type { EditReviewDeps } from '#features/review/vscode/index.ts';
import type { QuestionQueue } from '#shell/question-queue.ts';
import type { ShowResults } from '#shell/shown-query.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type { WindowTrust } from '#shell/trust.ts';

/** What is needed to find the branch of a document or of a model's root. */
export interface ModelPlaceDeps {
  readonly session: Session;
  readonly remote: RemoteFileSystem;
}

/** What requests to the platform about a model need. */
export interface PlatformModelDeps extends OfferedData, ModelPlaceDeps {
  readonly session: Session;
  readonly queries: LazyQueries;
  /** The contents of branches, and local changes that they do not have. */
  readonly files: { readonly branchFiles: BranchFiles; readonly syncs: Pick<SyncSessions, 'opened'> };
  /** Shows results and the playground. */
  readonly editors: { readonly showResults: ShowResults; readonly showPlayground: ShowPlayground };
}

/** What is needed to request the platform's data about a model, and to notice that it may have changed. */
export interface PlatformPortDeps extends WindowTrust {
  readonly models: PlatformModelDeps;
  readonly accounts: {
    readonly all: ReadonlyStore<readonly unknown[]>;
    /** The accounts whose key the platform refuses. */
    readonly refused: ReadonlyStore<ReadonlySet<string>>;
  };
  readonly builds: BuildWatcher;
  readonly boundary: ErrorBoundary;
}

/** What the language features need. */
export interface LanguageDeps {
  readonly context: vscode.ExtensionContext;
  readonly logger: Logger;
  readonly platform: PlatformPortDeps;
  readonly questions: QuestionQueue;
  readonly edits: EditReviewDeps;
  /** Files of linked folders that sync has written or found changed. */
  readonly changedFiles: { readonly event: Event<readonly vscode.Uri[]> };
}
