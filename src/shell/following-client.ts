import type { Capabilities } from '#api/description/capabilities.ts';
import type { AccountClients, Client } from '#api/client/client.ts';
import { followingClient } from '#api/description/followed-body.ts';

/** The clients of accounts, and the platform's description of its operations. */
interface DescribedClients {
  readonly data: AccountClients;
  readonly capabilitiesOf: (accountId: string) => Promise<Pick<Capabilities, 'description'>>;
}

/**
 * Returns an account's client for request bodies that the documented API does not show. Only the bundles of views contain it, the
 * main bundle does not.
 */
export function followingClientOf({ data, capabilitiesOf }: DescribedClients, accountId: string): Client {
  return followingClient(data.client(accountId), async () => (await capabilitiesOf(accountId)).description);
}
