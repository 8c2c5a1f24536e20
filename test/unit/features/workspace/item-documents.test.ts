import { describe, expect, it } from 'vitest';
import { listNotifications } from '#api/resources/notifications.ts';
import { listReports } from '#api/resources/reports.ts';
import type { AdminDocument } from '#features/administration/document.ts';
import {
  newNotificationDocument,
  notificationDocument,
  reportDocument,
  workbookDocument,
} from '#features/workspace/item-documents.ts';
import { openDesk } from '#support/features.ts';

async function desk() {
  const { client, platform } = await openDesk();
  return { client, deploymentId: String(platform.control.demo.shop) };
}

function check({ edit }: AdminDocument, fields: Record<string, unknown>): string {
  const result = edit?.check(fields, {});
  return result === undefined || result.ok ? '' : `${result.error.field}: ${result.error.message}`;
}

describe('the document of a report', () => {
  it('makes one by its public id and follows it to another', async () => {
    const place = await desk();
    const made = await reportDocument(place, 'weekly', undefined).edit?.send({ name: 'Weekly', folderId: '2' }, {});
    expect(await made?.read()).toEqual({ name: 'Weekly', publicId: 'weekly', folderId: '2' });
    const moved = await made?.edit?.send({ name: 'Weekly', publicId: 'monthly', folderId: null }, {});
    expect(await moved?.read()).toEqual({ name: 'Weekly', publicId: 'monthly', folderId: null });
    await expect(made?.read()).rejects.toThrow('has another public id');
    const later: string[][] = [];
    const followed = reportDocument(place, 'monthly', 'Weekly', (...now) => void later.push(now));
    const renamed = await followed.edit?.send({ name: 'Renamed' }, {});
    await renamed?.edit?.send({ publicId: 'yearly' }, {});
    expect(later).toEqual([
      ['monthly', 'Renamed'],
      ['yearly', 'Renamed'],
    ]);
  });

  it('names the wrong field, and has its refusal from the server', async () => {
    const place = await desk();
    const document = reportDocument(place, 'weekly', undefined);
    expect(check(document, { name: 7 })).toContain('name: must be text');
    expect(check(document, { name: '' })).toContain('name: must not be empty');
    await expect(document.edit?.send({ name: 'x', folderId: '999' }, {})).rejects.toThrow(/folder/i);
    const { items } = await place.client.call(listReports, {
      params: { deploymentId: place.deploymentId },
      query: { search: 'weekly' },
    });
    expect(items.some(({ publicId }) => publicId === 'weekly')).toBe(false);
  });
});

describe('the document of an id that a user names', () => {
  it('shows what is there already, and what has been renamed meanwhile', async () => {
    const place = await desk();
    await reportDocument(place, 'weekly', undefined).edit?.send({ name: 'Sales of the week', folderId: '2' }, {});
    await workbookDocument(place, 'by-hand', undefined).edit?.send({ name: 'Made yesterday' }, {});
    const there = { name: 'Sales of the week', publicId: 'weekly', folderId: '2' };
    expect(await reportDocument(place, 'weekly', undefined).read()).toEqual(there);
    expect(await reportDocument(place, 'weekly', 'Its old name').read()).toEqual(there);
    expect(await workbookDocument(place, 'by-hand', undefined).read()).toEqual({
      name: 'Made yesterday',
      folderId: null,
    });
    expect(await reportDocument(place, 'week', undefined).read()).toEqual({ name: '' });
  });

  it('begins empty where the platform does not list workbooks', async () => {
    const place = { ...(await desk()), listsWorkbooks: () => Promise.resolve(false) };
    await workbookDocument(place, 'by-hand', undefined).edit?.send({ name: 'There' }, {});
    expect(await workbookDocument(place, 'by-hand', undefined).read()).toEqual({ name: '' });
  });
});

describe('the document of a workbook', () => {
  it('makes one by its slug and renames it', async () => {
    const made = await workbookDocument(await desk(), 'by-hand', undefined).edit?.send({ name: 'By hand' }, {});
    const renamed = await made?.edit?.send({ name: 'Renamed', folderId: '1' }, {});
    expect(await renamed?.read()).toEqual({ name: 'Renamed', folderId: '1' });
  });
});

describe('the document of a notification', () => {
  const fields = { name: 'Mine', dashboardPublicId: 'dashboard-store-performance', recipients: [] };

  it('is for exactly one dashboard', async () => {
    const document = newNotificationDocument(await desk(), 1);
    expect(check(document, { ...fields, dashboardId: 1 })).toContain(
      'exactly one of dashboardId and dashboardPublicId',
    );
    expect(check(document, { name: 'Mine' })).toContain('exactly one of dashboardId and dashboardPublicId');
    expect(check(document, fields)).toBe('');
  });

  it('makes one, changes it, and keeps its dashboard out of the changes', async () => {
    const place = await desk();
    const later: string[] = [];
    const made = await newNotificationDocument(place, 1, (id) => void later.push(id)).edit?.send(fields, {});
    expect(await notificationDocument(place, later[0] ?? '').read()).toMatchObject({ name: 'Mine' });
    expect(await made?.read()).not.toHaveProperty('dashboardPublicId');
    await made?.edit?.send({ name: 'Yours', enabled: false }, {});
    const { data } = await place.client.call(listNotifications, { params: { deploymentId: place.deploymentId } });
    expect(data.filter(({ name }) => name === 'Yours')).toMatchObject([{ enabled: false }]);
    await expect(notificationDocument(place, '999').read()).rejects.toThrow('no longer exists');
  });
});
