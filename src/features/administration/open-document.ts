import type { AccountClients, Client } from '#api/client.ts';
import { getUserOauthToken } from '#api/oauth.ts';
import { getAppConfig } from '#api/tenant.ts';
import { type AdminDocument, pathSegment } from './document.ts';
import { valuesDocument } from './attribute-values.ts';
import { adminError } from './admin-error.ts';
import { objectDocument } from './object-documents.ts';
import { type AdminRow, type Fields, typeLabels } from './rows.ts';

/** The document of a row: to be edited where the platform takes changes, else to be read. */
export function documentOf(client: Client, row: AdminRow): AdminDocument {
  switch (row.type) {
    case 'user':
    case 'attribute':
    case 'tenantSettings':
    case 'oauthIntegration':
    case 'oidcConfig':
    case 'embedGroup':
      return objectDocument(client, row.type, row);
    case 'appConfig':
      return shown(row, async () => client.call(getAppConfig, {}));
    case 'oauthToken':
      return shown(row, async () => client.call(getUserOauthToken, { params: { integrationId: row.id } }));
    default:
      return shown(row, () => Promise.resolve(row.fields));
  }
}

interface OpenPorts {
  readonly data: AccountClients;
}

/** The documents of rows; rows that are only names have none. */
export function rowDocuments(
  { data }: OpenPorts,
  accountId: string,
  rows: readonly AdminRow[],
): readonly { readonly row: AdminRow; readonly document: AdminDocument }[] {
  const client = data.client(accountId);
  return rows
    .filter(({ type }) => type !== 'embedTenant' && type !== 'groupMember')
    .map((row) => ({ row, document: documentOf(client, row) }));
}

/** The attribute values of a user as a document. */
export async function valuesOf({ data }: OpenPorts, accountId: string, user: AdminRow): Promise<AdminDocument> {
  try {
    return await valuesDocument(data.client(accountId), user);
  } catch (error) {
    throw adminError(error, 'read user attributes');
  }
}

/** A user as SCIM provisioned them; only to be read. */
export function scimDocument(user: AdminRow): AdminDocument {
  return {
    title: `SCIM resource of “${user.name}”`,
    path: `/scim/${pathSegment(user.name)} (${user.id}).json`,
    read: () => Promise.resolve(user.fields),
  };
}

function shown(row: AdminRow, read: () => Promise<Fields>): AdminDocument {
  const title = `${typeLabels[row.type]} “${row.name}”`;
  const path = `/${pathSegment(typeLabels[row.type])}/${pathSegment(row.name)} (${pathSegment(row.id)}).json`;
  return { title, path, read };
}
