import type { Client } from '#api/client.ts';
import type { ChatAddress } from '#api/tenant-url.ts';

/** Whom the requests of an account go to. */
export interface ApiConnection {
  /** One attempt a request: a user sees every answer and decides. */
  readonly client: Client;
  /** The Chat API URL of the shown deployment, where one is known. */
  readonly chat: ChatAddress | undefined;
  /** Takes this account's credentials out of a text. */
  readonly hide: (text: string) => string;
}
