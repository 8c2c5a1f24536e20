import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Emitter } from '#base/event.ts';
import type { Capabilities } from '#api/description/capabilities.ts';
import type { Client } from '#api/client/client.ts';
import type { ReadonlyStore, Store } from '#base/store.ts';
import type { Accounts } from '#features/accounts/accounts.ts';
import type { BranchDeltas } from '#features/changes/branch-deltas.ts';
import type { BranchFiles } from '#features/folders/branch-files.ts';
import type { BranchTrash } from '#features/folders/branch-trash.ts';
import type { BranchRole } from '#features/platform/branches.ts';
import type { ForkPoints } from '#features/platform/branch-relation.ts';
import type { BuildWatcher } from '#features/platform/build-watch.ts';
import type { Favourites } from '#features/platform/favourites.ts';
import type { GitAttempts } from '#features/history/git-attempt.ts';
import type { Operations } from '#shell/operations.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import type { SecretStore } from '#shell/ports.ts';
import type { ReportOrderSetting } from '#features/platform/report-order.ts';
import type { LateFacts } from '#shell/window-state.ts';
import type { QuestionQueue } from '#shell/question-queue.ts';
import type { SaveChoices } from '#features/folders/save-choice.ts';
import type { Session } from '#features/platform/session.ts';
import type { ResolvedPulls } from '#features/history/resolved-pull.ts';
import type { SyncPauses } from '#features/folders/sync-pause.ts';
import type { Reviews } from '#features/review/source.ts';
import type { VersionsChange } from '#features/folders/stored-versions.ts';
import type { OpenSync, SyncSessions } from '#features/folders/sync-sessions.ts';
import type { UploadConsent } from '#features/folders/upload-consent.ts';
import type { Windows } from '#features/platform/windows.ts';
import type { ExtensionLog } from '#shell/vscode/extension-log.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type { LazyAdmin } from '#features/administration/vscode/opened-admin.ts';
import type { LazyQueries } from '#features/data/queries.ts';
import type { LazyExplorer } from '#features/api-explorer/vscode/opened-explorer.ts';
import type { LazyChat } from '#features/chat/vscode/opened-chat.ts';
import type { LazyLanguage } from '#features/language/opened-language.ts';
import type { LazyDeploymentWork } from './opened-deployment-work.ts';
import type { BegunMerges } from '#features/folders/begun-merges.ts';
import type { DocumentOwners } from '#shell/vscode/documents/restorable-documents.ts';
import type { PlanView } from '#features/folders/plan-view.ts';
import type { RemoteDocuments } from '#features/folders/vscode/remote-documents.ts';
import type { RemoteFileSystem } from '#features/folders/vscode/remote-file-system.ts';

/** The services that every feature needs from its window. */
export interface WindowServices {
  readonly context: vscode.ExtensionContext;
  readonly logger: ExtensionLog;
  readonly boundary: ErrorBoundary;
  /** Keys and tokens; the names of an account's secrets are `<what>.["<account>", …]`, so that signing out finds them. */
  readonly secrets: SecretStore;
  readonly isTrusted: ReadonlyStore<boolean>;
  readonly operations: Operations;
  /** Queues the questions that the extension asks on its own. */
  readonly questions: QuestionQueue;
  readonly windows: Windows;
}

/** The accounts and the data of their platforms. */
export interface PlatformServices {
  readonly accounts: Accounts;
  /** Creates a client for a key that is not stored yet. */
  readonly connectWith: (tenantUrl: string, key: string) => Client;
  readonly data: PlatformData;
  readonly session: Session;
  readonly builds: BuildWatcher;
  readonly forks: ForkPoints;
  readonly owners: DocumentOwners;
}

/** The operations that an account's platform offers in addition to the documented ones. */
export interface CapabilityServices {
  /** Whether the platform of an account lists an operation; false until its description was read. */
  readonly offers: (accountId: string, operationId: string) => boolean;
  /** Resolves once `offers` has the account's operations, if the platform is reachable. */
  readonly learnOffers: (accountId: string) => Promise<void>;
  /** Resolves to the operations of an account's platform; empty while the platform is unreachable. */
  readonly capabilitiesOf: (accountId: string) => Promise<Capabilities>;
}

/** The services that keep linked folders in sync with their branches. */
export interface SyncServices {
  readonly syncs: SyncSessions;
  readonly openSync: OpenSync;
  /** The user's consent to uploads to a deployment that is connected to a Git provider. */
  readonly consent: UploadConsent;
  /** Whether saved files of a folder are pushed automatically. */
  readonly saveChoices: SaveChoices;
  /** Folders whose sync the user has paused. */
  readonly pauses: SyncPauses;
  readonly changed: FolderChanges;
  readonly merges: BegunMerges;
  readonly plan: PlanView;
}

/** What changed in linked folders. */
export interface FolderChanges {
  /** Fires with files that sync wrote or found changed. */
  readonly files: Emitter<readonly vscode.Uri[]>;
  /** Fires when the history or the trash of a folder may have changed. */
  readonly versions: Emitter<VersionsChange>;
}

/** Files of branches, with or without a linked folder. */
export interface BranchServices {
  readonly branchFiles: BranchFiles;
  readonly branchTrash: BranchTrash;
  readonly documents: RemoteDocuments;
  /** Files of any branch as documents. */
  readonly remote: RemoteFileSystem;
}

/** The state of commits, pulls, merges and deploys. */
export interface StepServices {
  /** Git steps that stopped because of conflicts. */
  readonly attempts: GitAttempts;
  readonly resolvedPulls: ResolvedPulls;
  /** The changes of dev branches relative to their parents. */
  readonly deltas: BranchDeltas;
}

/** The user's arrangement of lists. */
export interface ListServices {
  /** Only branches whose names contain this text are shown. */
  readonly branchFilter: Store<string>;
  /** How many pages of each group of branches are shown. */
  readonly branchPages: Store<ReadonlyMap<BranchRole, number>>;
  readonly favourites: Favourites;
  readonly reportOrder: ReportOrderSetting;
}

/** The services that are loaded at first use. */
export interface LateServices {
  /** What they have reported that their commands could act on. */
  readonly facts: ReadonlyStore<LateFacts>;
  /** Pages in the editor area on which the user reviews what a step would do. */
  readonly reviews: Reviews;
  /** Runs queries and obtains their tokens. */
  readonly queries: LazyQueries;
  readonly language: LazyLanguage;
  readonly chat: LazyChat;
  readonly deploymentWork: LazyDeploymentWork;
  readonly explorer: LazyExplorer;
  readonly admin: LazyAdmin;
}

/** The services that are created at activation. */
export interface MadeServices {
  readonly window: WindowServices;
  readonly platform: PlatformServices;
  readonly capabilities: CapabilityServices;
  readonly sync: SyncServices;
  readonly branches: BranchServices;
  readonly steps: StepServices;
  readonly lists: ListServices;
}

/** All services, in groups, for contributions and commands; created once, in `compose.ts`. */
export interface Services extends MadeServices {
  readonly late: LateServices;
}
