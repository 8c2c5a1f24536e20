import { randomBytes } from 'node:crypto';
import type { Core } from './core.ts';
import { notFound } from './refusal.ts';
import { json } from './rows.ts';
import type { WorkbookRow } from './workspace.ts';

export interface DashboardRow {
  readonly id: number;
  readonly workbook_id: number;
  readonly public_id: string;
  readonly draft: string | null;
  readonly published: string | null;
  readonly embedding: number;
  readonly data: string;
}

/** @throws Refusal 404 */
export function findWorkbook(core: Core, deploymentId: number, id: string | number): WorkbookRow {
  const row = core.db.get<WorkbookRow>(
    'SELECT * FROM workbooks WHERE deployment_id = ? AND id = ?',
    deploymentId,
    Number(id),
  );
  if (row === undefined) throw notFound(`Workbook ${id}`);
  return row;
}

/** A workbook's dashboard; a workbook that has none yet gets an empty one. */
export function dashboardOf(core: Core, workbookId: number): DashboardRow {
  const query = 'SELECT * FROM dashboards WHERE workbook_id = ?';
  const known = core.db.get<DashboardRow>(query, workbookId);
  if (known !== undefined) return known;
  core.db.run(
    'INSERT INTO dashboards (workbook_id, public_id) VALUES (?, ?)',
    workbookId,
    randomBytes(9).toString('base64url'),
  );
  return core.db.get<DashboardRow>(query, workbookId) as DashboardRow;
}

/** `WorkbookDashboard` (docs/platform-api.md#dashboard-configuration). */
export const workbookDashboardJson = ({ draft, published }: DashboardRow): object => ({
  dashboardDraft: draft === null ? null : (JSON.parse(draft) as unknown),
  dashboardPublished: published === null ? null : (JSON.parse(published) as unknown),
});

/** `Dashboard` (docs/platform-api.md#dashboards). */
export function dashboardJson(core: Core, row: DashboardRow): object {
  const threads = core.db.all<{ widget_id: string; thread_id: string; checksum: string | null }>(
    'SELECT * FROM widget_threads WHERE dashboard_id = ? ORDER BY widget_id',
    row.id,
  );
  const data = json(row.data);
  return {
    id: String(row.id),
    publicId: row.public_id,
    workbookId: String(row.workbook_id),
    restrictDataDownload: data['restrictDataDownload'] === true,
    useBoardDashboards: data['useBoardDashboards'] === true,
    fromSharedWorkspace: data['fromSharedWorkspace'] === true,
    aiWidgetThreads: threads.map((thread) => ({
      widgetId: thread.widget_id,
      threadId: thread.thread_id,
      checksum: thread.checksum,
    })),
  };
}
