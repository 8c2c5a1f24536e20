import type { Sample } from './sample.ts';

const inDeployment = { deploymentId: '7' };
const inWorkbook = { deploymentId: '7', workbookId: 12 };
const pageInfo = { hasNextPage: false, endCursor: null };
const report = { id: '1', publicId: 'r1', name: 'Revenue', folderPath: [], canEdit: true, canManage: false };
const workbook = { id: '12', slug: 'weekly', name: 'Weekly', folderPath: [], user: { id: '1' } };
const dashboard = { dashboardDraft: { title: 'T', widgets: [] }, dashboardPublished: null };
const item = { type: 'REPORT', id: '1' };

/** Folders, reports, workbooks, dashboards and notifications. */
export const workspaceSamples: Readonly<Record<string, Sample>> = {
  listFolders: {
    request: { params: inDeployment, query: { first: 5 } },
    answer: { items: [{ id: '1', name: 'F', folderPath: [] }], pageInfo, data: [], count: 1 },
    needed: 'items.0.name',
  },
  listReports: {
    request: { params: inDeployment, query: { first: 5, sortBy: 'name', search: 'rev' } },
    answer: { items: [report], pageInfo },
    needed: 'items.0.id',
  },
  upsertReportByPublicId: {
    request: { params: { ...inDeployment, publicId: 'r1' }, body: { name: 'Revenue' } },
    answer: report,
  },
  connectReportToWorkbook: {
    request: {
      params: { ...inDeployment, reportId: 1 },
      body: { externalWorkbookId: 'x', resultLocation: 'Sheet1!A1', endResultCell: 'C9' },
    },
    answer: report,
  },
  listWorkbooks: { request: { params: inDeployment }, answer: { items: [workbook], pageInfo }, needed: 'items.0.id' },
  upsertWorkbookBySlug: {
    request: { params: { ...inDeployment, slug: 'a/b c' }, body: { name: 'W' } },
    answer: workbook,
  },
  duplicateWorkbook: { request: { params: inWorkbook }, answer: workbook },
  updateWorkbookDashboard: {
    request: { params: inWorkbook, body: { dashboardDraft: { title: 'T' } } },
    answer: dashboard,
  },
  getWorkbookDashboard: { request: { params: inWorkbook }, answer: dashboard },
  publishDashboard: { request: { params: inWorkbook, body: { allowEmbed: true } }, answer: dashboard },
  setAiWidgetThread: { request: { params: inWorkbook, body: { threadId: 't', widgetId: 'w' } }, answer: { id: '1' } },
  getEmbedAccess: {
    request: { params: inWorkbook },
    answer: { data: [{ embedTenantName: 'acme', action: 'read' }] },
    needed: 'data.0.action',
  },
  setEmbedAccess: { request: { params: inWorkbook, body: { embedTenantName: 'acme', action: 'none' } } },
  bulkDeleteWorkspaceItems: {
    request: { params: inDeployment, body: { items: [item] } },
    answer: { results: [{ ...item, ok: true }] },
  },
  bulkMoveWorkspaceItems: {
    request: { params: inDeployment, body: { items: [item], targetFolderId: null } },
    answer: { results: [{ ...item, ok: false, error: 'not found' }] },
  },
  listNotifications: {
    request: { params: inDeployment, query: { recipientEmail: 'a@b.example' } },
    answer: { data: [{ id: '1' }] },
    needed: 'data.0.id',
  },
  createNotification: { request: { params: inDeployment, body: { dashboardPublicId: 'd1' } }, answer: { id: '1' } },
  updateNotification: { request: { params: { ...inDeployment, id: 1 }, body: { name: 'N' } }, answer: { id: '1' } },
  deleteNotification: { request: { params: { ...inDeployment, id: 1 } } },
};
