import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Logger } from '#base/log.ts';
import type { Event } from '#base/event.ts';
import type { Result } from '#base/result.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { BranchSide } from '#chat-core/branch-files.ts';
import type { ChangedText } from '#chat-core/changed-text.ts';
import type { ChatContext, ChatSettings } from '#features/chat/chat-context.ts';
import type { ProposalMeaning } from '#features/chat/proposal-page.ts';
import type { Reviews } from '#features/review/index.ts';
import type { ChatWire } from '#features/chat/targets.ts';
import type { Environment } from '#features/platform/index.ts';
import type { CheckProposalParams, ProposalVerdict } from '#features/language/messages.ts';
import type { LazyQueries } from '#features/data/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { SecretStore, StateStore } from '#shell/ports.ts';

/** Where the chat keeps what it knows, and how it reports. */
export interface ChatStoreDeps {
  readonly extensionUri: vscode.Uri;
  /** A folder of our own on disk, for the threads. */
  readonly storageUri: vscode.Uri;
  readonly secrets: SecretStore;
  readonly queries: LazyQueries;
  /** Outlives windows and is shared by them. */
  readonly state: StateStore;
  readonly logger: Logger;
  readonly requests: ChatWire['requests'];
  /** Shows and logs what went wrong. */
  readonly report: (what: string, error: unknown) => Promise<void>;
}

/** What the window works on. */
export interface ChatWindowDeps {
  readonly context: ReadonlyStore<ChatContext>;
  readonly isTrusted: ReadonlyStore<boolean>;
  /** Whether a document is a file of a data model of this window. */
  readonly isModelFile: (uri: vscode.Uri) => boolean;
  readonly settings: () => ChatSettings;
  readonly onDidChangeSettings: Event<void>;
}

/** What the chat asks of the chosen deployment. */
export interface ChatPlatformDeps {
  /** The account's own API key. */
  readonly apiKey: (accountId: string) => Promise<string | undefined>;
  /** Environments of the chosen deployment. */
  readonly environments: () => Promise<readonly Environment[]>;
  /** The id of the environment in which the queries of a branch run; the error says what to do. */
  readonly environmentOf: (branch: BranchTarget) => Promise<Result<string, string>>;
  /** The address of a thread of the shown deployment, by the platform's name for it. */
  readonly linkTo: (chatId: string) => string | undefined;
}

/** Reviewing changes that the agent proposes. */
interface ProposalReviewDeps extends Pick<ProposalMeaning, 'model' | 'impact'>, Pick<Reviews, 'open'> {
  /** Has the engine judge the model with some texts in the place of its files; the user was shown these texts. */
  readonly check: (files: CheckProposalParams['files'], signal: AbortSignal) => Promise<ProposalVerdict>;
}

/** The model that the chat reads and proposes changes to. */
export interface ChatModelDeps {
  /** The folder of this window that is linked to the chosen deployment, and the model's folder in it. */
  readonly modelFolder: () => { readonly uri: vscode.Uri; readonly modelPath: string } | undefined;
  /** The active dev branch of the linked folder. */
  readonly branchSide: BranchSide;
  /** Texts that the dev branch has in the place of files of the linked folder that differ, by path. */
  readonly branchTexts: () => Promise<ReadonlyMap<string, string>>;
  /** Copies a file of the linked folder to the trash, before an accepted proposal replaces it. */
  readonly setAside: (path: string) => Promise<void>;
  /** What a user sees of proposed files before they are accepted. */
  readonly proposals: ProposalReviewDeps;
}

/** What is known of the branches of the chosen deployment. */
export interface ChatBranchDeps {
  /** Those that are known already. */
  readonly branches: () => readonly KnownBranch[];
  /** Paths that the active dev branch holds and its parent does not, or in another version. */
  readonly changedPaths: () => readonly string[];
  /** The texts of these files on both branches. */
  readonly changedTexts: () => Promise<readonly ChangedText[]>;
  /** The errors of the last build of a branch, of the active one without a target, where it failed. */
  readonly failedBuild: (target?: BranchTarget) => { readonly branchName: string; readonly errors: string } | undefined;
  /** One of these may be another one now. */
  readonly onDidChangeBranches: Event<unknown>;
}

/** A branch, and what can be said of it. */
export interface KnownBranch {
  readonly name: string;
  readonly about: string;
}

/** What the chat needs of the rest of the extension; `compose.ts` provides it. */
export interface ChatDeps {
  readonly store: ChatStoreDeps;
  readonly window: ChatWindowDeps;
  readonly platform: ChatPlatformDeps;
  readonly model: ChatModelDeps;
  readonly around: ChatBranchDeps;
}
