/** What a row of the Administration view represents. */
export const rowTypes = [
  'user',
  'group',
  'groupMember',
  'attribute',
  'tenantSettings',
  'appConfig',
  'oauthIntegration',
  'oauthToken',
  'oidcConfig',
  'embedTenant',
  'embedUser',
  'embedGroup',
] as const;
export type RowType = (typeof rowTypes)[number];

export type Fields = Readonly<Record<string, unknown>>;

/** An object of a tenant's administration: what trees, documents and bulk actions need of it. */
export interface AdminRow {
  readonly type: RowType;
  readonly id: string;
  readonly name: string;
  /** A few words behind the name. */
  readonly detail: string;
  /** Further sentences of its tooltip. */
  readonly facts?: readonly string[] | undefined;
  /** Only of users: whether they may sign in. */
  readonly active?: boolean | undefined;
  /** Only of what belongs to an embed tenant: its name. */
  readonly tenant?: string | undefined;
  /** As the platform answered it. */
  readonly fields: Fields;
}

/** The lists of a tenant's administration; those of an embed tenant name it. */
export type AdminList =
  | { readonly list: TopList }
  | { readonly list: 'embedUsers' | 'embedGroups'; readonly tenant: string }
  | { readonly list: 'members'; readonly tenant: string; readonly groupId: string };

/** In the order in which they are shown. */
export const topLists = [
  'users',
  'groups',
  'attributes',
  'settings',
  'oauthIntegrations',
  'oauthTokens',
  'oidcConfigs',
  'embedTenants',
] as const;
export type TopList = (typeof topLists)[number];

/** One text for one list: the key of caches and a part of node ids. */
export function listKey(list: AdminList): string {
  if ('groupId' in list) return `members/${list.tenant}/${list.groupId}`;
  return 'tenant' in list ? `${list.list}/${list.tenant}` : list.list;
}

/** What a list holds, as a user names it. */
export const listLabels: Readonly<Record<AdminList['list'], string>> = {
  users: 'users',
  groups: 'groups',
  attributes: 'user attributes',
  settings: 'settings',
  oauthIntegrations: 'OAuth integrations',
  oauthTokens: 'Your OAuth tokens',
  oidcConfigs: 'OIDC token configurations',
  embedTenants: 'embed tenants',
  embedUsers: 'users of this embed tenant',
  embedGroups: 'groups of this embed tenant',
  members: 'members of this group',
};

/** One of a type, as a user names it. */
export const typeLabels: Readonly<Record<RowType, string>> = {
  user: 'user',
  group: 'group',
  groupMember: 'member',
  attribute: 'user attribute',
  tenantSettings: 'tenant settings',
  appConfig: 'application configuration',
  oauthIntegration: 'OAuth integration',
  oauthToken: 'OAuth token',
  oidcConfig: 'OIDC token configuration',
  embedTenant: 'embed tenant',
  embedUser: 'embed user',
  embedGroup: 'embed group',
};
