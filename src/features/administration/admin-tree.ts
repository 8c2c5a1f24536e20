import { unreachable } from '#base/result.ts';
import { titleCase } from '#base/words.ts';
import type { Failure } from '#shell/error-texts.ts';
import { groupMember } from './read-rows.ts';
import { type AdminList, type AdminRow, listKey, listLabels, topLists, typeLabels } from './rows.ts';
import type { Paged } from '#features/platform/index.ts';
import { describeFailure, type TreeItemSpec, type TreeNode } from '#shell/tree-item.ts';

export interface AccountNode extends TreeNode {
  readonly kind: 'adminAccount';
  readonly accountId: string;
  readonly label: string;
  readonly children: readonly AdminNode[];
}

export interface ListNode extends TreeNode {
  readonly kind: 'adminList';
  readonly accountId: string;
  readonly list: AdminList;
  readonly children: readonly AdminNode[] | undefined;
}

export interface RowNode extends TreeNode {
  readonly kind: 'adminRow';
  readonly accountId: string;
  /** The list that contains the row: a group member has a different row than the same user in the list of users. */
  readonly list: AdminList;
  readonly row: AdminRow;
  readonly children: readonly AdminNode[] | undefined;
}

/** A row with a message: the list is empty, loading, failed, or has more rows. */
export interface NoteNode extends TreeNode {
  readonly kind: 'adminNote';
  readonly note: 'empty' | 'loading' | 'failure' | 'more';
  readonly accountId: string;
  readonly list: AdminList;
  readonly message: string;
  /** The short text of a failure. */
  readonly title?: string | undefined;
  /** The text that *Copy* copies. */
  readonly copy: string;
  readonly children: readonly AdminNode[];
}

export type AdminNode = AccountNode | ListNode | RowNode | NoteNode;

export interface ListState {
  readonly rows: Paged<AdminRow> | undefined;
  readonly loading: boolean;
  readonly error: Failure | undefined;
}

export interface AdminTreeInput {
  readonly accounts: readonly { readonly id: string; readonly label: string }[];
  /** Returns the state of a list; `undefined` until it is opened. */
  readonly list: (accountId: string, list: AdminList) => ListState | undefined;
}

/** Builds the lists of each account. If there is only one account, its lists are at the top of the tree. */
export function adminTree(input: AdminTreeInput): readonly AdminNode[] {
  const accounts = input.accounts.map<AccountNode>(({ id, label }) => ({
    kind: 'adminAccount',
    id: `admin/${id}`,
    accountId: id,
    label,
    children: topLists.map((list) => listNode(input, id, { list })),
  }));
  const [only] = accounts;
  return accounts.length === 1 && only ? only.children : accounts;
}

function listNode(input: AdminTreeInput, accountId: string, list: AdminList): ListNode {
  const state = input.list(accountId, list);
  return {
    kind: 'adminList',
    id: idOf(accountId, list),
    accountId,
    list,
    children: state && rowsIn(input, accountId, list, state),
  };
}

function rowsIn(input: AdminTreeInput, accountId: string, list: AdminList, state: ListState): readonly AdminNode[] {
  const note = (kind: NoteNode['note'], message: string, title?: string): NoteNode => ({
    kind: 'adminNote',
    id: `${idOf(accountId, list)}/${kind}`,
    note: kind,
    accountId,
    list,
    message,
    title,
    copy: message,
    children: [],
  });
  const rows = state.rows?.items.map((row) => rowNode(input, accountId, list, row)) ?? [];
  return [
    ...(state.error === undefined ? [] : [note('failure', state.error.message, state.error.title)]),
    ...rows,
    ...(state.rows === undefined && state.loading ? [note('loading', 'Loading…')] : []),
    ...(state.rows !== undefined && rows.length === 0 ? [note('empty', emptyMessage(list))] : []),
    ...(state.rows?.next === undefined ? [] : [note('more', 'Load More…')]),
  ];
}

function emptyMessage(list: AdminList): string {
  if (list.list === 'embedGroups')
    return 'No group opened yet. The platform does not list groups, so open one by its id.';
  return `No ${listLabels[list.list].replace(/^your /, '')}`;
}

function rowNode(input: AdminTreeInput, accountId: string, list: AdminList, row: AdminRow): RowNode {
  const children = childrenOf(input, accountId, row);
  return { kind: 'adminRow', id: `${idOf(accountId, list)}/${row.type}/${row.id}`, accountId, list, row, children };
}

function childrenOf(input: AdminTreeInput, accountId: string, row: AdminRow): readonly AdminNode[] | undefined {
  const { type, tenant = '' } = row;
  if (type === 'embedTenant') {
    return (['embedUsers', 'embedGroups'] as const).map((list) => listNode(input, accountId, { list, tenant }));
  }
  if (type === 'embedGroup') {
    const members: AdminList = { list: 'members', tenant, groupId: row.id };
    const state = input.list(accountId, members);
    return state && rowsIn(input, accountId, members, state);
  }
  if (type === 'group') {
    const members = row.fields['members'] as
      | readonly { readonly value: string; readonly display?: string }[]
      | undefined;
    const list: AdminList = { list: 'members', tenant: '', groupId: row.id };
    return members?.map((member) => rowNode(input, accountId, list, groupMember(member))) ?? [];
  }
  return [];
}

function idOf(accountId: string, list: AdminList): string {
  return `admin/${accountId}/${listKey(list)}`;
}

/** Describes the row of a node. */
export function describeAdminNode(node: AdminNode): TreeItemSpec {
  switch (node.kind) {
    case 'adminAccount':
      return { label: node.label, icon: { id: 'organization' }, contextValue: 'adminAccount', collapsible: 'expanded' };
    case 'adminList':
      return {
        label: 'tenant' in node.list ? nestedLabels[node.list.list] : titleCase(listLabels[node.list.list]),
        icon: { id: listIcons[node.list.list] },
        contextValue: `adminList.${node.list.list}`,
        collapsible: 'collapsed',
      };
    case 'adminRow':
      return describeRow(node);
    case 'adminNote':
      return describeNote(node);
    default:
      return unreachable(node);
  }
}

const nestedLabels = { embedUsers: 'Users', embedGroups: 'Groups', members: 'Members' } as const;

const listIcons: Readonly<Record<AdminList['list'], string>> = {
  users: 'person',
  groups: 'organization',
  attributes: 'symbol-property',
  settings: 'settings-gear',
  oauthIntegrations: 'plug',
  oauthTokens: 'key',
  oidcConfigs: 'shield',
  embedTenants: 'window',
  embedUsers: 'person',
  embedGroups: 'organization',
  members: 'person',
};

const rowIcons: Readonly<Record<AdminRow['type'], string>> = {
  user: 'person',
  group: 'organization',
  groupMember: 'person',
  attribute: 'symbol-property',
  tenantSettings: 'settings-gear',
  appConfig: 'settings-gear',
  oauthIntegration: 'plug',
  oauthToken: 'key',
  oidcConfig: 'shield',
  embedTenant: 'window',
  embedUser: 'person',
  embedGroup: 'organization',
};

function describeRow({ list, row }: RowNode): TreeItemSpec {
  const isInactive = row.active === false;
  const opens = row.type !== 'embedTenant';
  const isParent = row.type === 'embedTenant' || row.type === 'embedGroup' || row.type === 'group';
  return {
    label: row.name,
    description: row.detail === '' ? undefined : row.detail,
    tooltip: [`${row.name} (${typeLabels[row.type]})`, row.detail, ...(row.facts ?? []), `id ${row.id}`]
      .filter((line) => line !== '')
      .join('\n'),
    icon: isInactive ? { id: 'circle-slash', color: 'disabledForeground' } : { id: rowIcons[row.type] },
    contextValue: contextOf(list, row),
    collapsible: isParent ? 'collapsed' : 'none',
    command: opens ? { id: 'modelbench.administration.open', title: 'Open' } : undefined,
    spoken: [typeLabels[row.type], row.name, row.detail].filter((text) => text !== '').join(', '),
  };
}

function contextOf(list: AdminList, row: AdminRow): string {
  if (row.type === 'user') return row.active === false ? 'admin.user.inactive' : 'admin.user.active';
  return row.type === 'embedUser' && list.list === 'members' ? 'admin.embedMember' : `admin.${row.type}`;
}

const openGroup = { id: 'modelbench.administration.openGroup', title: 'Open Group by ID' };

function describeNote({ note, message, title = 'Failed', list }: NoteNode): TreeItemSpec {
  switch (note) {
    case 'failure':
      return {
        ...describeFailure({ title, message }),
        contextValue: 'adminFailure',
        command: { id: 'modelbench.administration.retry', title: 'Retry' },
      };
    case 'more':
      return {
        label: message,
        icon: { id: 'ellipsis' },
        collapsible: 'none',
        command: { id: 'modelbench.administration.loadMore', title: 'Load More' },
      };
    case 'loading':
      return { label: message, icon: { id: 'loading~spin' }, collapsible: 'none' };
    case 'empty':
      return { label: message, collapsible: 'none', command: list.list === 'embedGroups' ? openGroup : undefined };
    default:
      return unreachable(note);
  }
}
