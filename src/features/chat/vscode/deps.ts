import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Logger } from '#base/log.ts';
import type { Event } from '#base/event.ts';
import type { Result } from '#base/result.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { TakeBack, UploadBranch } from '#chat-core/branch-files.ts';
import type { ChangedText } from '#chat-core/changed-text.ts';
import type { ChatContext, ChatSettings } from '#features/chat/chat-context.ts';
import type { ModelFolder } from '#features/chat/model-folders.ts';
import type { ProposalEffects } from '#features/chat/proposal-page.ts';
import type { Reviews } from '#features/review/index.ts';
import type { ChatWire } from '#features/chat/targets.ts';
import type { Environment } from '#features/platform/index.ts';
import type { CheckProposalParams, ProposalVerdict } from '#features/language/messages.ts';
import type { LazyQueries, ShowPlayground } from '#features/data/index.ts';
import type { LateFacts } from '#shell/window-state.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { SecretStore, StateStore } from '#shell/ports.ts';

/** The storage, logging and network services of the chat. */
export interface ChatStoreDeps {
  readonly extensionUri: vscode.Uri;
  /** The extension's own folder on disk, for the threads. */
  readonly storageUri: vscode.Uri;
  readonly secrets: SecretStore;
  readonly queries: LazyQueries;
  /** Shared by windows and sessions. */
  readonly state: StateStore;
  readonly logger: Logger;
  readonly requests: ChatWire['requests'];
  /** Shows and logs an error. */
  readonly report: (what: string, error: unknown) => Promise<void>;
}

/** The state of the window. */
export interface ChatWindowDeps {
  readonly context: ReadonlyStore<ChatContext>;
  /** The id of the account that the window shows; empty while none is known. */
  readonly account: ReadonlyStore<string>;
  readonly isTrusted: ReadonlyStore<boolean>;
  /** Whether a document is a file of a data model of this window. */
  readonly isModelFile: (uri: vscode.Uri) => boolean;
  readonly settings: () => ChatSettings;
  readonly onDidChangeSettings: Event<void>;
  /** Receives what commands of the chat could act on, whenever it changes. */
  readonly reportFacts: (facts: LateFacts) => void;
}

/** The platform's side of the chosen deployment. */
export interface ChatPlatformDeps {
  /** The accounts that are signed in. */
  readonly accounts: ReadonlyStore<readonly { readonly id: string }[]>;
  /** Resolves to the account's own API key. */
  readonly apiKey: (accountId: string) => Promise<string | undefined>;
  /** Resolves to the environments of the chosen deployment. */
  readonly environments: () => Promise<readonly Environment[]>;
  /** Resolves to the id of the environment in which the queries of a branch run; the error contains the next step. */
  readonly environmentOf: (branch: BranchTarget) => Promise<Result<string, string>>;
  /** Returns the address of a thread of the shown deployment, by the platform's id. */
  readonly linkTo: (chatId: string) => string | undefined;
  readonly showPlayground: ShowPlayground;
}

/** Reviewing changes that the agent proposes. */
interface ProposalReviewDeps extends Pick<ProposalEffects, 'model' | 'impact'>, Pick<Reviews, 'open'> {
  /** Has the engine check the model with these texts instead of its files; the user has seen these texts. */
  readonly check: (files: CheckProposalParams['files'], signal: AbortSignal) => Promise<ProposalVerdict>;
}

/** The linked folders of the chosen deployment in this window. Each is named by its id. */
export interface ChatFolderDeps {
  readonly modelFolders: () => readonly ModelFolder[];
  /** Resolves to how to take back a file that the folder's dev branch does not have; `undefined` if it has the file. */
  readonly takeBackOf: (folder: string, path: string) => Promise<TakeBack | undefined>;
  /** Resolves to the dev branch's texts of files that differ in the folder, by path; of `only`, if it is given. */
  readonly branchTexts: (folder: string, only?: string) => Promise<ReadonlyMap<string, string>>;
  /** Copies a file of the folder to the trash, before an accepted proposal replaces it. */
  readonly setAside: (folder: string, path: string) => Promise<void>;
  /** The review of proposed files before they are accepted. */
  readonly proposals: ProposalReviewDeps;
}

/** The model of the folder that the chat reads and proposes changes to. */
export interface ChatModelDeps {
  /** The folder, and the model's folder in it. */
  readonly modelFolder: () => { readonly uri: vscode.Uri; readonly modelPath: string } | undefined;
  /** The active dev branch of the linked folder. */
  readonly branchSide: UploadBranch;
  /** Resolves to the dev branch's texts of files that differ in the linked folder, by path; of `only`, if it is given. */
  readonly branchTexts: (only?: string) => Promise<ReadonlyMap<string, string>>;
  /** Copies a file of the linked folder to the trash, before an accepted proposal replaces it. */
  readonly setAside: (path: string) => Promise<void>;
  /** The review of proposed files before they are accepted. */
  readonly proposals: ProposalReviewDeps;
}

/** The known state of the branches of the chosen deployment. */
export interface ChatBranchDeps {
  /** Returns the branches that are already loaded. */
  readonly branches: () => readonly KnownBranch[];
  /** Returns paths that are new or different on the active dev branch, compared with its parent. */
  readonly changedPaths: () => readonly string[];
  /** Resolves to the texts of these files on both branches. */
  readonly changedTexts: () => Promise<readonly ChangedText[]>;
  /** Returns the errors of a branch's last build if it failed; without a target, those of the active branch. */
  readonly failedBuild: (target?: BranchTarget) => { readonly branchName: string; readonly errors: string } | undefined;
  /** Fires when any of these may have changed. */
  readonly onDidChangeBranches: Event<unknown>;
}

/** A branch and its description. */
export interface KnownBranch {
  readonly name: string;
  readonly about: string;
}

/** Everything that the chat needs from the rest of the extension; `compose.ts` provides it. */
export interface ChatDeps {
  readonly store: ChatStoreDeps;
  readonly window: ChatWindowDeps;
  readonly platform: ChatPlatformDeps;
  readonly model: ChatFolderDeps;
  readonly around: ChatBranchDeps;
}
