import type { Client } from '#api/client.ts';
import type { ChatAddress } from '#api/tenant-url.ts';
import type { Services } from '#compose/services.ts';
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

/** What the API Explorer works with. */
export interface ExplorerServices extends Pick<
  Services,
  'context' | 'accounts' | 'data' | 'session' | 'operations' | 'isTrusted' | 'connectWith' | 'boundary'
> {
  readonly files: ExplorerFiles;
  readonly connection: (accountId: string) => Promise<ApiConnection>;
}
