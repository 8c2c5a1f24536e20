import * as dashboards from '#api/resources/dashboards.ts';
import { listFolders } from '#api/resources/folders.ts';
import * as notifications from '#api/resources/notifications.ts';
import * as reports from '#api/resources/reports.ts';
import * as workbooks from '#api/resources/workbooks.ts';
import * as workspace from '#api/resources/workspace.ts';
import type { Platform } from '#platform/app.ts';
import { errorOf, openPlatform, refusalOf, send } from '#support/platform.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const params = { deploymentId: 1 };
const onWorkbook = { deploymentId: 1, workbookId: 1 };

describe('cursor lists', () => {
  it('answer items with pageInfo, and the deprecated data and count beside them', async () => {
    const platform = await openPlatform();
    const { body } = await send(platform, listFolders, { params, query: { first: 2 } });
    const { items, data, count, pageInfo } = body as Record<string, unknown[]> & { pageInfo: object };
    expect(data).toEqual(items);
    expect(count).toBe(6);
    expect(pageInfo).toEqual({ hasNextPage: true, endCursor: expect.any(String) as string });
  });

  it('give every row exactly once, whatever the page size and the order', async () => {
    const platform = await openPlatform();
    const sorts = fc.constantFrom('name', 'createdAt', 'updatedAt');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 31 }), sorts, async (first, sortBy) => {
        const ids: string[] = [];
        let after: string | undefined;
        do {
          const query = { first, sortBy, ...(after === undefined ? {} : { after }) } as const;
          const { value } = await send(platform, reports.listReports, { params, query });
          ids.push(...value.items.map(({ id }) => id));
          after = value.pageInfo.hasNextPage ? (value.pageInfo.endCursor ?? undefined) : undefined;
        } while (after !== undefined);
        expect(ids).toHaveLength(30);
        expect(new Set(ids).size).toBe(30);
      }),
      { numRuns: 20, seed: 20_261_121 },
    );
  });

  it('continue rightly when rows come and go between two pages', async () => {
    const platform = await openPlatform();
    const page = async (after?: string) =>
      (await send(platform, reports.listReports, { params, query: { first: 10, ...(after ? { after } : {}) } })).value;
    const first = await page();
    const last = first.items.at(-1);
    await send(platform, workspace.bulkDeleteWorkspaceItems, {
      params,
      body: { items: [{ type: 'REPORT', id: last?.id ?? '' }] },
    });
    await send(platform, reports.upsertReportByPublicId, {
      params: { ...params, publicId: 'a-new' },
      body: { name: 'AAA first' },
    });
    const second = await page(first.pageInfo.endCursor ?? '');
    const seen = new Set(first.items.map(({ id }) => id));
    expect(second.items.filter(({ id }) => seen.has(id))).toEqual([]);
    expect(second.items[0]?.name.localeCompare(last?.name ?? '')).toBe(1);
  });

  it('refuse a cursor that is not theirs', async () => {
    const platform = await openPlatform();
    const answer = await send(platform, listFolders, { params, query: { after: 'nonsense' } });
    expect(refusalOf(answer)).toBe('400 after: must be an endCursor of this list');
  });
});

describe('reports', () => {
  const list = async (
    platform: Platform,
    query: NonNullable<Parameters<typeof send<typeof reports.listReports>>[2]>['query'],
  ) => (await send(platform, reports.listReports, { params, query: query ?? {} })).value.items;

  it('allow a search, and filters by folder and by spreadsheet', async () => {
    const platform = await openPlatform();
    expect((await list(platform, { search: 'REVENUE' })).map(({ name }) => name)).toHaveLength(5);
    const inFolder = await list(platform, { folderId: 1 });
    expect(inFolder.length).toBeGreaterThan(0);
    expect(inFolder.every(({ folderId }) => folderId === '1')).toBe(true);
    expect((await list(platform, { externalWorkbookId: 'sheet-weekly' })).map(({ id }) => id).sort()).toEqual([
      '1',
      '6',
    ]);
  });

  it('sorted by lastViewedAt begin with the latest, in one page; a cursor is refused there', async () => {
    const platform = await openPlatform();
    const { value } = await send(platform, reports.listReports, {
      params,
      query: { sortBy: 'lastViewedAt', first: 5 },
    });
    const dates = value.items.map(({ lastViewedAt }) => lastViewedAt ?? '');
    expect(dates).toEqual([...dates].sort().reverse());
    expect(value.pageInfo).toMatchObject({ hasNextPage: false });
    const query = { sortBy: 'lastViewedAt', after: 'x' } as const;
    expect(refusalOf(await send(platform, reports.listReports, { params, query }))).toBe(
      '400 after: must not be given when sorting by lastViewedAt',
    );
  });

  it('have a public id to create and update them by, and keep what an update does not name', async () => {
    const platform = await openPlatform();
    const put = (publicId: string, body: Record<string, unknown>) =>
      send(platform, reports.upsertReportByPublicId, { params: { ...params, publicId }, body });
    const created = await put('mine', { name: 'Mine', folderId: 4, periodComparisons: [] });
    expect(created.value).toMatchObject({ publicId: 'mine', name: 'Mine', folderId: '4', canEdit: true });
    expect(created.value.folderPath?.map(({ name }) => name)).toEqual(['Sales', 'Weekly']);
    const renamed = await put('mine', { publicId: 'ours' });
    expect(renamed.value).toMatchObject({
      id: created.value.id,
      publicId: 'ours',
      name: 'Mine',
      periodComparisons: [],
    });
    expect((await put('ours', { publicId: 'report-01' })).status).toBe(409);
    expect(refusalOf(await put('ours', { folderId: 999 }))).toBe('400 folderId: there is no folder 999');
  });

  it('take a link to a spreadsheet with read access only', async () => {
    const platform = await openPlatform();
    const body = { externalWorkbookId: 'sheet-9', resultLocation: 'A!B2', endResultCell: 'D9' };
    const key = platform.control.demo.keys.colleague;
    const { value } = await send(platform, reports.connectReportToWorkbook, {
      params: { ...params, reportId: 1 },
      body,
      key,
    });
    expect(value).toMatchObject({ canEdit: false });
    expect(value.externalWorkbookPlacements).toContainEqual({
      workbookId: 'sheet-9',
      resultLocation: 'A!B2',
      endResultCell: 'D9',
    });
  });
});

describe('dashboards', () => {
  const read = async (platform: Platform) =>
    (await send(platform, dashboards.getWorkbookDashboard, { params: onWorkbook })).value;
  const put = (platform: Platform, body: Parameters<typeof send<typeof dashboards.updateWorkbookDashboard>>[2]) =>
    send(platform, dashboards.updateWorkbookDashboard, body);

  it('keep a draft and what was published of it apart', async () => {
    const platform = await openPlatform();
    const before = await read(platform);
    const dashboardDraft = { title: 'New', kind: 'APP', app: { entry: 'main.ts' }, widgets: null } as const;
    const { value } = await put(platform, { params: onWorkbook, body: { dashboardDraft } });
    expect(value.dashboardDraft).toEqual(dashboardDraft);
    expect(value.dashboardPublished).toEqual(before.dashboardPublished);
    await send(platform, dashboards.publishDashboard, { params: onWorkbook, body: { allowEmbed: true } });
    expect((await read(platform)).dashboardPublished).toEqual(dashboardDraft);
    await put(platform, { params: onWorkbook, body: { dashboardDraft: null } });
    expect(await read(platform)).toEqual({ dashboardDraft: null, dashboardPublished: dashboardDraft });
    expect((await send(platform, dashboards.publishDashboard, { params: onWorkbook, body: {} })).status).toBe(400);
  });

  it.each([
    ['an id of 129 characters', { id: 'x'.repeat(129) }, 'id: must have at most 128 characters'],
    [
      'an unknown type',
      { type: 'GAUGE' },
      'type: must be one of CHART, TEXT, FILTER, AI, TIME_GRAIN, SPACER, DIVIDER, CONTAINER',
    ],
    ['a fraction of a column', { position: { x: 0.5, y: 0, w: 1, h: 1 } }, 'position.x: must be a whole number'],
    ['no height', { position: { x: 0, y: 0, w: 1 } }, 'position.h: is missing'],
  ])('refuse a widget with %s, saying what is wrong in which field', async (_what, wrong, said) => {
    const platform = await openPlatform();
    const widget = { id: 'a', type: 'TEXT', position: { x: 0, y: 0, w: 1, h: 1 }, ...wrong };
    const answer = await put(platform, {
      params: onWorkbook,
      body: { dashboardDraft: { widgets: [widget as never] } },
    });
    expect(refusalOf(answer)).toBe(`400 dashboardDraft.widgets.0.${said}`);
  });

  it('attach a chat thread to an AI widget and to no other', async () => {
    const platform = await openPlatform();
    const attach = (widgetId: string) =>
      send(platform, dashboards.setAiWidgetThread, {
        params: onWorkbook,
        body: { threadId: 't-1', widgetId, checksum: 'c' },
      });
    expect((await attach('why')).value).toMatchObject({
      aiWidgetThreads: [{ widgetId: 'why', threadId: 't-1', checksum: 'c' }],
    });
    expect((await attach('trend')).status).toBe(404);
  });
});

describe('workbooks', () => {
  it('come with owner and folder, also in a search', async () => {
    const platform = await openPlatform();
    const { value } = await send(platform, workbooks.listWorkbooks, { params, query: { search: 'campaign' } });
    expect(value.items.map(({ slug }) => slug)).toEqual(['autumn-campaign', 'spring-campaign']);
    expect(value.items[0]?.user).toMatchObject({ email: expect.stringContaining('@shop.example') as string });
  });

  it('have a slug to create and update them by; a copy has their dashboard', async () => {
    const platform = await openPlatform();
    const put = (body: { name?: string }) =>
      send(platform, workbooks.upsertWorkbookBySlug, { params: { ...params, slug: 'mine' }, body });
    const { value } = await put({ name: 'Mine' });
    expect((await put({})).value).toMatchObject({ id: value.id, name: 'Mine' });
    const copy = await send(platform, workbooks.duplicateWorkbook, { params: onWorkbook });
    expect(copy.value).toMatchObject({ slug: 'store-performance-2', name: 'Store performance (copy)' });
    const [of, to] = await Promise.all(
      ['1', copy.value.id ?? ''].map((workbookId) =>
        send(platform, dashboards.getWorkbookDashboard, { params: { ...params, workbookId } }),
      ),
    );
    expect(to?.value.dashboardDraft).toEqual(of?.value.dashboardDraft);
    expect(to?.value.dashboardPublished).toBeNull();
    const shared = await send(platform, workbooks.duplicateWorkbook, { params: onWorkbook, body: { shared: true } });
    expect(shared.status).toBe(400);
  });

  it('grant embedded access to one embed tenant or to all embed users', async () => {
    const platform = await openPlatform();
    const set = (body: { embedTenantName?: string; allEmbedUsers?: true; action: 'read' | 'none' }) =>
      send(platform, workbooks.setEmbedAccess, { params: onWorkbook, body });
    expect((await set({ embedTenantName: 'north-stores', action: 'read' })).status).toBe(204);
    expect((await set({ allEmbedUsers: true, action: 'read' })).status).toBe(204);
    expect((await set({ allEmbedUsers: true, action: 'none' })).status).toBe(204);
    expect((await set({ embedTenantName: 'nobody', action: 'read' })).status).toBe(404);
    expect((await set({ action: 'read' })).status).toBe(400);
    const { body } = await send(platform, workbooks.getEmbedAccess, { params: onWorkbook });
    expect(body).toEqual({
      data: [
        { allEmbedUsers: true, action: 'none' },
        { embedTenantName: 'north-stores', action: 'read' },
      ],
    });
  });
});

describe('bulk operations', () => {
  it('report a failure with its item and do the others', async () => {
    const platform = await openPlatform();
    const items = [
      { type: 'FOLDER', id: 2 },
      { type: 'WORKBOOK', id: 1 },
      { type: 'REPORT', id: 999 },
      { type: 'REPORT', id: 1 },
    ] as const;
    const { value } = await send(platform, workspace.bulkDeleteWorkspaceItems, { params, body: { items: [...items] } });
    expect(value.results).toEqual([
      { type: 'FOLDER', id: '2', ok: false, error: 'The folder is not empty.' },
      { type: 'WORKBOOK', id: '1', ok: true },
      { type: 'REPORT', id: '999', ok: false, error: 'There is no report 999.' },
      { type: 'REPORT', id: '1', ok: true },
    ]);
    expect((await send(platform, dashboards.getWorkbookDashboard, { params: onWorkbook })).status).toBe(404);
  });

  it("do not touch other people's items for someone who is not an administrator", async () => {
    const platform = await openPlatform();
    const key = platform.control.demo.keys.colleague;
    const items = [1, 2].map((id) => ({ type: 'REPORT' as const, id }));
    const { value } = await send(platform, workspace.bulkDeleteWorkspaceItems, { params, body: { items }, key });
    expect(value.results.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it('move items, but no folder into itself', async () => {
    const platform = await openPlatform();
    const move = (type: 'FOLDER' | 'REPORT', id: number, targetFolderId: number | null) =>
      send(platform, workspace.bulkMoveWorkspaceItems, { params, body: { items: [{ type, id }], targetFolderId } });
    expect((await move('REPORT', 1, 4)).value.results[0]).toMatchObject({ ok: true });
    expect((await move('FOLDER', 2, 4)).value.results[0]).toMatchObject({
      ok: false,
      error: 'A folder cannot be moved into itself.',
    });
    expect((await move('FOLDER', 4, null)).value.results[0]).toMatchObject({ ok: true });
    const { value } = await send(platform, listFolders, { params });
    expect(value.items.find(({ id }) => id === '4')).toMatchObject({ folderPath: [] });
    expect(refusalOf(await move('REPORT', 1, 99))).toBe('400 targetFolderId: there is no folder 99');
  });
});

describe('notifications', () => {
  const create = (platform: Platform, body: Record<string, unknown>) =>
    send(platform, notifications.createNotification, { params, body });

  it('take exactly one of dashboardId and dashboardPublicId', async () => {
    const platform = await openPlatform();
    const byId = await create(platform, { dashboardId: 1, name: 'A' });
    const byPublicId = await create(platform, { dashboardPublicId: 'dashboard-store-performance', name: 'B' });
    expect(byPublicId.value).toMatchObject({ dashboardId: 1, dashboardPublicId: 'dashboard-store-performance' });
    expect(byId.value).toMatchObject({ dashboardId: 1, enabled: true });
    for (const body of [{}, { dashboardId: 1, dashboardPublicId: 'dashboard-store-performance' }]) {
      const refused = await create(platform, body);
      expect(refused.status).toBe(400);
      expect(errorOf(refused)).toContain('exactly one');
    }
    expect((await create(platform, { dashboardId: 999 })).status).toBe(404);
  });

  it('have recipients that exist', async () => {
    const platform = await openPlatform();
    const wrong = await create(platform, { dashboardId: 1, recipients: [{ email: 'a@b.example' }, { userId: 999 }] });
    expect(refusalOf(wrong)).toBe('400 recipients.1.userId: there is no such user');
    expect(await create(platform, { dashboardId: 1, recipients: [{}] })).toMatchObject({ status: 400 });
  });

  it('allow filters by dashboard and by recipient, change and go', async () => {
    const platform = await openPlatform();
    const list = async (query: Record<string, string>) =>
      (await send(platform, notifications.listNotifications, { params, query })).value.data.map(({ name }) => name);
    expect(await list({})).toHaveLength(3);
    expect(await list({ recipientUserId: '1' })).toEqual(['Monday numbers']);
    expect(await list({ recipientEmail: 'GRACE@shop.example' })).toEqual(['Returns alarm']);
    expect(await list({ recipientEmbedTenantName: 'north-stores', recipientExternalId: 'mia' })).toEqual([
      'For the stores',
    ]);
    expect(await list({ dashboardPublicId: 'dashboard-weekly-review' })).toEqual(['Returns alarm']);
    const one = { params: { ...params, id: 1 } };
    const { value } = await send(platform, notifications.updateNotification, { ...one, body: { enabled: false } });
    expect(value).toMatchObject({ name: 'Monday numbers', enabled: false });
    expect((await send(platform, notifications.deleteNotification, one)).status).toBe(204);
    expect((await send(platform, notifications.deleteNotification, one)).status).toBe(404);
  });
});
