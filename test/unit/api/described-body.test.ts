import { describe, expect, it } from 'vitest';
import { bodyProperties, describedBody } from '#api/description/described-body.ts';
import { addEmbedTenantGroupUsers, removeEmbedTenantGroupUsers, setDashboardEmbedding } from '#api/resources/embed.ts';
import { followedBody, followingClient } from '#api/description/followed-body.ts';
import type { Operation } from '#api/operation.ts';
import { bulkUsers, updateUser } from '#api/resources/users.ts';
import { setEmbedAccess } from '#api/resources/workbooks.ts';
import { samples } from '#support/api/samples.ts';
import { ClientUnderTest, json } from '#support/api/client-under-test.ts';

const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
});

/** A description of one operation with this schema of its body. */
const describing = (op: Operation, schema: object, components: object = {}): Record<string, unknown> => ({
  openapi: '3.1.0',
  paths: {
    [op.path.replaceAll(/\{(\w)\w*\}/g, '{$1_id}').replace(/\/$/, '')]: {
      [op.method.toLowerCase()]: { requestBody: { content: { 'application/json': { schema } } } },
    },
  },
  components,
});

describe('the body that a served description gives an operation', () => {
  it('is found by method and path, with what it refers to and nothing else', () => {
    const components = { schemas: { User: object({ email: text }), Other: text } };
    const schema = describedBody(describing(updateUser, { $ref: '#/components/schemas/User' }, components), updateUser);
    expect(schema).toEqual({
      $ref: '#/components/schemas/User',
      components: { schemas: { User: object({ email: text }) } },
    });
    expect(bodyProperties(schema ?? {}).properties).toEqual({ email: text });
  });

  it('reads nullable fields of OpenAPI 3.0', () => {
    const nullable = object({ role: { type: 'string', enum: ['a'], nullable: true } });
    expect(describedBody(describing(updateUser, nullable), updateUser)).toMatchObject({
      properties: { role: { type: ['string', 'null'], enum: ['a', null] } },
    });
  });

  it('gathers the fields of schemas beside each other, also where they refer to themselves', () => {
    const schemas = { A: { allOf: [object({ a: text }, ['a']), { $ref: '#/components/schemas/A' }] } };
    expect(bodyProperties({ $ref: '#/components/schemas/A', components: { schemas } })).toEqual({
      properties: { a: text },
      required: ['a'],
    });
  });

  it.each([[{}], [{ paths: 7 }], [describing(updateUser, {})], [describing(bulkUsers, object({}))]])(
    'is none where %j describes none',
    (description) => {
      expect(describedBody(description, updateUser)).toBeUndefined();
    },
  );
});

describe('a body whose names the documented API does not show', () => {
  const ids = { type: 'array', items: { type: 'integer' } };
  const users = { type: 'array', items: object({ id: text }, ['id']) };
  it.each([
    [
      'the names that are known',
      object({ ids, action: text }),
      { action: 'DELETE', ids: ['7'] },
      { action: 'DELETE', ids: [7] },
    ],
    [
      'another name for the list',
      object({ userIds: ids, action: text }),
      { action: 'DELETE', ids: ['7'] },
      { action: 'DELETE', userIds: [7] },
    ],
    [
      'objects for ids',
      object({ users, operation: text, action: text }),
      { action: 'DELETE', ids: ['7'] },
      { action: 'DELETE', users: [{ id: '7' }] },
    ],
    [
      'another name for the switch',
      object({ isEmbeddable: { type: 'boolean' }, note: text }),
      { enabled: true },
      { isEmbeddable: true },
    ],
    [
      'a value that an enumeration has',
      object({ access: { enum: ['read', 'none'] }, tenant: text }, ['access', 'tenant']),
      { embedTenantName: 'north', action: 'read' },
      { embedTenantName: 'north', action: 'read' },
    ],
    ['two fields that could be meant', object({ a: ids, b: ids }), { userIds: ['7'] }, { userIds: ['7'] }],
    ['the needed one of two', object({ a: ids, b: ids }, ['b']), { userIds: ['7'] }, { b: [7] }],
    ['no fields at all', { type: 'object' }, { userIds: ['7'] }, { userIds: ['7'] }],
  ])('follows %s', (_, schema, body, expected) => {
    expect(followedBody(body, schema as Record<string, unknown>)).toEqual(expected);
  });

  it.each([bulkUsers, setEmbedAccess, addEmbedTenantGroupUsers, removeEmbedTenantGroupUsers, setDashboardEmbedding])(
    '$id: is sent under the server’s names, and under ours where the server cannot be asked',
    async (op: Operation) => {
      const bodies: unknown[] = [];
      const list = op === setDashboardEmbedding ? { type: 'boolean' } : { type: 'array', items: text };
      const answer = async (request: Request): Promise<Response> => {
        bodies.push(await request.json());
        return json({});
      };
      const served =
        op === setEmbedAccess
          ? object({ embedTenantName: text, action: text })
          : object({ theirs: list, action: text });
      const description = describing(op, served);
      const sampleWith = (read: () => Promise<Record<string, unknown> | undefined>): Promise<unknown> => {
        const { client } = new ClientUnderTest(answer);
        return followingClient(client, read).call(op, samples[op.id]?.request as never);
      };
      await sampleWith(() => Promise.resolve(description));
      await sampleWith(() => Promise.reject(new Error('offline')));
      await sampleWith(() => Promise.resolve(undefined));
      const [theirs, offline, ours] = bodies as Record<string, unknown>[];
      expect(offline).toEqual(ours);
      expect('theirs' in (theirs ?? {})).toBe(op !== setEmbedAccess);
    },
  );
});
