import { AdminData } from '#features/administration/admin-data.ts';
import { valuesDocument } from '#features/administration/attribute-values.ts';
import { actOnUsers, deleteRows, removeMembers } from '#features/administration/bulk-actions.ts';
import { readEmbedGroups } from '#features/administration/embed-groups.ts';
import { newDocument, objectDocument } from '#features/administration/object-documents.ts';
import { documentOf } from '#features/administration/open-document.ts';
import { type AdminList, type AdminRow, type RowType, topLists } from '#features/administration/rows.ts';
import { addMembers } from '#features/administration/vscode/embedding.ts';
import { connect } from '#features/administration/vscode/objects.ts';
import { pick } from '../../vscode/answers.ts';
import { act, saved, sendAnyway, type WireStory } from './story.ts';

const fieldsOf = {
  user: { email: 'wire@shop.example', firstName: 'Wi', lastName: 'Re', role: 'viewer', groups: ['a'] },
  attribute: { name: 'wire', type: 'string', displayName: 'Wire', description: 'x', defaultValue: 'y' },
  oauthIntegration: {
    name: 'wire',
    provider: 'x',
    clientId: 'x',
    clientSecret: 'x',
    authorizationUrl: 'https://x.example',
    tokenUrl: 'https://x.example',
    scopes: ['a'],
  },
  oidcConfig: { name: 'wire', issuer: 'https://x.example', audience: 'x', enabled: true },
  embedGroup: { name: 'wire', description: 'x' },
} as const;
const settings = { auditLog: true, maintenanceWindow: true, supportAccess: true, oidc: true, aiBiInterface: true };
const tenant = 'acme';
const row = (type: RowType): AdminRow => ({ type, id: '1', name: 'x', detail: '', tenant, fields: { id: '1' } });

/** Requests of the Administration view and its documents. */
export const administrationStories: readonly WireStory[] = [
  {
    name: 'loads every list',
    play: async ({ data, memory, account }) => {
      const admin = new AdminData({ data, state: memory });
      const within: readonly AdminList[] = [
        { list: 'embedUsers', tenant },
        { list: 'members', tenant, groupId: '1' },
      ];
      const lists: readonly AdminList[] = [...topLists.map((list) => ({ list })), ...within];
      for (const list of lists) await sendAnyway(async () => admin.of(account.id, list).ensure());
    },
  },
  {
    name: 'makes and changes every kind of object',
    play: async ({ client }) => {
      for (const [type, fields] of Object.entries(fieldsOf) as [keyof typeof fieldsOf, object][]) {
        const options = { tenant: type === 'embedGroup' ? tenant : undefined, onCreated: async () => undefined };
        await saved(newDocument(client, type, 1, options), { ...fields });
        await saved(objectDocument(client, type, row(type)), { ...fields });
      }
      await saved(objectDocument(client, 'tenantSettings', row('tenantSettings')), settings);
    },
  },
  {
    name: 'opens what is only read, and the values of a user',
    play: async ({ client }) => {
      const types = ['appConfig', 'oauthToken', 'oauthIntegration', 'oidcConfig', 'tenantSettings'] as const;
      for (const type of types) await sendAnyway(async () => documentOf(client, row(type)).read());
      await sendAnyway(async () => readEmbedGroups(client, tenant, ['1']));
      const values = await valuesDocument(client, row('user'));
      await values.read();
      await sendAnyway(async () => values.edit?.send({ country: 'Germany' }, {}));
    },
  },
  {
    name: 'acts on users, groups and integrations',
    play: async ({ client, account, data, memory, services }, person) => {
      await sendAnyway(async () => actOnUsers(client, 'DEACTIVATE', [row('user')]));
      const deletable = ['user', 'oauthIntegration', 'oauthToken', 'oidcConfig', 'embedTenant', 'embedGroup'] as const;
      for (const type of deletable) await deleteRows(client, [row(type)]);
      await sendAnyway(async () => removeMembers(client, { tenant, groupId: '1' }, [row('embedUser')]));
      const list = { list: 'oauthIntegrations' } as const;
      const chosen = { accountId: account.id, list, rows: [row('oauthIntegration')] } as const;
      const admin = new AdminData({ data, state: memory });
      const parts = { ...(services as object), admin } as never;
      await act(person, async () => connect(parts, chosen));
      const groups = {
        accountId: account.id,
        list: { list: 'embedGroups', tenant },
        rows: [row('embedGroup')],
      } as const;
      const rows = {
        of: (_: string, { list: name }: AdminList) => loaded(name === 'members' ? [] : [row('embedUser')]),
      };
      const withRows = { ...(services as object), admin: rows } as never;
      await act(person, async () => addMembers(withRows, groups), pick('x'));
    },
  },
];

/** Returns a list that is already loaded. */
const loaded = (items: readonly AdminRow[]) => ({
  ensure: async () => undefined,
  state: { value: { value: { items, next: undefined }, error: undefined } },
});
