import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import { dashboardConfigInput, workbookDashboard } from './dashboard-schema.ts';
import { changed, idOut, inWorkbook, opt, strictObject, text } from '#api/schema.ts';

const tag = 'Dashboards';

/** Replaces the draft. See docs/platform-api.md#updateworkbookdashboard. */
export const updateWorkbookDashboard = operation({
  id: 'updateWorkbookDashboard',
  idempotent: false,
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard',
  tag,
  summary: "Replace the draft of a workbook's dashboard.",
  roundTrip: true,
  params: inWorkbook,
  body: v.optional(strictObject({ dashboardDraft: v.nullish(dashboardConfigInput) })),
  answer: workbookDashboard,
});

/** See docs/platform-api.md#getworkbookdashboard. */
export const getWorkbookDashboard = operation({
  id: 'getWorkbookDashboard',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard',
  tag,
  summary: "Get a workbook's dashboard, draft and published.",
  described: true,
  params: inWorkbook,
  answer: workbookDashboard,
});

/** `PublishDashboardInput`. See docs/platform-api.md#publishdashboard. */
export const publishDashboard = operation({
  id: 'publishDashboard',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard/publish',
  tag,
  summary: "Publish the draft of a workbook's dashboard.",
  described: true,
  params: inWorkbook,
  body: strictObject({ allowEmbed: v.optional(v.boolean()) }),
  answer: workbookDashboard,
});

/** See docs/platform-api.md#setaiwidgetthread. */
export const setAiWidgetThread = operation({
  id: 'setAiWidgetThread',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard/ai-widget-thread',
  tag,
  summary: 'Attach a chat thread to an AI widget.',
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
