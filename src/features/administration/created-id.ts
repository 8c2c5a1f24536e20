import type { CallOptions, Client } from '#api/client/client.ts';
import { scimUserPages } from '#api/resources/lists.ts';
import { listOauthIntegrations } from '#api/resources/oauth.ts';
import { listOidcTokenConfigs } from '#api/resources/oidc.ts';
import { collect } from '#api/resources/pagination.ts';
import { listUserAttributes } from '#api/resources/user-attributes.ts';
import { emailOf } from './read-rows.ts';
import type { RowType } from './rows.ts';

/**
 * Finds the id of an object that was just created by its name, because the platform may reply to a creation with nothing but
 * “2xx” (docs/platform-api.md#requests-and-answers). `undefined` if none or several have that name.
 */
export async function createdId(client: Client, type: RowType, name: string): Promise<string | undefined> {
  const ids = (await named(client, type)).filter((each) => each.name === name).map(({ id }) => id);
  return ids.length === 1 ? ids[0] : undefined;
}

/**
 * Resolves to a check of whether an object was created although the reply was lost: there is one more with its name than before.
 * For users the check does not read the list first, because e-mail addresses are unique.
 */
export async function creationCheck(client: Client, type: RowType, name: string): Promise<CallOptions['checkOutcome']> {
  if (type === 'embedGroup') return undefined;
  const count = async (): Promise<number> => (await named(client, type)).filter((each) => each.name === name).length;
  const before = type === 'user' ? 0 : await count().catch(() => undefined);
  if (before === undefined) return undefined;
  return async () => ({ kind: (await count()) > before ? 'done' : 'notDone' });
}

async function named(
  client: Client,
  type: RowType,
): Promise<readonly { readonly id: string; readonly name?: string | undefined }[]> {
  switch (type) {
    case 'user':
      return (await collect(scimUserPages(client))).items.map((user) => ({ id: user.id, name: emailOf(user) }));
    case 'attribute':
      return (await client.call(listUserAttributes, {})).data;
    case 'oauthIntegration':
      return (await client.call(listOauthIntegrations, {})).data;
    case 'oidcConfig':
      return (await client.call(listOidcTokenConfigs, {})).data;
    default:
      // The platform does not list the groups of embed tenants.
      return [];
  }
}
