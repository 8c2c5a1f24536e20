import type { AccountClients } from '#api/client/client.ts';
import { initiateUserOauthToken } from '#api/resources/oauth.ts';
import { adminError } from './admin-error.ts';

/**
 * Starts the OAuth flow of an integration (docs/platform-api.md#initiateuseroauthtoken); resolves to the page where the user
 * continues.
 */
export async function startConnection(
  { data }: { readonly data: AccountClients },
  accountId: string,
  integrationId: string,
): Promise<string> {
  try {
    const { url } = await data.client(accountId).call(initiateUserOauthToken, { params: { integrationId }, body: {} });
    return url;
  } catch (error) {
    throw adminError(error, 'connect with this integration');
  }
}
