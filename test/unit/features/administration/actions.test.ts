import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addEmbedTenantGroupUsers, listEmbedTenantGroupUsers, listEmbedTenants } from '#api/resources/embed.ts';
import { listOidcTokenConfigs } from '#api/resources/oidc.ts';
import { listScimUsers } from '#api/resources/scim.ts';
import { actOnUsers, deletable, deleteRows, removeMembers } from '#features/administration/bulk-actions.ts';
import { changeLines } from '#features/administration/change-lines.ts';
import { fieldChanges } from '#features/administration/changes.ts';
import { fieldRange } from '#shell/json-text.ts';
import { embedUser, user } from '#features/administration/read-rows.ts';
import { type AdminRow, rowTypes } from '#features/administration/rows.ts';
import { demo } from '#platform/seed/names.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { json } from '#support/language/raw.ts';

async function users(desk: Desk): Promise<ReadonlyMap<string, AdminRow>> {
  const { Resources } = await desk.client.call(listScimUsers, {});
  return new Map(Resources.map((each) => [each.userName ?? '', user(each)]));
}

const row = (type: AdminRow['type'], id: string, tenant?: string): AdminRow => ({
  type,
  id,
  name: id,
  detail: '',
  tenant,
  fields: {},
});

describe('bulk actions on users', () => {
  it('deactivates and activates, and reports failures per user', async () => {
    const desk = await openDesk();
    const before = [...(await users(desk)).values()];
    const outcome = await actOnUsers(desk.client, 'DEACTIVATE', before);
    // Users cannot deactivate themselves.
    expect(outcome.failed).toMatchObject([
      { row: { name: demo.owner }, error: expect.stringContaining('yourself') as unknown },
    ]);
    expect(outcome.done).toHaveLength(before.length - 1);
    const after = await users(desk);
    expect(after.get(demo.analyst)?.active).toBe(false);
    await actOnUsers(desk.client, 'ACTIVATE', outcome.done);
    expect((await users(desk)).get(demo.analyst)?.active).toBe(true);
  });

  it('deletes many in one request and one on its own', async () => {
    const desk = await openDesk();
    const known = await users(desk);
    const gone = row('user', '4711');
    const outcome = await deleteRows(desk.client, [known.get(demo.analyst) ?? gone, gone]);
    expect(outcome.failed).toEqual([{ row: gone, error: 'There is no user 4711.' }]);
    const alone = await deleteRows(desk.client, [known.get(demo.owner) ?? gone]);
    expect(alone.failed[0]?.error).toContain('yourself');
    expect([...(await users(desk)).keys()]).not.toContain(demo.analyst);
  });

  it('takes a user for done whom a list of failures leaves out', async () => {
    const client = {
      call: () => Promise.resolve({ results: [{ ok: false, id: '2', error: 'Last administrator.' }] }),
    };
    const outcome = await actOnUsers(client as never, 'DELETE', [row('user', '1'), row('user', '2'), row('user', '3')]);
    expect(outcome.done.map(({ id }) => id)).toEqual(['1', '3']);
    expect(outcome.failed.map(({ error }) => error)).toEqual(['Last administrator.']);
  });

  it('does not count a user as done whom a list of results leaves out', async () => {
    const client = { call: () => Promise.resolve({ results: [{ id: '1', ok: true }] }) };
    const outcome = await actOnUsers(client as never, 'DELETE', [row('user', '1'), row('user', '2')]);
    expect(outcome.failed.map(({ row: each }) => each.id)).toEqual(['2']);
  });

  it('says “No permission” for a key without administration', async () => {
    const desk = await openDesk({ key: demo.keys.colleague });
    await expect(actOnUsers(desk.client, 'DELETE', [row('user', '1')])).rejects.toThrow(
      /^No permission: .*delete users/,
    );
    const { failed } = await deleteRows(desk.client, [row('oidcConfig', '1'), row('embedTenant', 'wholesale')]);
    expect(failed.map(({ error }) => error)).toEqual([
      expect.stringMatching(/^No permission: .*OIDC/),
      expect.stringMatching(/^No permission: .*embed tenant/),
    ]);
  });
});

describe('deleting', () => {
  it('deletes every type that can be deleted, and continues after a failure', async () => {
    const desk = await openDesk();
    const { failed } = await deleteRows(desk.client, [
      row('oidcConfig', '4711'),
      row('oidcConfig', '1'),
      row('oauthToken', '1'),
      row('oauthIntegration', '1'),
      row('embedGroup', '1', 'north-stores'),
      row('embedTenant', 'wholesale'),
    ]);
    expect(failed.map(({ row: each }) => each.id)).toEqual(['4711']);
    expect((await desk.client.call(listOidcTokenConfigs, {})).data).toEqual([]);
    expect((await desk.client.call(listEmbedTenants, {})).data.map(({ name }) => name)).toEqual(['north-stores']);
  });

  it('says of the other types that there is no way', async () => {
    const desk = await openDesk();
    const others = rowTypes.filter((type) => !deletable.has(type)).map((type) => row(type, '1'));
    const { failed, done } = await deleteRows(desk.client, others);
    expect(done).toEqual([]);
    expect(failed.every(({ error }) => error.startsWith('The platform has no way'))).toBe(true);
  });

  it('takes members out of a group', async () => {
    const desk = await openDesk();
    const params = { embedTenantName: 'north-stores', id: '1' };
    await desk.client.call(addEmbedTenantGroupUsers, { params, body: { userIds: ['2'] } });
    const { data } = await desk.client.call(listEmbedTenantGroupUsers, { params });
    const members = data.map((each) => embedUser(each, 'north-stores'));
    await removeMembers(desk.client, { tenant: 'north-stores', groupId: '1' }, members.slice(0, 1));
    expect((await desk.client.call(listEmbedTenantGroupUsers, { params })).data).toHaveLength(1);
  });
});

describe('what a save would change', () => {
  it('lists fields that are added, changed and removed', () => {
    const changes = fieldChanges({ a: 1, b: [1], c: 'x' }, { a: 1, b: [2], d: true });
    expect(changeLines(changes, {})).toEqual(['B: [1] → [2]', '+ D: Yes', '− C (was "x")']);
  });

  it('has the labels and values of the form, also inside of objects and lists', () => {
    const schema = {
      properties: {
        region: { title: 'Home region' },
        recipients: { items: { properties: { userId: { title: 'Person' } } } },
      },
    };
    const changes = fieldChanges(
      { isEnabled: true, region: null },
      { isEnabled: false, region: 'EU', recipients: [{ userId: 7 }], firstName: 'Lin' },
    );
    expect(changeLines(changes, schema)).toEqual([
      'Enabled: Yes → No',
      'Home region: Not set → "EU"',
      '+ Recipients: [{ Person: 7 }]',
      '+ First name: "Lin"',
    ]);
  });

  it('shows no secret', () => {
    const words = changeLines(fieldChanges({ clientSecret: 'old' }, { clientSecret: 'new' }), {}).join('\n');
    expect(words).toContain('Client secret');
    expect(words).not.toMatch(/old|new/);
  });

  it.each<[string, unknown]>([
    ['apiKey', 'hush'],
    ['private_key', '-----BEGIN hush'],
    ['settings', { oauth: { clientSecret: 'hush' } }],
    ['channels', [{ webhook: { access_token: 'hush' } }, { kind: 'mail' }]],
    [
      'values',
      [
        { name: 'REGION', value: 'eu' },
        { name: 'DB_PASSWORD', value: 'hush' },
      ],
    ],
    ['values', [{ name: 'REGION', value: 'hush', isSecret: true }]],
    ['credentials', { user: 'hush', host: 'hush' }],
  ])('shows no secret inside of %s: %j', (field, value) => {
    const changes = [
      ...fieldChanges({}, { [field]: value }),
      ...fieldChanges({ [field]: value }, {}),
      ...fieldChanges({ [field]: 1 }, { [field]: value }),
    ];
    const words = changeLines(changes, {});
    expect(words.join('\n')).toContain('•••');
    expect(words.join('\n')).not.toContain('hush');
  });

  it('shows whether a secret is there, and what only sounds like one', () => {
    const changes = fieldChanges({ secret: null }, { secret: null, passwordLogin: true, tokenExpiry: 60 });
    expect(changeLines(changes, {})).toEqual(['+ Password login: Yes', '+ Token expiry: 60']);
  });
});

describe('the place of a field in a document', () => {
  const text = json`
    {
      // "email" is first
      "email": "a@b",
      "groups": ["x", ["email"], {"email": 1}],
      "email2": {}
    }
  `;
  const at = (...path: readonly string[]): string => {
    const { start, end } = fieldRange(text, path);
    return text.slice(start, end);
  };

  it('is its name, an item, or the nearest part around it', () => {
    expect(at('email')).toBe('"email"');
    expect(fieldRange(text, ['email']).start).toBe(text.indexOf('"email": "a@b"'));
    expect(at('groups', '0')).toBe('"x"');
    expect(fieldRange(text, ['groups', '2', 'email']).start).toBe(text.indexOf('"email": 1'));
    expect(at('groups', '7')).toBe('"groups"');
    expect(at('nothing')).toBe('{');
  });

  it('is found for every key of every object, and inside the text whatever it is', () => {
    const key = fc.string({ minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.dictionary(key, fc.dictionary(key, fc.jsonValue())), (value) => {
        const json = JSON.stringify(value, undefined, 2);
        for (const [outer, inner] of Object.entries(value)) {
          for (const name of Object.keys(inner)) {
            const { start, end } = fieldRange(json, [outer, name]);
            expect(JSON.parse(json.slice(start, end))).toBe(name);
          }
        }
      }),
    );
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (any, path) => {
        const { start, end } = fieldRange(any, path);
        expect(start >= 0 && start <= end && end <= any.length).toBe(true);
      }),
    );
  });
});
