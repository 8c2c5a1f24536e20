import type { RenderTemplates } from '#model/templates/render-model.ts';
import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Event } from '#base/event.ts';
import type { Logger } from '#base/log.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { LinkedFolder } from '#features/platform/index.ts';
import type { SeenFiles } from '#features/language/seen-files.ts';
import type { EditReviewDeps } from '#features/review/vscode/index.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type { StateStore } from '#shell/ports.ts';
import type { QuestionQueue } from '#shell/question-queue.ts';
import type {
  DeployBranchModel,
  MemberTarget,
  PlatformModel,
  PlatformVerdict,
  QueryToRun,
  WorkspaceUse,
  WorkspaceUsesParams,
  PlatformChange,
} from '#features/language/messages.ts';

export interface LanguageDependencies {
  /** Absolute path of the bundled server (`dist/language-server.js`). */
  readonly serverModule: string;
  /** The folders of the window that are linked, or were meant to be. */
  readonly links: ReadonlyStore<readonly LinkedFolder[]>;
  /** Resolves when the links have been read for the first time. */
  readonly whenLinksFound: Promise<void>;
  readonly logger: Logger;
  /**
   * The folder of the extension's own files (`media/…`); without it, problems have no links and the schema cannot be exported.
   */
  readonly media?: vscode.Uri;
  /** The folder with V8's compiled code of the server; the folders beside it belong to other versions of the extension. */
  readonly compiled: vscode.Uri;
  /** Which versions of files the user has seen. */
  readonly seen: SeenFiles;
  /** State that outlives the window. */
  readonly notes: StateStore;
  /** Reports files that the extension itself knows to have changed, because file watchers miss changes. */
  readonly onDidChangeFiles: Event<readonly vscode.Uri[]>;
  /** Asks questions one after the other. */
  readonly questions: Pick<QuestionQueue, 'ask'>;
  /** Shows edits that remove or move text before they are applied. */
  readonly edits: EditReviewDeps;
  readonly boundary: ErrorBoundary;
  /** Provides the platform's data about a model; without it, the lenses that need it are not offered. */
  readonly platform?: PlatformPort;
}

/** Provides what the server and its lenses need from the platform. */
export interface PlatformPort {
  /** Shows rows of a cube, view or member. */
  readonly preview: (target: MemberTarget) => Promise<void>;
  /** Opens the playground with a cube, view or member. */
  readonly query: (target: Pick<MemberTarget, 'uri' | 'name'>) => Promise<void>;
  /** Opens the playground with the query of a file, and runs it. */
  readonly runQuery: (target: QueryToRun) => Promise<void>;
  /** Shows the SQL of a cube, view or member. */
  readonly compiledSql: (target: MemberTarget) => Promise<void>;
  /** Resolves to the model that a root's environment runs; rejects if the platform cannot be asked. */
  readonly model: (root: string) => Promise<PlatformModel | null>;
  /** Resolves to the names on a root's deploy branch, with its templates rendered; rejects if the platform cannot be asked. */
  readonly deployBranch: (root: string, render: RenderTemplates) => Promise<DeployBranchModel | null>;
  /** Resolves to the reports and dashboards that name deleted members; rejects if the platform cannot be asked. */
  readonly workspaceUses: (params: WorkspaceUsesParams) => Promise<readonly WorkspaceUse[]>;
  /** Has the platform validate a root after a save; rejects if the platform cannot be asked. */
  readonly validate: (root: string, signal: AbortSignal) => Promise<PlatformVerdict | null>;
  /** Resolves to the version that a document’s or root’s deployment runs; rejects if the platform cannot be asked. */
  readonly engineVersion: (uri: string) => Promise<string | undefined>;
  /** Resolves to the database type of a document’s deployment (`CUBEJS_DB_TYPE`); rejects if the platform cannot be asked. */
  readonly databaseType: (uri: string) => Promise<string | undefined>;
  /** Fires when any of this data may have changed. */
  readonly onDidChange: Event<PlatformChange>;
}
