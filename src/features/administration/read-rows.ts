import { readableTime } from '#base/timestamps.ts';
import { plural } from '#base/words.ts';
import type { EmbedGroup, EmbedTenant, EmbedUser } from '#api/resources/embed.ts';
import type { OauthIntegration, UserOauthToken } from '#api/resources/oauth.ts';
import type { OidcTokenConfig } from '#api/resources/oidc.ts';
import type { ScimGroup, ScimUser } from '#api/resources/scim.ts';
import type { UserAttribute } from '#api/resources/user-attributes.ts';
import type { AdminRow } from './rows.ts';

// Converts responses of the platform to rows of the Administration view.

/** Creates the row of a user, named by e-mail address if there is one. */
export function user(fields: ScimUser): AdminRow {
  const email = emailOf(fields) ?? fields.displayName ?? fields.id;
  const isInactive = fields.active === false;
  const facts = [fields.displayName === email ? undefined : fields.displayName, isInactive ? 'inactive' : undefined];
  return { type: 'user', id: fields.id, name: email, detail: joined(facts), active: !isInactive, fields };
}

/** Returns the e-mail address of a SCIM user: the primary one, the first one, or the user name. */
export function emailOf({ emails, userName }: Pick<ScimUser, 'emails' | 'userName'>): string | undefined {
  return emails?.find(({ primary }) => primary === true)?.value ?? emails?.[0]?.value ?? userName;
}

/** Creates the row of a group with the number of its members. */
export function group(fields: ScimGroup): AdminRow {
  const count = fields.members?.length;
  return {
    type: 'group',
    id: fields.id,
    name: fields.displayName ?? fields.id,
    detail: count === undefined ? '' : plural(count, 'member'),
    fields,
  };
}

/** Creates the row of a member of a group. */
export function groupMember(member: { readonly value: string; readonly display?: string | undefined }): AdminRow {
  return { type: 'groupMember', id: member.value, name: member.display ?? member.value, detail: '', fields: member };
}

/** Creates the row of a user attribute with its type. */
export function attribute(fields: UserAttribute): AdminRow {
  const detail = joined([fields.type, fields.displayName]);
  return { type: 'attribute', id: fields.id, name: attributeName(fields), detail, fields };
}

/** Returns the name of an attribute, or its id if the platform leaves the name out. */
export function attributeName({ id, name }: Pick<UserAttribute, 'id' | 'name'>): string {
  return name ?? id;
}

/** Objects that exist once per tenant. */
export const settings: readonly AdminRow[] = [
  { type: 'tenantSettings', id: 'settings', name: 'Tenant Settings', detail: '', fields: {} },
  { type: 'appConfig', id: 'app-config', name: 'Application Configuration', detail: 'read-only', fields: {} },
];

/** Creates the row of an OAuth integration with its provider. */
export function oauthIntegration(fields: OauthIntegration): AdminRow {
  const { id, name, provider } = fields;
  return { type: 'oauthIntegration', id, name: name ?? id, detail: provider ?? '', fields };
}

/** Creates the row of a user’s OAuth token; `integrations` maps ids to names. */
export function oauthToken(fields: UserOauthToken, integrations: ReadonlyMap<string, string>): AdminRow {
  const { integrationId, status, createdAt, expiresAt } = fields;
  const detail = joined([status, expiresAt === undefined ? undefined : `until ${readableTime(expiresAt)}`]);
  return {
    type: 'oauthToken',
    id: integrationId,
    name: integrations.get(integrationId) ?? integrationId,
    detail,
    facts: createdAt === undefined ? [] : [`Connected ${readableTime(createdAt)}`],
    fields,
  };
}

/** Creates the row of an OIDC token configuration. */
export function oidcConfig(fields: OidcTokenConfig): AdminRow {
  const { id, name, issuer, enabled } = fields;
  const detail = joined([issuer, enabled === false ? 'disabled' : undefined]);
  return { type: 'oidcConfig', id, name: name ?? id, detail, fields };
}

/** Creates the row of an embed tenant. */
export function embedTenant(fields: EmbedTenant): AdminRow {
  const { name, displayName, createdAt } = fields;
  const facts = createdAt === undefined ? [] : [`Created ${readableTime(createdAt)}`];
  // Requests identify an embed tenant by its name; its id appears in no path.
  return { type: 'embedTenant', id: name, name, detail: displayName ?? '', facts, tenant: name, fields };
}

/** Creates the row of a user of an embed tenant. */
export function embedUser(fields: EmbedUser, tenant: string): AdminRow {
  const { id, displayName, email, externalId } = fields;
  const name = displayName ?? email ?? externalId ?? id;
  const detail = joined([email === name ? undefined : email, externalId === name ? undefined : externalId]);
  return { type: 'embedUser', id, name, detail, tenant, fields };
}

/** Creates the row of a group of an embed tenant. */
export function embedGroup(fields: EmbedGroup, tenant: string): AdminRow {
  const id = fields.id ?? '';
  return { type: 'embedGroup', id, name: fields.name ?? id, detail: fields.description ?? '', tenant, fields };
}

function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((each) => each !== undefined && each !== '').join(' · ');
}
