import * as dashboards from '#api/resources/dashboards.ts';
import { listFolders } from '#api/resources/folders.ts';
import { reportPages } from '#api/resources/lists.ts';
import * as notifications from '#api/resources/notifications.ts';
import { collect } from '#api/resources/pagination.ts';
import * as reports from '#api/resources/reports.ts';
import * as workbooks from '#api/resources/workbooks.ts';
import * as workspace from '#api/resources/workspace.ts';
import { demo } from '#platform/seed/names.ts';
import { known, rowOf, step, type Step, type World } from './step.ts';

const params = { deploymentId: demo.shop };
const onWorkbook = (world: World): { readonly deploymentId: number; readonly workbookId: string } => ({
  ...params,
  workbookId: known(world, 'workbook'),
});
const placement = { externalWorkbookId: 'sheet-9', resultLocation: 'Sheet1!A1', endResultCell: 'C9' };
const draft = { title: 'Mine', kind: 'CLASSIC', settings: { constructor: 1 } } as const;

async function reportNames(world: World): Promise<readonly string[]> {
  const { items } = await collect(reportPages(world.client, demo.shop));
  return items.map(({ name }) => name);
}

/** Folders, reports, workbooks and their dashboards, notifications. */
export const workspaceStory: readonly Step[] = [
  step(listFolders, {
    request: { params, query: { first: 2 } },
    look: (_world, { items, pageInfo, count }) => [items.length, pageInfo.hasNextPage, count],
    expected: [2, true, 6],
  }),
  step(reports.upsertReportByPublicId, {
    request: { params: { ...params, publicId: 'mine' }, body: { name: 'My report', folderId: 1, python: 'print(1)' } },
    look: (world, report) => {
      world.known.set('report', report.id ?? '');
      return report;
    },
    expected: {
      publicId: 'mine',
      name: 'My report',
      folderId: '1',
      folderPath: [{ name: 'Management' }],
      canEdit: true,
    },
  }),
  step(reports.listReports, {
    request: { params, query: { search: 'my rep', sortBy: 'updatedAt', folderId: 1 } },
    expected: { items: [{ publicId: 'mine' }], pageInfo: { hasNextPage: false }, count: 1 },
  }),
  step(reports.connectReportToWorkbook, {
    request: (world) => ({ params: { ...params, reportId: known(world, 'report') }, body: placement }),
    look: async (world) => {
      const query = { externalWorkbookId: placement.externalWorkbookId };
      const { items } = await world.client.call(reports.listReports, { params, query });
      return items[0]?.externalWorkbookPlacements;
    },
    expected: [{ workbookId: 'sheet-9', resultLocation: 'Sheet1!A1', endResultCell: 'C9' }],
  }),
  step(workbooks.upsertWorkbookBySlug, {
    request: { params: { ...params, slug: 'mine' }, body: { name: 'My workbook' } },
    look: (world, workbook) => {
      world.known.set('workbook', workbook.id ?? '');
      return workbook;
    },
    expected: { slug: 'mine', name: 'My workbook', user: { email: demo.owner } },
  }),
  step(workbooks.listWorkbooks, {
    request: { params, query: { search: 'my workbook' } },
    expected: { items: [{ slug: 'mine' }], pageInfo: { hasNextPage: false } },
  }),
  step(dashboards.updateWorkbookDashboard, {
    request: (world) => ({ params: onWorkbook(world), body: { dashboardDraft: draft } }),
    expected: { dashboardDraft: draft, dashboardPublished: null },
  }),
  step(dashboards.publishDashboard, {
    request: (world) => ({ params: onWorkbook(world), body: { allowEmbed: true } }),
    expected: { dashboardPublished: draft },
  }),
  step(dashboards.getWorkbookDashboard, {
    request: (world) => ({ params: onWorkbook(world) }),
    expected: { dashboardDraft: draft, dashboardPublished: draft },
  }),
  step(workbooks.duplicateWorkbook, {
    request: (world) => ({ params: onWorkbook(world) }),
    look: (world, copy) => {
      world.known.set('copy', copy.id ?? '');
      const row = rowOf(world, 'dashboards', 'workbook_id', copy.id ?? '');
      return [copy.id === known(world, 'workbook'), JSON.parse(String(row?.['draft']))];
    },
    expected: [false, draft],
  }),
  step(dashboards.setAiWidgetThread, {
    request: { params: { ...params, workbookId: 1 }, body: { threadId: 't1', widgetId: 'why' } },
    look: (world, dashboard) => {
      world.known.set('dashboard', dashboard.publicId ?? '');
      return dashboard;
    },
    expected: { aiWidgetThreads: [{ threadId: 't1', widgetId: 'why' }] },
  }),
  step(workbooks.setEmbedAccess, {
    request: (world) => ({
      params: onWorkbook(world),
      body: { embedTenantName: 'north-stores', action: 'read' as const },
    }),
    expected: undefined,
  }),
  step(workbooks.getEmbedAccess, {
    request: (world) => ({ params: onWorkbook(world) }),
    expected: { data: [{ embedTenantName: 'north-stores', action: 'read' }] },
  }),
  step(workspace.bulkMoveWorkspaceItems, {
    request: (world) => ({
      params,
      body: {
        items: [
          { type: 'WORKBOOK' as const, id: known(world, 'copy') },
          { type: 'REPORT' as const, id: 9999 },
        ],
        targetFolderId: 2,
      },
    }),
    expected: {
      results: [
        { type: 'WORKBOOK', ok: true },
        { id: '9999', ok: false },
      ],
    },
  }),
  step(workspace.bulkDeleteWorkspaceItems, {
    request: (world) => ({
      params,
      body: {
        items: [
          { type: 'WORKBOOK' as const, id: known(world, 'copy') },
          { type: 'FOLDER' as const, id: 1 },
          { type: 'REPORT' as const, id: 1 },
        ],
      },
    }),
    look: async (world, { results }) => [results.map(({ ok }) => ok), (await reportNames(world)).length],
    // A folder that is not empty is not deleted.
    expected: [[true, false, true], 30],
  }),
  step(notifications.createNotification, {
    request: { params, body: { dashboardId: 1, name: 'Mine', recipients: [{ email: demo.analyst }] } },
    look: (world, notification) => {
      world.known.set('notification', notification.id ?? '');
      return notification;
    },
    expected: { name: 'Mine', dashboardId: 1, recipients: [{ email: demo.analyst }] },
  }),
  step(notifications.updateNotification, {
    request: (world) => ({ params: { ...params, id: known(world, 'notification') }, body: { enabled: false } }),
    expected: { name: 'Mine', enabled: false },
  }),
  step(notifications.listNotifications, {
    request: { params, query: { recipientEmail: demo.analyst } },
    expected: { data: [{ name: 'Mine', enabled: false }] },
  }),
  step(notifications.deleteNotification, {
    request: (world) => ({ params: { ...params, id: known(world, 'notification') } }),
    look: async (world) => {
      const query = { recipientEmail: demo.analyst };
      return (await world.client.call(notifications.listNotifications, { params, query })).data;
    },
    expected: [],
  }),
];
