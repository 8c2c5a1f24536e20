import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Client } from '#api/client/client.ts';
import { fieldChanges, mergedFields } from '#features/administration/changes.ts';
import type { AdminDocument } from '#features/administration/document.ts';
import { type EditableType, newDocument, objectDocument } from '#features/administration/object-documents.ts';
import type { AdminRow, Fields } from '#features/administration/rows.ts';
import {
  newNotificationDocument,
  notificationDocument,
  reportDocument,
  workbookDocument,
} from '#features/workspace/item-documents.ts';
import { ClientUnderTest, json } from '#support/api/client-under-test.ts';

/** A platform that serves one object, and what was sent to it. */
function platformWith(answer: (request: Request) => unknown): { readonly client: Client; readonly bodies: unknown[] } {
  const bodies: unknown[] = [];
  const { client } = new ClientUnderTest(async (request) => {
    if (request.method === 'GET') return json(answer(request));
    bodies.push(await request.json());
    return new Response('OK', { headers: { 'content-type': 'text/plain' } });
  });
  return { client, bodies };
}

const row = (type: EditableType): AdminRow => ({ type, id: '7', name: 'x', detail: '', tenant: 'north', fields: {} });
const place = (client: Client) => ({ client, deploymentId: '1' });
const id = '7';

/** Documents of which only the changed fields are sent, and how the platform serves their object. */
const partial: readonly (readonly [string, (client: Client) => AdminDocument, (object: Fields) => unknown])[] = [
  ['a user attribute', (client) => objectDocument(client, 'attribute', row('attribute')), (one) => [{ ...one, id: 7 }]],
  ['tenant settings', (client) => objectDocument(client, 'tenantSettings', row('tenantSettings')), (one) => one],
  [
    'an OAuth integration',
    (client) => objectDocument(client, 'oauthIntegration', row('oauthIntegration')),
    (one) => ({ ...one, id: 7 }),
  ],
  [
    'an OIDC configuration',
    (client) => objectDocument(client, 'oidcConfig', row('oidcConfig')),
    (one) => ({ data: { ...one, id } }),
  ],
  [
    'a group of an embed tenant',
    (client) => objectDocument(client, 'embedGroup', row('embedGroup')),
    (one) => ({ ...one, id }),
  ],
  [
    'a notification',
    (client) => notificationDocument(place(client), id),
    (one) => ({ data: [{ id: 6 }, { ...one, id: 7 }] }),
  ],
];

const whole: readonly (readonly [string, (client: Client) => AdminDocument, (object: Fields) => unknown])[] = [
  [
    'a report',
    (client) => reportDocument(place(client), id, 'x'),
    (one) => ({ items: [{ ...one, publicId: id }], pageInfo: {} }),
  ],
  [
    'a workbook',
    (client) => workbookDocument(place(client), id, 'x'),
    (one) => ({ items: [{ ...one, slug: id }], pageInfo: {} }),
  ],
];

/** What a platform may serve: fields that nobody documented, values of other types, nulls and masks. */
const served = fc.dictionary(
  fc.oneof(
    fc.string(),
    fc.constantFrom('name', 'type', 'recipients', 'clientSecret', 'scopes', 'theme', 'constructor'),
  ),
  fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', '••••••', [{ odd: 1 }, 2], { nested: { unknown: true } })),
  { noNullPrototype: true },
);
/** Names that stand for an envelope or for what the platform sets itself. */
const isPlain = (object: Fields): boolean =>
  ![
    'data',
    'id',
    'createdAt',
    'updatedAt',
    'status',
    'items',
    'rows',
    'dashboardId',
    'dashboardPublicId',
    'next',
    '__proto__',
  ].some((name) => Object.hasOwn(object, name));
const objects = served.filter(isPlain);

describe('a document of which only changes are sent', () => {
  it.each(partial)(
    '%s: shows what is served, sends nothing without an edit, and one field with one edit',
    async (_, open, wrap) => {
      await fc.assert(
        fc.asyncProperty(objects, async (object) => {
          const { client, bodies } = platformWith(() => wrap(object));
          const document = open(client);
          const shown = await document.read();
          expect(shown).toEqual(JSON.parse(JSON.stringify(object)));
          expect(fieldChanges(shown, await document.read())).toEqual([]);
          const edited = { ...shown, description: 'Edited' };
          expect(document.edit?.check(edited, shown).ok).toBe(true);
          await document.edit?.send(edited, shown);
          expect(bodies).toEqual([shown['description'] === 'Edited' ? {} : { description: 'Edited' }]);
        }),
        { numRuns: 60 },
      );
    },
  );

  it('clears a field that was taken out, and leaves an unread secret alone', async () => {
    const integration = { id: 7, name: 'Sheets', clientSecret: null, provider: 'x' };
    const { client, bodies } = platformWith(() => integration);
    const document = objectDocument(client, 'oauthIntegration', row('oauthIntegration'));
    const shown = await document.read();
    const { provider: _, ...rest } = shown;
    await document.edit?.send({ ...rest, name: 'Tables' }, shown);
    expect(bodies).toEqual([{ name: 'Tables', provider: null }]);
  });

  it('does not refuse a value that the platform itself served', async () => {
    const { client } = platformWith(() => [{ id: 7, name: '', type: 'geography', defaultValue: { any: 1 } }]);
    const document = objectDocument(client, 'attribute', row('attribute'));
    const shown = await document.read();
    expect(document.edit?.check({ ...shown, description: 'Where' }, shown).ok).toBe(true);
    expect(document.edit?.check({ ...shown, name: 5 }, shown).ok).toBe(false);
  });
});

describe('a document that is created or updated whole', () => {
  it.each(whole)('%s: goes back as it was served', async (_, open, wrap) => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ folderId: fc.jsonValue(), later: fc.jsonValue() }, { requiredKeys: [] }),
        async (object) => {
          const { client, bodies } = platformWith(() => wrap({ name: 'x', ...object }));
          const document = open(client);
          const shown = await document.read();
          await document.edit?.send({ ...shown, name: 'Renamed' }, shown);
          expect(bodies).toEqual([JSON.parse(JSON.stringify({ ...shown, name: 'Renamed' }))]);
          // A folder that was not served must not be sent: null would move the item.
          expect('folderId' in shown).toBe('folderId' in object);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('an edited document laid over what the platform has now', () => {
  it('changes exactly what the user changed, whatever others changed meanwhile', () => {
    fc.assert(
      fc.property(objects, objects, objects, (shown, edited, now) => {
        const changed = new Set(fieldChanges(shown, edited).map(({ field }) => field));
        const { fields, contested } = mergedFields(shown, edited, now);
        for (const field of new Set([...Object.keys(shown), ...Object.keys(edited), ...Object.keys(now)])) {
          const from = changed.has(field) ? edited : now;
          expect(Object.hasOwn(fields, field)).toBe(Object.hasOwn(from, field));
          expect(fields[field]).toEqual(from[field]);
        }
        expect(contested.every((field) => changed.has(field))).toBe(true);
      }),
    );
  });

  it('names a field that both sides changed to different values', () => {
    const shown = { name: 'a', note: 'n' };
    expect(mergedFields(shown, { name: 'b', note: 'n' }, { name: 'c', note: 'm' }).contested).toEqual(['name']);
    expect(mergedFields(shown, { name: 'b', note: 'n' }, { name: 'b', note: 'm' }).contested).toEqual([]);
  });
});

describe('a creation that is answered without an id', () => {
  const noted = { onCreated: () => Promise.resolve() };

  it('finds the new object by its name', async () => {
    const { client } = platformWith(() => [
      { id: 1, name: 'other', type: 'string' },
      { id: 2, name: 'region', type: 'string' },
    ]);
    const made = await newDocument(client, 'attribute', 1, noted).edit?.send({ name: 'region', type: 'string' }, {});
    expect(await made?.read()).toEqual({ name: 'region', type: 'string' });
    expect(made?.edit?.isNew).toBe(false);
  });

  it('is not offered for saving again where the object cannot be distinguished from others', async () => {
    const { client } = platformWith(() => [
      { id: 1, name: 'Mail' },
      { id: 2, name: 'Mail' },
    ]);
    const made = await newDocument(client, 'oauthIntegration', 1, noted).edit?.send({ name: 'Mail' }, {});
    expect(made?.edit).toBeUndefined();
    expect(made?.readonlyReason).toContain('was created');
  });

  it('finds a notification that was not there before', async () => {
    let asked = 0;
    const { client } = platformWith(() => [{ id: 1 }, ...((asked += 1) > 1 ? [{ id: 2, name: 'Mine' }] : [])]);
    const made = await newNotificationDocument(place(client), 1).edit?.send(
      { name: 'Mine', dashboardPublicId: 'd' },
      {},
    );
    expect(made?.title).toBe('notification 2');
  });
});
