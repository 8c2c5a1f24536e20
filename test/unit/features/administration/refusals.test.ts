import { describe, expect, it } from 'vitest';
import type { Client } from '#api/client/client.ts';
import { valuesDocument } from '#features/administration/attribute-values.ts';
import { actOnUsers, deleteRows, removeMembers } from '#features/administration/bulk-actions.ts';
import { AdminData } from '#features/administration/admin-data.ts';
import type { AdminDocument } from '#features/administration/document.ts';
import { type CreatableType, creatableTypes, newDocument } from '#features/administration/object-documents.ts';
import { documentOf } from '#features/administration/open-document.ts';
import type { AdminList, AdminRow, RowType } from '#features/administration/rows.ts';
import { adminError } from '#features/administration/admin-error.ts';
import { errorTexts } from '#shell/error-texts.ts';
import { openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';
import { operationPlaces } from '../../../tools/operation-places.ts';
import { adminRefusals } from '../../../vscode/admin-forms.ts';
import { refusalOf, refusals } from '../../../vscode/forms.ts';

const row = (type: RowType, id = '1', tenant?: string): AdminRow => ({
  type,
  id,
  name: 'x',
  detail: '',
  tenant,
  fields: {},
});

const noted = { onCreated: () => Promise.resolve() };

async function send(document: AdminDocument, fields: object): Promise<unknown> {
  return document.edit?.send(fields as Record<string, unknown>, {});
}

const create = (type: CreatableType, fields: object) => (client: Client) =>
  send(newDocument(client, type, 1, { ...noted, tenant: 'wholesale' }), fields);
const update = (type: RowType, fields: object, id?: string) => (client: Client) =>
  send(documentOf(client, row(type, id, 'wholesale')), fields);
const read = (type: RowType) => async (client: Client) => documentOf(client, row(type, '1', 'wholesale')).read();
const remove = (type: RowType) => async (client: Client) => {
  const { failed } = await deleteRows(client, [row(type, '1', 'wholesale')]);
  throw new Error(failed[0]?.error ?? 'done');
};

/** What a user does in Administration, by the operation that the platform refuses. */
const deeds: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  createUser: create('user', { email: 'new@shop.example' }),
  createUserAttribute: create('attribute', { name: 'quota', type: 'number' }),
  createOauthIntegration: create('oauthIntegration', { name: 'CRM' }),
  createOidcTokenConfig: create('oidcConfig', { name: 'CI', issuer: 'https://issuer.example' }),
  createEmbedTenantGroup: create('embedGroup', { name: 'partners' }),
  updateUser: update('user', { email: 'new@shop.example' }, '3'),
  updateUserAttribute: update('attribute', { displayName: 'Quota' }),
  updateTenantSettings: update('tenantSettings', {}),
  updateOauthIntegration: update('oauthIntegration', { name: 'CRM' }),
  updateOidcTokenConfig: update('oidcConfig', { name: 'CI' }),
  updateEmbedTenantGroup: update('embedGroup', { name: 'partners' }),
  getTenantSettings: read('tenantSettings'),
  getAppConfig: read('appConfig'),
  getOauthIntegration: read('oauthIntegration'),
  getUserOauthToken: read('oauthToken'),
  getOidcTokenConfig: read('oidcConfig'),
  listUserAttributeValues: async (client) => (await valuesDocument(client, row('user', '3'))).read(),
  upsertUserAttributeValue: async (client) =>
    send(await valuesDocument(client, row('user', '3')), { country: 'Chile' }),
  bulkUsers: async (client) => actOnUsers(client, 'DEACTIVATE', [row('user', '3'), row('user', '2')]),
  deleteUser: remove('user'),
  deleteOauthIntegration: remove('oauthIntegration'),
  deleteUserOauthToken: remove('oauthToken'),
  deleteOidcTokenConfig: remove('oidcConfig'),
  deleteEmbedTenant: remove('embedTenant'),
  deleteEmbedTenantGroup: remove('embedGroup'),
  removeEmbedTenantGroupUsers: async (client) =>
    removeMembers(client, { tenant: 'wholesale', groupId: '1' }, [row('embedUser')]),
};

const wholesale = { tenant: 'wholesale' };

/** Lists of the view, whose rows say why they are not there. */
const lists: Readonly<Record<string, AdminList>> = {
  listScimUsers: { list: 'users' },
  listScimGroups: { list: 'groups' },
  listUserAttributes: { list: 'attributes' },
  listOauthIntegrations: { list: 'oauthIntegrations' },
  listUserOauthTokens: { list: 'oauthTokens' },
  listOidcTokenConfigs: { list: 'oidcConfigs' },
  listEmbedTenants: { list: 'embedTenants' },
  listEmbedTenantUsers: { list: 'embedUsers', ...wholesale },
  listEmbedTenantGroupUsers: { list: 'members', ...wholesale, groupId: '1' },
  getEmbedTenantGroup: { list: 'embedGroups', ...wholesale },
};

describe('what the platform refuses in Administration', () => {
  it.each(Object.keys(deeds))('%s: is said in a sentence, each refusal of it', async (operation) => {
    const { client, platform } = await openDesk();
    for (const { status, says } of refusals) {
      platform.control.faults([refusalOf(operation, status)]);
      const thrown: unknown = await Promise.resolve(deeds[operation]?.(client)).catch((error: unknown) => error);
      const words = errorTexts(adminError(thrown, 'do this'));
      const message = words.kind === 'silent' ? '' : words.message;
      expect(message).toMatch(status === 403 ? /may not/ : says);
      expect(message).toMatch(/\.( .*)?$/);
    }
  });

  it.each(Object.entries(lists))('%s: is said in the view', async (operation, list) => {
    const { client, platform, account } = await openDesk();
    const admin = new AdminData({ data: { client: () => client }, state: new MemoryState() });
    await admin.groups.add(account.id, 'wholesale', '1');
    const rows = admin.of(account.id, list);
    // A known group that no longer exists is left out of the list.
    const all = refusals.filter(({ status }) => operation !== 'getEmbedTenantGroup' || status !== 404);
    for (const { status, says } of all) {
      platform.control.faults([refusalOf(operation, status)]);
      await rows.refresh();
      expect(rows.state.value.error?.message).toMatch(says);
    }
  });

  it('leaves out no operation of the view', () => {
    const inVSCode = adminRefusals.map(({ operation }) => operation);
    const tried = new Set([...Object.keys(deeds), ...Object.keys(lists), ...inVSCode]);
    const ours = Object.entries(operationPlaces).filter(([, place]) => place.startsWith('modelbench.administration'));
    expect(ours.filter(([id]) => !tried.has(id))).toEqual([]);
    expect(creatableTypes).toHaveLength(5);
  });
});
