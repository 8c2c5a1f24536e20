import type { Client } from '#api/client/client.ts';
import { createEmbedTenantGroup, getEmbedTenantGroup, updateEmbedTenantGroup } from '#api/resources/embed.ts';
import { createOauthIntegration, getOauthIntegration, updateOauthIntegration } from '#api/resources/oauth.ts';
import { createOidcTokenConfig, getOidcTokenConfig, updateOidcTokenConfig } from '#api/resources/oidc.ts';
import type { Operation } from '#api/operation.ts';
import type { ScimUser } from '#api/resources/scim.ts';
import { getTenantSettings, updateTenantSettings } from '#api/resources/tenant.ts';
import { createUserAttribute, listUserAttributes, updateUserAttribute } from '#api/resources/user-attributes.ts';
import { createUser, updateUser } from '#api/resources/users.ts';
import { readServed, readServedRows, servedId } from '#api/resources/served.ts';
import { isEqual } from '#base/equal.ts';
import { ok } from '#base/result.ts';
import { UserError } from '#shell/user-error.ts';
import { changedBody } from './changes.ts';
import { createdId, creationCheck } from './created-id.ts';
import {
  type AdminDocument,
  checkBody,
  checkChanges,
  type DocumentEdit,
  editable,
  pathSegment,
  sendBody,
} from './document.ts';
import { withHelp } from './field-help.ts';
import { bodySchema } from './document-schema.ts';
import { emailOf } from './read-rows.ts';
import { type AdminRow, type Fields, typeLabels } from './rows.ts';

/** Types whose documents can be saved. */
export type EditableType = CreatableType | 'tenantSettings';

/** Types of which users can create new objects. */
export const creatableTypes = ['user', 'attribute', 'oauthIntegration', 'oidcConfig', 'embedGroup'] as const;
export type CreatableType = (typeof creatableTypes)[number];

interface ObjectKind {
  readonly folder: string;
  readonly update: Operation;
  readonly create?: Operation;
  /** The initial fields of a new document; those that are left unchanged are not sent, unless they are required. */
  readonly template: Fields;
  readonly params: (row: Pick<AdminRow, 'id' | 'tenant'>) => Fields | undefined;
  readonly read: (client: Client, row: AdminRow) => Promise<Fields>;
  /** Distinguishes objects of the same name. */
  readonly suffix: (row: AdminRow) => string;
}

const byId = ({ id }: Pick<AdminRow, 'id'>): Fields => ({ id });
const noSuffix = (): string => '';
const idSuffix = ({ id }: AdminRow): string => ` (${id})`;

const kinds: Readonly<Record<EditableType, ObjectKind>> = {
  user: {
    folder: 'users',
    update: updateUser,
    create: createUser,
    template: { email: '', firstName: '', lastName: '', role: '', groups: [] },
    params: byId,
    // No operation reads a single user, so this is the list's version.
    read: (_, { fields }) => Promise.resolve(userFields(fields)),
    suffix: noSuffix,
  },
  attribute: {
    folder: 'user-attributes',
    update: updateUserAttribute,
    create: createUserAttribute,
    template: { name: '', type: 'string', displayName: '', description: '', defaultValue: null },
    params: byId,
    read: async (client, { id, name }) => {
      const found = (await readServedRows(client, listUserAttributes, {})).find((each) => servedId(each) === id);
      if (!found) throw new UserError(`The user attribute “${name}” no longer exists. Refresh and try again.`);
      return editable(found);
    },
    suffix: noSuffix,
  },
  tenantSettings: {
    folder: 'tenant',
    update: updateTenantSettings,
    template: {},
    params: () => undefined,
    read: async (client) => editable(await readServed(client, getTenantSettings, {})),
    suffix: noSuffix,
  },
  oauthIntegration: {
    folder: 'oauth-integrations',
    update: updateOauthIntegration,
    create: createOauthIntegration,
    template: {
      name: '',
      provider: '',
      clientId: '',
      clientSecret: '',
      authorizationUrl: '',
      tokenUrl: '',
      scopes: [],
    },
    params: byId,
    read: async (client, { id }) => editable(await readServed(client, getOauthIntegration, { params: { id } })),
    suffix: idSuffix,
  },
  oidcConfig: {
    folder: 'oidc-token-configs',
    update: updateOidcTokenConfig,
    create: createOidcTokenConfig,
    template: { name: '', issuer: '', audience: '', enabled: true },
    params: byId,
    read: async (client, { id }) => editable(await readServed(client, getOidcTokenConfig, { params: { id } })),
    suffix: idSuffix,
  },
  embedGroup: {
    folder: 'embed-groups',
    update: updateEmbedTenantGroup,
    create: createEmbedTenantGroup,
    template: { name: '', description: '' },
    params: ({ id, tenant = '' }) => ({ embedTenantName: tenant, id }),
    read: async (client, { id, tenant = '' }) =>
      editable(await readServed(client, getEmbedTenantGroup, { params: { embedTenantName: tenant, id } })),
    suffix: ({ id, tenant = '' }) => ` of ${tenant} (${id})`,
  },
};

/** Creates the document of an existing object. Only changes are sent: the rest belongs to the platform and may be a secret. */
export function objectDocument(client: Client, type: EditableType, row: AdminRow): AdminDocument {
  const kind = kinds[type];
  const title = type === 'tenantSettings' ? 'the tenant’s settings' : `${typeLabels[type]} “${row.name}”`;
  const params = kind.params(row);
  const update = async (fields: Fields, before: Fields): Promise<AdminDocument> => {
    const answer = await sendBody(client, kind.update, params, changedBody(before, fields));
    return objectDocument(client, type, afterSaving(type, row, fields, answer));
  };
  return {
    title,
    path: `/${kind.folder}/${pathSegment(row.name)}${pathSegment(kind.suffix(row))}.json`,
    read: async () => kind.read(client, row),
    edit: {
      isNew: false,
      sends: { op: kind.update, bodyOf: (fields, before) => changedBody(before, fields) },
      schema: withHelp(schemaOf(kind.update, title), type),
      explain: (schema) => withHelp(schema, type),
      check: (fields, before) => checkChanges(kind.update, params, fields, before),
      send: update,
    },
  };
}

/** Creates the document of an object that is created when it is saved; `tenant` for objects of an embed tenant. */
export function newDocument(
  client: Client,
  type: CreatableType,
  number: number,
  options: { readonly tenant?: string | undefined; readonly onCreated: (row: AdminRow) => Promise<void> },
): AdminDocument {
  const { tenant, onCreated } = options;
  const kind = kinds[type];
  const op = kind.create ?? kind.update;
  const params = tenant === undefined ? undefined : { embedTenantName: tenant };
  const title = `new ${typeLabels[type]}`;
  const path = `/${kind.folder}/${title} ${number}.json`;
  const create = async (fields: Fields): Promise<AdminDocument> => {
    const checkOutcome = await creationCheck(client, type, nameOf(fields));
    const answer = await sendBody(client, op, params, filledIn(fields, kind.template), { checkOutcome });
    const id = servedId(answer) ?? (await createdId(client, type, nameOf(fields)));
    if (id === undefined) return createdUnseen(type, { title, path, fields });
    const made: AdminRow = { type, id, name: nameOf(fields), detail: '', tenant, fields: { id } };
    const row = afterSaving(type, made, fields, answer);
    await onCreated(row);
    return objectDocument(client, type, row);
  };
  return {
    title,
    path,
    read: () => Promise.resolve(kind.template),
    edit: {
      isNew: true,
      sends: { op, bodyOf: (fields) => filledIn(fields, kind.template) },
      schema: withHelp(schemaOf(op, title), type, kind.template),
      explain: (schema) => withHelp(schema, type, kind.template),
      check: (fields) => {
        const checked = checkBody(op, params, filledIn(fields, kind.template));
        return checked.ok ? ok(fields) : checked;
      },
      send: create,
    },
  };
}

/** Creates a read-only document for a new object whose id is not known: saving it again would create a second object. */
function createdUnseen(
  type: CreatableType,
  { title, path, fields }: { readonly title: string; readonly path: string; readonly fields: Fields },
): AdminDocument {
  const readonlyReason = `The ${typeLabels[type]} was created, but the platform did not return its id. Close this document, refresh the list and open it from there.`;
  return { title, path, read: () => Promise.resolve(fields), readonlyReason };
}

/** Removes the blanks of the template: the platform refuses empty text in optional fields. */
function filledIn(fields: Fields, template: Fields): Fields {
  const needed = new Set(['name', 'email']);
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      const isBlank = value === '' || value === null || (Array.isArray(value) && value.length === 0);
      return needed.has(name) || !isBlank || !isEqual(value, template[name]);
    }),
  );
}

function nameOf(fields: Fields): string {
  const name = fields['name'] ?? fields['email'];
  return typeof name === 'string' ? name : '';
}

/**
 * Returns the row of an object after it was saved. Users cannot be read, so their row combines what was sent with the response.
 */
function afterSaving(type: EditableType, row: AdminRow, sent: Fields, answer: Fields): AdminRow {
  const name = nameOf(sent) === '' ? row.name : nameOf(sent);
  return type === 'user' ? { ...row, name, fields: { ...sent, ...answer } } : { ...row, name };
}

/** Converts a user, from SCIM or from the response to a change, to the fields of a document. */
function userFields(fields: Fields): Fields {
  const scim = fields as Partial<ScimUser>;
  if (scim.emails === undefined && scim.userName === undefined) return editable(fields);
  const name = (fields['name'] ?? {}) as { readonly givenName?: unknown; readonly familyName?: unknown };
  return editable({ email: emailOf(scim), firstName: name.givenName, lastName: name.familyName });
}

function schemaOf(op: Operation, title: string): DocumentEdit['schema'] {
  return op.body ? bodySchema(title, op.body) : {};
}
