import { describe, expect, it } from 'vitest';
import { listFolders } from '#api/resources/folders.ts';
import { listReports } from '#api/resources/reports.ts';
import { moveTo } from '#features/workspace/organise-items.ts';
import { renameItem } from '#features/workspace/rename.ts';
import { Operations } from '#shell/operations.ts';
import { openDesk } from '#support/features.ts';

const deploymentId = '1';

describe('renameItem', () => {
  it('gives a report its new name and leaves it in its folder', async () => {
    const { client, data, account } = await openDesk();
    const reports = async () =>
      (await client.call(listReports, { params: { deploymentId }, query: { first: 50 } })).items;
    const report = (await reports()).find(({ publicId, folderId, canEdit }) => publicId && folderId && canEdit);
    const target = { accountId: account.id, deploymentId };
    const services = { data, offers: () => true, learnOffers: () => Promise.resolve() };
    const recipe = { kind: 'report', target, id: report?.publicId ?? '', name: report?.name ?? '' } as const;
    await renameItem(services, recipe, 'Another name');
    expect((await reports()).find(({ id }) => id === report?.id)).toMatchObject({
      name: 'Another name',
      folderId: report?.folderId,
    });
  });
});

describe('moveTo', () => {
  it('knows the way back of what it moved', async () => {
    const { client, data, account } = await openDesk();
    const operations = new Operations((_label, _cancellable, work) =>
      work({ signal: new AbortController().signal, report: () => undefined }),
    );
    const target = { accountId: account.id, deploymentId };
    const reports = async () =>
      (await client.call(listReports, { params: { deploymentId }, query: { first: 50 } })).items;
    const [report] = (await reports()).filter(({ folderId, canManage }) => folderId && canManage);
    const folders = (await client.call(listFolders, { params: { deploymentId }, query: { first: 50 } })).items;
    const other = folders.find(({ id }) => id !== report?.folderId)?.id;
    const item = { type: 'REPORT', id: report?.id ?? '', name: 'x', folderId: report?.folderId } as const;
    const folderNow = async () => (await reports()).find(({ id }) => id === item.id)?.folderId;
    const moved = await moveTo({ data, operations }, { target, items: [item] }, other);
    expect(await folderNow()).toBe(other);
    for (const { chosen, folderId } of moved?.back ?? []) await moveTo({ data, operations }, chosen, folderId);
    expect(await folderNow()).toBe(item.folderId);
  });
});
