import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Client } from '#api/client.ts';
import type { ChatAddress } from '#api/tenant-url.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { ExplorerFiles } from './files.ts';

/** Whom the requests of an account go to. */
export interface ApiConnection {
  /** One attempt a request: a user sees every answer and decides. */
  readonly client: Client;
  /** The Chat API URL of the shown deployment, where one is known. */
  readonly chat: ChatAddress | undefined;
  /** Takes this account's credentials out of a text. */
  readonly hide: (text: string) => string;
}

/** What sending requests needs. */
export interface RequestDeps {
  readonly operations: Operations;
  readonly files: ExplorerFiles;
  readonly connection: (accountId: string) => Promise<ApiConnection>;
}

/** What the API Explorer works with. */
export interface ExplorerDeps extends DeploymentPickDeps, RequestDeps {
  readonly context: vscode.ExtensionContext;
}
