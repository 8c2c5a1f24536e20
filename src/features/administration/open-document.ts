import type { Client } from '#api/client.ts';
import { getUserOauthToken } from '#api/oauth.ts';
import { getAppConfig } from '#api/tenant.ts';
import { type AdminDocument, pathSegment } from './document.ts';
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
