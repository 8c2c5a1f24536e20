import { describe, expect, it } from 'vitest';
import { deleteUserOauthToken } from '#api/resources/oauth.ts';
import { bulkUsers, createUser } from '#api/resources/users.ts';
import { AdminData } from '#features/administration/admin-data.ts';
import {
  type AdminNode,
  adminTree,
  describeAdminNode,
  type ListState,
  type RowNode,
} from '#features/administration/admin-tree.ts';
import { type AdminList, topLists } from '#features/administration/rows.ts';
import { adminFailure } from '#features/administration/admin-error.ts';
import { demo } from '#platform/seed/names.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';

function open(desk: Desk): { readonly admin: AdminData; readonly tree: () => readonly AdminNode[] } {
  const admin = new AdminData({ data: desk.data, state: new MemoryState() });
  const list = (accountId: string, which: AdminList): ListState | undefined => {
    const state = admin.known(accountId, which)?.state.value;
    return state && { rows: state.value, loading: state.loading, error: adminFailure(state.error, 'read this') };
  };
  return { admin, tree: () => adminTree({ accounts: desk.accounts.all.value, list }) };
}

const labels = (nodes: readonly AdminNode[] | undefined): readonly string[] =>
  (nodes ?? []).map((node) => describeAdminNode(node).label);

const find = (nodes: readonly AdminNode[], label: string): AdminNode | undefined =>
  nodes.find((node) => describeAdminNode(node).label === label);

describe('the tree of the Administration view', () => {
  it('asks for nothing until a list is opened', async () => {
    const desk = await openDesk();
    const { tree } = open(desk);
    const nodes = tree();
    expect(labels(nodes)).toEqual([
      'Users',
      'Groups',
      'User Attributes',
      'Settings',
      'OAuth Integrations',
      'Your OAuth Tokens',
      'OIDC Token Configurations',
      'Embed Tenants',
    ]);
    expect(nodes.every(({ children }) => children === undefined)).toBe(true);
  });

  it('shows the rows of every list of the platform', async () => {
    const desk = await openDesk();
    const { admin, tree } = open(desk);
    await Promise.all(topLists.map(async (list) => admin.of(desk.account.id, { list }).ensure()));
    const nodes = tree();
    const rows = (label: string): readonly string[] => labels(find(nodes, label)?.children);
    expect(rows('Users')).toEqual(expect.arrayContaining([demo.owner, demo.colleague, demo.analyst]));
    expect(rows('User Attributes')).toContain('can_see_margin');
    expect(rows('Settings')).toEqual(['Tenant Settings', 'Application Configuration']);
    expect(rows('OAuth Integrations')).toEqual(['Spreadsheets']);
    expect(rows('Your OAuth Tokens')).toEqual(['Spreadsheets']);
    expect(rows('OIDC Token Configurations')).toEqual(['Warehouse']);
    const tenants = find(nodes, 'Embed Tenants')?.children ?? [];
    expect(labels(tenants)).toEqual(['north-stores', 'wholesale']);
    expect(labels(tenants[0]?.children)).toEqual(['Users', 'Groups']);
  });

  it('says of an empty list what there is none of', async () => {
    const desk = await openDesk();
    const { admin, tree } = open(desk);
    const list = admin.of(desk.account.id, { list: 'oauthTokens' });
    await list.ensure();
    for (const { id } of list.state.value.value?.items ?? [])
      await desk.client.call(deleteUserOauthToken, { params: { integrationId: id } });
    await list.refresh();
    expect(labels(find(tree(), 'Your OAuth Tokens')?.children)).toEqual(['No OAuth tokens']);
  });

  it('opens an embed tenant, its users, its known groups and their members', async () => {
    const desk = await openDesk();
    const { admin, tree } = open(desk);
    const { id } = desk.account;
    const tenant = 'north-stores';
    await admin.groups.add(id, tenant, '1');
    await admin.groups.add(id, tenant, '4711');
    const lists: readonly AdminList[] = [
      { list: 'embedTenants' },
      { list: 'embedUsers', tenant },
      { list: 'embedGroups', tenant },
      { list: 'members', tenant, groupId: '1' },
    ];
    await Promise.all(lists.map(async (list) => admin.of(id, list).ensure()));
    const north = find(find(tree(), 'Embed Tenants')?.children ?? [], tenant)?.children ?? [];
    expect(labels(find(north, 'Users')?.children)).toEqual(['mia', 'noah', 'lena']);
    const groups = find(north, 'Groups')?.children ?? [];
    // 4711 is gone from the platform: it is left out.
    expect(labels(groups)).toEqual(['managers']);
    expect(labels(groups[0]?.children)).toEqual(['mia']);
    const member = groups[0]?.children?.[0];
    expect(member && describeAdminNode(member).contextValue).toBe('admin.embedMember');
  });

  it('loads users page by page and says when someone is inactive', async () => {
    const desk = await openDesk();
    const { admin, tree } = open(desk);
    for (let n = 0; n < 60; n += 1) await desk.client.call(createUser, { body: { email: `u${n}@shop.example` } });
    const list = admin.of(desk.account.id, { list: 'users' });
    await list.ensure();
    const first = find(tree(), 'Users');
    expect(first?.children).toHaveLength(51);
    expect(labels(first?.children).at(-1)).toBe('Load More…');
    const row = first?.children?.[5] as RowNode;
    await desk.client.call(bulkUsers, { body: { action: 'DEACTIVATE', ids: [row.row.id] } });
    await list.refresh();
    await list.loadMore();
    const all = find(tree(), 'Users');
    expect(all?.children).toHaveLength(63);
    const inactive = all?.children?.[5] as RowNode;
    expect(describeAdminNode(inactive)).toMatchObject({
      contextValue: 'admin.user.inactive',
      description: expect.stringContaining('inactive') as unknown,
    });
  });

  it('says “No permission” where the key may not read, and keeps the rest', async () => {
    const desk = await openDesk({ key: demo.keys.colleague });
    const { admin, tree } = open(desk);
    await admin.of(desk.account.id, { list: 'users' }).ensure();
    await admin.of(desk.account.id, { list: 'attributes' }).ensure();
    const failure = find(tree(), 'Users')?.children?.[0] as AdminNode;
    expect(describeAdminNode(failure)).toMatchObject({
      label: 'No permission',
      description: expect.stringMatching(/^The key of this account may not read this.*administrator/) as unknown,
      contextValue: 'adminFailure',
      command: { id: 'modelbench.administration.retry' },
    });
    expect(labels(find(tree(), 'User Attributes')?.children)).toContain('regions');
  });

  it('shows that a list is empty or on its way, and an account each where there are two', () => {
    const states: Record<string, ListState> = {
      users: { rows: { items: [], next: undefined }, loading: false, error: undefined },
      groups: { rows: undefined, loading: true, error: undefined },
    };
    const accounts = [
      { id: 'a', label: 'shop' },
      { id: 'b', label: 'acme' },
    ];
    const nodes = adminTree({ accounts, list: (_, { list }) => states[list] });
    expect(labels(nodes)).toEqual(['shop', 'acme']);
    const lists = nodes[0]?.children ?? [];
    expect(labels(find(lists, 'Users')?.children)).toEqual(['No users']);
    expect(labels(find(lists, 'Groups')?.children)).toEqual(['Loading…']);
    const ids = new Set(nodes.flatMap(({ children }) => (children ?? []).map(({ id }) => id)));
    expect(ids.size).toBe(topLists.length * 2);
  });

  it('forgets the lists of an account that is signed out', async () => {
    const desk = await openDesk();
    const { admin } = open(desk);
    await admin.of(desk.account.id, { list: 'attributes' }).ensure();
    admin.keepOnly(new Set());
    expect(admin.known(desk.account.id, { list: 'attributes' })).toBeUndefined();
  });
});
