import { describe, expect, it } from 'vitest';
import { listUserAttributes, upsertUserAttributeValue } from '#api/resources/user-attributes.ts';
import { identityOfUser, platformUsers, SavedIdentities, securityContextOf } from '#features/playground/identities.ts';
import { openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';

const target = { kind: 'environment', accountId: 'a', deploymentId: '1' } as const;

describe('an identity', () => {
  it('of a user of the platform has their groups and attribute values', async () => {
    const { client, data, account } = await openDesk();
    const [user] = await platformUsers(data, account.id);
    const { data: attributes } = await client.call(listUserAttributes, {});
    const [attribute] = attributes.filter(({ type }) => type === 'string');
    if (!user || !attribute) throw new Error('The demo has no user with an attribute.');
    const body = { userId: user.id, attributeId: attribute.id, value: 'north' };
    await client.call(upsertUserAttributeValue, { body });
    const { name, securityContext } = await identityOfUser(data, account.id, user);
    expect(name).toBe(user.displayName ?? user.userName);
    expect(securityContext['cubeCloud']).toMatchObject({
      userId: user.id,
      username: user.userName,
      userAttributes: { [attribute.name ?? '']: 'north' },
      groups: expect.any(Array) as unknown,
    });
  });

  it('has every one of ten thousand attributes, named by the value or by the list of attributes', async () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => at);
    const answers: Readonly<Record<string, object>> = {
      listUserAttributes: { data: ids.map((id) => ({ id: String(id), name: `attribute_${id}` })) },
      listUserAttributeValues: {
        data: ids.map((id) => ({
          attributeId: String(id),
          value: `value ${id}`,
          ...(id % 2 ? { name: `own_${id}` } : {}),
        })),
      },
    };
    const call = async ({ id }: { readonly id: string }) => Promise.resolve(answers[id] ?? { Resources: [] });
    const data = { client: () => ({ call }) } as unknown as Parameters<typeof identityOfUser>[0];
    const { securityContext } = await identityOfUser(data, 'a', { id: 'u', userName: 'ada' });
    const { userAttributes } = securityContext['cubeCloud'] as { readonly userAttributes: Record<string, string> };
    expect(Object.keys(userAttributes)).toHaveLength(10_000);
    expect([userAttributes['attribute_9998'], userAttributes['own_9999']]).toEqual(['value 9998', 'value 9999']);
  });

  it('is saved for its deployment under its name, until it is removed', async () => {
    const state = new MemoryState();
    const saved = new SavedIdentities(state, target);
    await saved.save({ name: 'Bo', securityContext: { user: 'bo' } });
    await saved.save({ name: 'Ada', securityContext: {} });
    await saved.save({ name: 'Ada', securityContext: { user: 'ada' } });
    expect(saved.all()).toEqual([
      { name: 'Ada', securityContext: { user: 'ada' } },
      { name: 'Bo', securityContext: { user: 'bo' } },
    ]);
    expect(new SavedIdentities(state, { ...target, deploymentId: '2' }).all()).toEqual([]);
    await saved.remove('Ada');
    expect(saved.all()).toHaveLength(1);
  });

  it.each([
    ['{"user": "ada"}', { ok: true, value: { user: 'ada' } }],
    ['[1]', { ok: false, error: 'A security context is an object, like {"user": "ada"}.' }],
    ['{user}', { ok: false, error: 'This is not JSON. Write a security context like {"user": "ada"}.' }],
  ])('is read from %s, or says what to write', (typed, expected) => {
    expect(securityContextOf(typed)).toEqual(expected);
  });
});
