import type { Client } from '#api/client/client.ts';
import type { ChatAddress } from '#api/tenant-url.ts';

/** The connection for the requests of an account. */
export interface ApiConnection {
  /** Makes one attempt per request: the user sees every response and decides. */
  readonly client: Client;
  /** The Chat API URL of the shown deployment, if known. */
  readonly chat: ChatAddress | undefined;
  /** Removes this account's credentials from a text. */
  readonly hide: (text: string) => string;
}
