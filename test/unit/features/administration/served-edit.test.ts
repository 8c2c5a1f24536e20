import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getApiDescription } from '#api/resources/tenant.ts';
import type { AdminDocument, DocumentEdit } from '#features/administration/document.ts';
import { newDocument, objectDocument } from '#features/administration/object-documents.ts';
import type { AdminRow } from '#features/administration/rows.ts';
import { bodyProblem } from '#features/administration/body-problem.ts';
import { servedEdit } from '#features/administration/served-edit.ts';
import { newNotificationDocument, reportDocument } from '#features/workspace/item-documents.ts';
import { ClientUnderTest, json } from '#support/api/client-under-test.ts';
import { openDesk } from '#support/features.ts';

const noted = { onCreated: () => Promise.resolve() };
const row: AdminRow = { type: 'attribute', id: '7', name: 'x', detail: '', fields: {} };

/** A server that describes the body of changing a user attribute with this schema. */
const describing = (schema: object): Record<string, unknown> => ({
  paths: {
    '/api/v1/user-attributes/{attribute_id}': {
      put: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Attribute' } } } } },
    },
  },
  components: { schemas: { Attribute: schema } },
});

function attribute(schema: object): { readonly edit: DocumentEdit; readonly bodies: unknown[] } {
  const bodies: unknown[] = [];
  const { client } = new ClientUnderTest(async (request) => {
    if (request.method === 'PUT') bodies.push(await request.json());
    return json([{ id: 7, name: 'x', type: 'geography' }]);
  });
  const { edit } = objectDocument(client, 'attribute', row);
  if (!edit) throw new Error('read-only');
  return { edit: servedEdit(edit, 'Attribute', describing(schema)), bodies };
}

const newer = {
  type: 'object',
  properties: { name: { type: 'string' }, type: { enum: ['string', 'geography'] }, unit: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
};

describe('a document that the server describes', () => {
  const before = { name: 'x', type: 'string' };

  it('has the server’s schema in the editor', () => {
    const { schema } = attribute(newer).edit;
    expect(schema['properties']).toMatchObject({ $schema: {}, unit: { type: 'string' } });
    expect(schema['components']).toHaveProperty('schemas.Attribute');
  });

  it('takes values and fields that only the server knows, and refuses what it does not', () => {
    const { edit } = attribute(newer);
    expect(edit.check({ ...before, type: 'geography', unit: 'km' }, before)).toMatchObject({ ok: true });
    expect(edit.check({ ...before, type: 'date' }, before)).toEqual({
      ok: false,
      error: { field: 'type', message: 'type: must be one of string, geography. Nothing was sent.' },
    });
    expect(edit.check({ ...before, colour: 1 }, before)).toMatchObject({ ok: false, error: { field: 'colour' } });
  });

  it('does not judge what the platform served and was not changed', () => {
    const odd = { name: 5, type: 'moon', later: true };
    expect(attribute(newer).edit.check({ ...odd, unit: 'km' }, odd).ok).toBe(true);
  });

  it('sends a field that the server always needs along, as it was read', async () => {
    const { edit, bodies } = attribute(newer);
    await edit.send({ ...before, unit: 'km' }, before);
    expect(bodies).toEqual([{ name: 'x', unit: 'km' }]);
  });

  it.each([[undefined], [{}], [{ paths: [] }], [describing({ $ref: '#/nowhere' })]])(
    'follows our own rules, or none, where the description is %j',
    (description) => {
      const { client } = new ClientUnderTest(() => json([]));
      const { edit } = objectDocument(client, 'attribute', row);
      const own = edit && servedEdit(edit, 'Attribute', description);
      expect(own?.check({ ...before, note: 'n' }, before).ok).toBe(true);
    },
  );

  it('keeps the documented rule that no schema says', () => {
    const { client } = new ClientUnderTest(() => json([]));
    const { edit } = newNotificationDocument({ client, deploymentId: '1' }, 1);
    const description = {
      paths: {
        '/api/v1/deployments/{d}/notifications': {
          post: { requestBody: { content: { 'application/json': { schema: { type: 'object', properties: {} } } } } },
        },
      },
    };
    const served = edit && servedEdit(edit, 'Notification', description);
    expect(served?.check({ name: 'x' }, {})).toMatchObject({ ok: false, error: { field: 'dashboardId' } });
    expect(served?.check({ dashboardId: 1 }, {})).toMatchObject({ ok: true });
  });
});

describe('documents on the local platform, by its own description', () => {
  const problem = (document: AdminDocument, description: Record<string, unknown>, fields: object): unknown => {
    const edit = document.edit && servedEdit(document.edit, document.title, description);
    const checked = edit?.check(fields as Record<string, unknown>, {});
    return checked?.ok === false ? checked.error : undefined;
  };

  it('name the field that is wrong, in the same words as without one', async () => {
    const { client } = await openDesk();
    const description = await client.call(getApiDescription, {});
    const made = (type: 'user' | 'attribute' | 'oauthIntegration') => newDocument(client, type, 1, noted);
    const words = (text: string): unknown => expect.stringContaining(text);
    expect(problem(made('user'), description, { email: 'nobody' })).toEqual({
      field: 'email',
      message: words('must be an e-mail address'),
    });
    expect(problem(made('user'), description, { email: 'a@b.example', groups: ['x', ''] })).toEqual({
      field: 'groups.1',
      message: words('must not be empty'),
    });
    expect(problem(made('attribute'), description, { name: 'x', type: 'date' })).toEqual({
      field: 'type',
      message: words('must be one of string, number'),
    });
    expect(problem(made('attribute'), description, { type: 'string' })).toEqual({
      field: 'name',
      message: words('is missing'),
    });
    expect(problem(made('oauthIntegration'), description, { name: 'x', scopes: 'all' })).toEqual({
      field: 'scopes',
      message: words('must be a list'),
    });
    const report = reportDocument({ client, deploymentId: '1' }, 'r', undefined);
    expect(problem(report, description, { name: '' })).toEqual({ field: 'name', message: words('must not be empty') });
  });
});

describe('a body that is checked by a served schema', () => {
  it('takes what any of several kinds allows', () => {
    const schema = { properties: { at: { anyOf: [{ type: 'string' }, { type: 'null' }, { $ref: '#/nowhere' }] } } };
    expect(bodyProblem(schema, { at: null }, false)).toBeUndefined();
    const two = { properties: { at: { oneOf: [{ type: 'string' }, { type: 'null' }] } } };
    expect(bodyProblem(two, { at: 5 }, false)).toEqual({
      field: 'at',
      message: 'does not match the server’s API description',
    });
  });

  it('ends soon where a tenant’s schema doubles at each step, and refuses nothing then', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => {
        const next = { $ref: `#/components/schemas/S${at + 1}` };
        return [`S${at}`, { anyOf: [next, next] }];
      }),
    );
    const schema = { allOf: [{ $ref: '#/components/schemas/S0' }], components: { schemas } };
    expect(bodyProblem(schema, { name: 'x' }, false)).toBeUndefined();
  });

  it('follows no pattern, because a tenant could choose one that never ends', () => {
    const schema = { properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
    expect(bodyProblem(schema, { name: `${'a'.repeat(40)}!` }, false)).toBeUndefined();
  });

  it('never makes the check fail, whatever the schema and the body hold', () => {
    const anything = fc.dictionary(fc.string(), fc.jsonValue());
    const keyword = fc.constantFrom(
      'type',
      'enum',
      'properties',
      '$ref',
      'items',
      'required',
      'anyOf',
      'pattern',
      'minLength',
    );
    fc.assert(
      fc.property(fc.dictionary(keyword, fc.jsonValue()), anything, (schema, body) => {
        const found = bodyProblem(schema, body, false);
        expect(found === undefined || found.message.length > 0).toBe(true);
      }),
    );
  });
});
