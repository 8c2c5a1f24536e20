import type { Capabilities } from '#api/capabilities.ts';
import type { AccountClients, Client } from '#api/client.ts';
import { followingClient } from '#api/followed-body.ts';

/** Clients of accounts, and the platform's description of its operations. */
interface DescribedClients {
  readonly data: AccountClients;
  readonly capabilitiesOf: (accountId: string) => Promise<Pick<Capabilities, 'description'>>;
}

/** The client of an account for bodies that the documented API does not show; the bundles of views have it, the first one does not. */
export function followingClientOf({ data, capabilitiesOf }: DescribedClients, accountId: string): Client {
  return followingClient(data.client(accountId), async () => (await capabilitiesOf(accountId)).description);
}
