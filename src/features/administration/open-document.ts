import type { AccountClients, Client } from '#api/client/client.ts';
import { getUserOauthToken } from '#api/resources/oauth.ts';
import { getAppConfig } from '#api/resources/tenant.ts';
import { type AdminDocument, pathSegment } from './document.ts';
import { valuesDocument } from './attribute-values.ts';
import { adminError } from './admin-error.ts';
import { memberRow } from './find-row.ts';
import { objectDocument } from './object-documents.ts';
import { type AdminRow, type Fields, typeLabels } from './rows.ts';

/** Creates the document of a row: editable if the platform accepts changes to it, otherwise read-only. */
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

/** Creates the documents of rows: of a group's member, that of the user or group; embed tenants have none. */
export async function rowDocuments(
  { data }: OpenPorts,
  accountId: string,
  rows: readonly AdminRow[],
): Promise<readonly { readonly row: AdminRow; readonly document: AdminDocument }[]> {
  const client = data.client(accountId);
  const documents = [];
  for (const each of rows) {
    if (each.type === 'embedTenant') continue;
    const row = each.type === 'groupMember' ? await memberRow(client, each) : each;
    documents.push({ row, document: documentOf(client, row) });
  }
  return documents;
}

/** Creates the document of a user's attribute values. */
export async function valuesOf({ data }: OpenPorts, accountId: string, user: AdminRow): Promise<AdminDocument> {
  try {
    return await valuesDocument(data.client(accountId), user);
  } catch (error) {
    throw adminError(error, 'read user attributes');
  }
}

/** Creates the read-only document of a user's SCIM resource. */
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
