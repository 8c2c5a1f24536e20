import { describe, expect, it } from 'vitest';
import type { Client } from '#api/client/client.ts';
import { listEmbedTenantUsers } from '#api/resources/embed.ts';
import { listScimUsers } from '#api/resources/scim.ts';
import { findRow, memberRow } from '#features/administration/find-row.ts';
import { groupMember } from '#features/administration/read-rows.ts';
import { openDesk } from '#support/features.ts';

describe('the row of a document of an earlier window', () => {
  it('is found for users, groups and embed users by their ids', async () => {
    const { client } = await openDesk();
    const user = await findRow(client, { type: 'user', id: '3', name: 'linus' });
    expect(user).toMatchObject({ type: 'user', id: '3', name: 'linus@shop.example', active: true });
    const group = await findRow(client, { type: 'group', id: '1', name: 'x' });
    expect(group).toMatchObject({ type: 'group', id: '1' });
    const { data } = await client.call(listEmbedTenantUsers, { params: { embedTenantName: 'wholesale' } });
    const id = data[0]?.id ?? '';
    const embedded = await findRow(client, { type: 'embedUser', id, name: 'x', tenant: 'wholesale' });
    expect(embedded).toMatchObject({ type: 'embedUser', id, tenant: 'wholesale', fields: data[0] });
  });

  it('is said to be gone where its list does not have it any more', async () => {
    const { client } = await openDesk();
    await expect(findRow(client, { type: 'user', id: '999', name: 'ada' })).rejects.toThrow(
      'The user “ada” no longer exists.',
    );
  });

  it('is found far down a long list in few requests, and no page behind it is asked for', async () => {
    const asked: number[] = [];
    const call = async (op: unknown, { query }: { query: { startIndex: number; count: number } }): Promise<object> => {
      expect(op).toBe(listScimUsers);
      asked.push(query.startIndex);
      const Resources = Array.from({ length: query.count }, (_, at) => ({ id: String(query.startIndex + at) }));
      return Promise.resolve({
        Resources,
        totalResults: 10_000,
        startIndex: query.startIndex,
        itemsPerPage: query.count,
      });
    };
    const row = await findRow({ call } as unknown as Client, { type: 'user', id: '1200', name: 'x' });
    expect(row.id).toBe('1200');
    expect(asked).toEqual([1, 501, 1001]);
  });
});

describe('the member of a group', () => {
  it.each([
    [
      { value: '3', display: 'linus' },
      { type: 'user', name: 'linus@shop.example' },
    ],
    [
      { value: '1', display: 'analysts', type: 'Group' },
      { type: 'group', id: '1' },
    ],
    [
      { value: '999', display: 'gone' },
      { type: 'groupMember', name: 'gone' },
    ],
  ])('opens as the user or group that it stands for, or as it is: %j', async (member, row) => {
    const { client } = await openDesk();
    expect(await memberRow(client, groupMember(member))).toMatchObject(row);
  });
});
