import * as v from 'valibot';
import { operation } from './operation.ts';
import { dashboardConfigInput, workbookDashboard } from './dashboard-schema.ts';
import { changed, idOut, inWorkbook, opt, strictObject, text } from './schema.ts';

const tag = 'Dashboards';

/** Management 4.1: replaces the draft. */
export const updateWorkbookDashboard = operation({
  id: 'updateWorkbookDashboard',
  idempotent: false,
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard',
  section: 'management 4.1, 2.7',
  tag,
  summary: "Replace the draft of a workbook's dashboard.",
  roundTrip: true,
  answerKind: 'json',
  params: inWorkbook,
  body: v.optional(strictObject({ dashboardDraft: v.nullish(dashboardConfigInput) })),
  answer: workbookDashboard,
});

/** ◇ Payloads, Management. */
export const getWorkbookDashboard = operation({
  id: 'getWorkbookDashboard',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard',
  section: 'payloads, Management',
  tag,
  summary: "Get a workbook's dashboard, draft and published.",
  described: true,
  answerKind: 'json',
  params: inWorkbook,
  answer: workbookDashboard,
});

/** ◇ Payloads, Management: `PublishDashboardInput` (management 2.8). */
export const publishDashboard = operation({
  id: 'publishDashboard',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard/publish',
  section: 'payloads, Management',
  tag,
  summary: "Publish the draft of a workbook's dashboard.",
  described: true,
  answerKind: 'json',
  params: inWorkbook,
  body: strictObject({ allowEmbed: v.optional(v.boolean()) }),
  answer: workbookDashboard,
});

/** Management 4.11. */
export const setAiWidgetThread = operation({
  id: 'setAiWidgetThread',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard/ai-widget-thread',
  section: 'management 4.11',
  tag,
  summary: 'Attach a chat thread to an AI widget.',
  answerKind: 'json',
  params: inWorkbook,
  body: strictObject({ threadId: text, widgetId: text, checksum: v.optional(text) }),
  answer: changed({
    id: idOut,
    publicId: opt(v.string()),
    restrictDataDownload: opt(v.boolean()),
    useBoardDashboards: opt(v.boolean()),
    fromSharedWorkspace: opt(v.boolean()),
  }),
});
