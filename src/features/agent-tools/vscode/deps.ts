import type { Capabilities } from '#api/description/capabilities.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { OpenSync, SyncSessions } from '#features/folders/index.ts';
import type { UploadDeps } from '#features/folders/vscode/index.ts';
import type { GateDeps } from '#features/history/vscode/index.ts';
import type { Session } from '#features/platform/index.ts';

/** The folder that tools work on, and the account that they use. */
export interface ToolFolderDeps {
  readonly accounts: Pick<Accounts, 'get'>;
  readonly capabilitiesOf: (accountId: string) => Promise<Capabilities>;
  readonly session: Pick<Session, 'active' | 'foldersOf' | 'links' | 'targetOf' | 'whenLinksFound'>;
}

/** Comparing the folder with a branch. */
export interface ToolSyncDeps {
  readonly openSync: OpenSync;
  readonly syncs: Pick<SyncSessions, 'opened'>;
}

/** What tools for agents need from the rest of the extension. */
export interface AgentToolsDeps extends ToolFolderDeps, UploadDeps, GateDeps {
  readonly syncing: ToolSyncDeps;
  readonly isTrusted: ReadonlyStore<boolean>;
}
