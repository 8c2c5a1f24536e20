import * as api from '#api/resources/dashboards.ts';
import {
  dashboardJson,
  dashboardOf,
  type DashboardRow,
  findWorkbook,
  workbookDashboardJson,
} from '../core/dashboards.ts';
import { invalid, notFound } from '../core/refusal.ts';
import { record } from './record.ts';
import { type Call, route } from './route.ts';

export const dashboardRoutes = [
  route(api.getWorkbookDashboard, (call) => workbookDashboardJson(dashboard(call))),

  route(api.updateWorkbookDashboard, (call) => {
    const row = dashboard(call);
    const draft = call.body?.dashboardDraft ?? null;
    call.core.db.run(
      'UPDATE dashboards SET draft = ? WHERE id = ?',
      draft === null ? null : JSON.stringify(draft),
      row.id,
    );
    record(call, 'dashboard.updated', { publicId: row.public_id }, call.deployment.id);
    return workbookDashboardJson(dashboard(call));
  }),

  route(api.publishDashboard, (call) => {
    const row = dashboard(call);
    if (row.draft === null) throw invalid('The dashboard has no draft to publish.');
    const embedding = call.body.allowEmbed === undefined ? row.embedding : Number(call.body.allowEmbed);
    call.core.db.run('UPDATE dashboards SET published = draft, embedding = ? WHERE id = ?', embedding, row.id);
    record(call, 'dashboard.published', { publicId: row.public_id }, call.deployment.id);
    return workbookDashboardJson(dashboard(call));
  }),

  route(api.setAiWidgetThread, (call) => {
    const row = dashboard(call);
    const { threadId, widgetId, checksum } = call.body;
    if (!hasAiWidget(row, widgetId)) throw notFound(`AI widget "${widgetId}" of the dashboard`);
    call.core.db.run(
      `INSERT INTO widget_threads (dashboard_id, widget_id, thread_id, checksum) VALUES (?, ?, ?, ?)
       ON CONFLICT (dashboard_id, widget_id) DO UPDATE SET thread_id = excluded.thread_id, checksum = excluded.checksum`,
      row.id,
      widgetId,
      threadId,
      checksum ?? null,
    );
    record(call, 'dashboard.aiWidgetThreadSet', { widgetId, threadId }, call.deployment.id);
    return dashboardJson(call.core, row);
  }),
];

function dashboard(
  call: Pick<Call, 'core' | 'deployment'> & { readonly params: { readonly workbookId: string | number } },
): DashboardRow {
  return dashboardOf(call.core, findWorkbook(call.core, call.deployment.id, call.params.workbookId).id);
}

function hasAiWidget(row: DashboardRow, widgetId: string): boolean {
  const configs = [row.draft, row.published].flatMap((text) =>
    text === null ? [] : [JSON.parse(text) as DraftWidgets],
  );
  return configs.some(({ widgets }) => widgets?.some(({ id, type }) => id === widgetId && type === 'AI') === true);
}

interface DraftWidgets {
  readonly widgets?: readonly { readonly id: string; readonly type: string }[] | null;
}
