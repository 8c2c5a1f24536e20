/** The types of rows in the Administration view. */
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

/** An object of a tenant's administration, as trees, documents and bulk actions use it. */
export interface AdminRow {
  readonly type: RowType;
  readonly id: string;
  readonly name: string;
  /** A few words shown after the name. */
  readonly detail: string;
  /** More lines of the tooltip. */
  readonly facts?: readonly string[] | undefined;
  /** Whether a user can sign in; only for users. */
  readonly active?: boolean | undefined;
  /** The name of the embed tenant that the object belongs to. */
  readonly tenant?: string | undefined;
  /** The object as the platform returned it. */
  readonly fields: Fields;
}

/** The lists of a tenant's administration. Lists of an embed tenant include its name. */
export type AdminList =
  | { readonly list: TopList }
  | { readonly list: 'embedUsers' | 'embedGroups'; readonly tenant: string }
  | { readonly list: 'members'; readonly tenant: string; readonly groupId: string };

/** The lists in the order in which they are shown. */
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

/** The types of the objects in each list. */
export const listedRows: Readonly<Record<TopList, readonly RowType[]>> = {
  users: ['user'],
  groups: ['group'],
  attributes: ['attribute'],
  settings: ['tenantSettings', 'appConfig'],
  oauthIntegrations: ['oauthIntegration'],
  oauthTokens: ['oauthToken'],
  oidcConfigs: ['oidcConfig'],
  embedTenants: ['embedTenant'],
};

/** Returns the key of a list in caches and node ids. */
export function listKey(list: AdminList): string {
  if ('groupId' in list) return `members/${list.tenant}/${list.groupId}`;
  return 'tenant' in list ? `${list.list}/${list.tenant}` : list.list;
}

/** The content of each list, for messages. */
export const listLabels: Readonly<Record<AdminList['list'], string>> = {
  users: 'users',
  groups: 'groups',
  attributes: 'user attributes',
  settings: 'settings',
  oauthIntegrations: 'OAuth integrations',
  oauthTokens: 'your OAuth tokens',
  oidcConfigs: 'OIDC token configurations',
  embedTenants: 'embed tenants',
  embedUsers: 'users of this embed tenant',
  embedGroups: 'groups of this embed tenant',
  members: 'members of this group',
};

/** The singular name of each type, for messages. */
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
