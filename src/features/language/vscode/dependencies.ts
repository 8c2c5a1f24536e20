import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Event } from '#base/event.ts';
import type { Logger } from '#base/log.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { LinkedFolder } from '#features/platform/index.ts';
import type { SeenFiles } from '#features/language/seen-files.ts';
import type { StateStore } from '#shell/ports.ts';
import type { QuestionQueue } from '#shell/question-queue.ts';
import type {
  DeployBranchModel,
  MemberTarget,
  PlatformModel,
  PlatformVerdict,
  QueryTarget,
  RenderTemplates,
  WorkspaceUse,
  WorkspaceUsesParams,
} from '#features/language/messages.ts';

export interface LanguageDependencies {
  /** Absolute path of the bundled server (`dist/language-server.js`). */
  readonly serverModule: string;
  /** The folders of the window that are linked, or were meant to be. */
  readonly links: ReadonlyStore<readonly LinkedFolder[]>;
  /** Resolves when they were read for the first time. */
  readonly whenLinksFound: Promise<void>;
  readonly logger: Logger;
  /** Folder of the extension's own files (`media/…`); without it problems have no links and the schema no export. */
  readonly media?: vscode.Uri;
  /** Where what V8 compiled of the server is kept; the folders beside it belong to other versions of the extension. */
  readonly compiled: vscode.Uri;
  /** Which versions of files the user has seen. */
  readonly seen: SeenFiles;
  /** Notes that outlive the window. */
  readonly notes: StateStore;
  /** Files that changed, as far as the extension itself knows: watchers of a file system miss changes. */
  readonly onDidChangeFiles: Event<readonly vscode.Uri[]>;
  /** Questions are asked one after the other. */
  readonly questions: Pick<QuestionQueue, 'ask'>;
  /** What the platform knows of a model; without it the lenses that need it are not offered. */
  readonly platform?: PlatformPort;
}

/** What the server and its lenses ask of the platform, through the extension. */
export interface PlatformPort {
  /** Shows rows of a cube, view or member. */
  readonly preview: (target: MemberTarget) => Promise<void>;
  /** Opens the playground with a cube, view or member. */
  readonly query: (target: Pick<MemberTarget, 'uri' | 'name'>) => Promise<void>;
  /** Opens the playground with the query of a file, and runs it. */
  readonly runQuery: (target: QueryTarget) => Promise<void>;
  /** Shows the SQL of a cube, view or member. */
  readonly compiledSql: (target: MemberTarget) => Promise<void>;
  /** What a root's environment runs; rejects when it cannot be asked. */
  readonly model: (root: string) => Promise<PlatformModel | null>;
  /** The vocabulary of a root's deploy branch, whose templates are rendered; rejects when it cannot be asked. */
  readonly deployBranch: (root: string, render: RenderTemplates) => Promise<DeployBranchModel | null>;
  /** Reports and dashboards that name what is gone; rejects when they cannot be asked. */
  readonly workspaceUses: (params: WorkspaceUsesParams) => Promise<readonly WorkspaceUse[]>;
  /** What the platform says of a root after a save; rejects when it cannot be asked. */
  readonly validate: (root: string, signal: AbortSignal) => Promise<PlatformVerdict | null>;
  /** The version that a document’s or root’s deployment runs; rejects when it cannot be asked. */
  readonly engineVersion: (uri: string) => Promise<string | undefined>;
  /** The type of the database of a document’s deployment (`CUBEJS_DB_TYPE`); rejects when it cannot be asked. */
  readonly databaseType: (uri: string) => Promise<string | undefined>;
  /** Any of it may be different now. */
  readonly onDidChange: Event<void>;
}
