import type { Client } from '#api/client.ts';
import { followingClient } from '#api/followed-body.ts';
import type { Services } from '#compose/services.ts';

/** The client of an account for bodies that the documented API does not show; the bundles of views have it, the first one does not. */
export function followingClientOf(
  { data, capabilitiesOf }: Pick<Services, 'data' | 'capabilitiesOf'>,
  accountId: string,
): Client {
  return followingClient(data.client(accountId), async () => (await capabilitiesOf(accountId)).description);
}
