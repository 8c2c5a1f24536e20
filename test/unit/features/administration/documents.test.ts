import { describe, expect, it } from 'vitest';
import { listOauthIntegrations } from '#api/resources/oauth.ts';
import { listScimUsers } from '#api/resources/scim.ts';
import { getTenantSettings } from '#api/resources/tenant.ts';
import { listUserAttributes, listUserAttributeValues } from '#api/resources/user-attributes.ts';
import { checkValues, valuesDocument } from '#features/administration/attribute-values.ts';
import type { AdminDocument } from '#features/administration/document.ts';
import { newDocument, objectDocument } from '#features/administration/object-documents.ts';
import { documentOf, scimDocument } from '#features/administration/open-document.ts';
import { AdminData } from '#features/administration/admin-data.ts';
import type { AdminRow, Fields, TopList } from '#features/administration/rows.ts';
import { adminError } from '#features/administration/admin-error.ts';
import { demo } from '#platform/seed/names.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';

async function rowOf(desk: Desk, list: TopList, name: string): Promise<AdminRow> {
  const admin = new AdminData({ data: { client: () => desk.client }, state: new MemoryState() });
  const rows = admin.of(desk.account.id, { list });
  await rows.ensure();
  const row = rows.state.value.value?.items.find((each) => each.name === name);
  if (!row) throw new Error(`no ${name}`);
  return row;
}

/** Checks and sends as a save does. */
async function save(document: AdminDocument, change: (before: Fields) => Fields): Promise<AdminDocument> {
  const before = await document.read();
  const checked = document.edit?.check(change(before), document.edit.isNew ? {} : before);
  if (!document.edit || !checked) throw new Error('read-only');
  if (!checked.ok) throw new Error(`${checked.error.field}: ${checked.error.message}`);
  return document.edit.send(checked.value, document.edit.isNew ? {} : before);
}

const problemOf = (document: AdminDocument, fields: Fields): unknown => {
  const checked = document.edit?.check(fields, {});
  return checked?.ok === false ? checked.error : undefined;
};

const noted = { onCreated: () => Promise.resolve() };

describe('documents of the Administration view', () => {
  it('makes a user, then changes the one it made', async () => {
    const desk = await openDesk();
    const made = await save(newDocument(desk.client, 'user', 1, noted), (template) => ({
      ...template,
      email: 'new@shop.example',
      groups: ['analysts'],
    }));
    expect(await made.read()).toMatchObject({ email: 'new@shop.example', groups: ['analysts'] });
    expect(await made.read()).not.toHaveProperty('id');
    await save(made, (before) => ({ ...before, firstName: 'Nora' }));
    const { Resources } = await desk.client.call(listScimUsers, {});
    expect(Resources.filter(({ userName }) => userName === 'new@shop.example')).toMatchObject([
      { displayName: 'Nora' },
    ]);
  });

  it('opens a user of the list with what SCIM knows', async () => {
    const desk = await openDesk();
    const row = await rowOf(desk, 'users', demo.analyst);
    expect(await documentOf(desk.client, row).read()).toEqual({ email: demo.analyst });
    const named = { ...row, fields: { ...row.fields, name: { givenName: 'Linus', familyName: 'T' } } };
    expect(await objectDocument(desk.client, 'user', named).read()).toMatchObject({
      firstName: 'Linus',
      lastName: 'T',
    });
    expect(scimDocument(row).edit).toBeUndefined();
  });

  it.each([
    ['user', { email: 'nobody' }, 'email', 'must be an e-mail address'],
    ['user', { email: 'a@b.example', groups: ['x', ''] }, 'groups.1', 'must not be empty'],
    ['attribute', { name: 'x', type: 'date' }, 'type', 'must be one of string'],
    ['attribute', { type: 'string' }, 'name', 'is missing'],
    ['oauthIntegration', { name: 'x', scopes: 'all' }, 'scopes', 'is not a list'],
    ['oidcConfig', { name: 'x', enabled: 'yes' }, 'enabled', 'is not true or false'],
    ['embedGroup', { name: '' }, 'name', 'must not be empty'],
  ] as const)('names the field that is wrong in a new %s: %j', async (type, fields, field, words) => {
    const desk = await openDesk();
    const document = newDocument(desk.client, type, 1, {
      ...noted,
      tenant: type === 'embedGroup' ? 'north' : undefined,
    });
    expect(problemOf(document, fields)).toEqual({ field, message: expect.stringContaining(words) as unknown });
  });

  it.each(["o'brien@shop.example", 'ada+test@shop.example', 'müller@münchen.example', 'ada@intranet', 'a.b@x.co.uk'])(
    'creates a user whose address is %s',
    async (email) => {
      const desk = await openDesk();
      const document = newDocument(desk.client, 'user', 1, noted);
      expect(problemOf(document, { email })).toBeUndefined();
      await save(document, (template) => ({ ...template, email }));
      expect(await rowOf(desk, 'users', email)).toMatchObject({ name: email });
    },
  );

  it('does not send what a new document left blank', async () => {
    const desk = await openDesk();
    await save(newDocument(desk.client, 'oauthIntegration', 1, noted), (template) => ({ ...template, name: 'Mail' }));
    const { data } = await desk.client.call(listOauthIntegrations, {});
    expect(data.find(({ name }) => name === 'Mail')).not.toHaveProperty('provider');
  });

  it('writes an integration’s secret and never shows it again', async () => {
    const desk = await openDesk();
    const row = await rowOf(desk, 'oauthIntegrations', 'Spreadsheets');
    const after = await save(documentOf(desk.client, row), (before) => ({
      ...before,
      clientSecret: 's3',
      clientId: 'c2',
    }));
    expect(await after.read()).toMatchObject({ clientId: 'c2', name: 'Spreadsheets' });
    expect(await after.read()).not.toHaveProperty('clientSecret');
  });

  it('changes attributes, OIDC configurations, groups and the tenant’s settings', async () => {
    const desk = await openDesk();
    const attribute = await rowOf(desk, 'attributes', 'regions');
    await save(documentOf(desk.client, attribute), (before) => ({ ...before, description: 'Where they work' }));
    const { data } = await desk.client.call(listUserAttributes, {});
    expect(data.find(({ name }) => name === 'regions')?.description).toBe('Where they work');

    const oidc = documentOf(desk.client, await rowOf(desk, 'oidcConfigs', 'Warehouse'));
    expect(await (await save(oidc, (before) => ({ ...before, enabled: false }))).read()).toMatchObject({
      enabled: false,
    });

    const settings = documentOf(desk.client, await rowOf(desk, 'settings', 'Tenant Settings'));
    await save(settings, (before) => ({ ...before, supportAccess: true }));
    expect(await desk.client.call(getTenantSettings, {})).toMatchObject({ supportAccess: true });

    const ids: string[] = [];
    const tenant = 'north-stores';
    const onCreated = (row: AdminRow): Promise<void> => Promise.resolve(void ids.push(row.id));
    const group = await save(newDocument(desk.client, 'embedGroup', 1, { tenant, onCreated }), () => ({
      name: 'till',
    }));
    expect(ids).toHaveLength(1);
    await save(group, (before) => ({ ...before, name: 'tills' }));
    expect(await group.read()).toEqual({ name: 'tills' });
  });

  it('shows tokens and the application configuration, not to be edited', async () => {
    const desk = await openDesk();
    const token = documentOf(desk.client, await rowOf(desk, 'oauthTokens', 'Spreadsheets'));
    expect(await token.read()).toMatchObject({ status: 'active' });
    expect(token.edit).toBeUndefined();
    const config = documentOf(desk.client, await rowOf(desk, 'settings', 'Application Configuration'));
    expect(await config.read()).toHaveProperty('creatorMode');
  });

  it('describes a document by the rules of its operation', async () => {
    const desk = await openDesk();
    const schema = newDocument(desk.client, 'attribute', 1, noted).edit?.schema;
    expect(schema).toMatchObject({
      properties: { $schema: {}, type: { enum: ['string', 'number', 'boolean', 'string_array', 'number_array'] } },
      required: ['name', 'type'],
    });
  });

  it('says “No permission” when a key without administration saves', async () => {
    const desk = await openDesk({ key: demo.keys.colleague });
    const sent = save(newDocument(desk.client, 'user', 1, noted), () => ({ email: 'x@shop.example' }));
    const error = await sent.then(
      () => undefined,
      (thrown: unknown) => adminError(thrown, 'save users'),
    );
    expect(error?.message).toMatch(
      /^No permission: the key of this account may not save users \(“.+”\)\. Ask an administrator/,
    );
  });
});

describe('attribute values of a user', () => {
  it('sets, changes and removes values of all five types', async () => {
    const desk = await openDesk();
    const user = await rowOf(desk, 'users', demo.analyst);
    const values = { discount_limit: 20, can_see_margin: false, regions: ['East'], store_ids: [3] };
    const first = await save(await valuesDocument(desk.client, user), () => values);
    expect(await first.read()).toEqual(values);
    await save(first, ({ discount_limit, can_see_margin }) => ({ discount_limit, can_see_margin, store_ids: null }));
    const { data } = await desk.client.call(listUserAttributeValues, { params: { userId: user.id } });
    expect(data.map(({ name }) => name)).toEqual(['can_see_margin', 'discount_limit']);
  });

  const attributes = ['string', 'number', 'boolean', 'string_array', 'number_array'].map((type) => ({
    id: type,
    name: type,
    type,
  }));
  it.each([
    ['string', 1, 'text'],
    ['number', '1', 'a number'],
    ['boolean', 'true', 'true or false'],
    ['string_array', ['a', 1], 'a list of strings'],
    ['number_array', 1, 'a list of numbers'],
    ['unknown', 1, 'not a user attribute'],
  ])('refuses a wrong value of %s before anything is sent', (name, value, words) => {
    const checked = checkValues({ [name]: value }, attributes);
    expect(checked).toEqual({ ok: false, error: { field: name, message: expect.stringContaining(words) as unknown } });
    expect(checkValues({ [name]: null }, attributes).ok).toBe(name !== 'unknown');
  });

  it('says once that all values were refused', async () => {
    const desk = await openDesk({ key: demo.keys.colleague });
    const user: AdminRow = { type: 'user', id: '1', name: 'ada', detail: '', fields: {} };
    const sent = save(await valuesDocument(desk.client, user), () => ({ discount_limit: 1, can_see_margin: false }));
    await expect(sent).rejects.toThrow(/^0 of \d values were set\. .*No permission/);
  });
});
