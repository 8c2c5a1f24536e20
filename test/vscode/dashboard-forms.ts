import { pick, type } from './answers.ts';
import type { Forms } from './forms.ts';

const access = { command: 'modelbench.dashboard.embedAccess', on: 'workbook' } as const;
const draft = { command: 'modelbench.dashboard.open', on: 'workbook' } as const;
const embed = { command: 'modelbench.dashboard.signedEmbedding', on: 'workbook' } as const;
const moved = { command: 'modelbench.workspace.move', on: 'report' } as const;
const published = { command: 'modelbench.dashboard.publish', on: 'workbook' } as const;
const python = { command: 'modelbench.dashboard.runPython', on: 'workbook' } as const;
const removed = { command: 'modelbench.workspace.delete', on: 'report' } as const;
const thread = { command: 'modelbench.dashboard.attachThread', on: 'workbook' } as const;

const asks = 'features/dashboards/vscode/workbook-commands.ts';
const publicId = type('dashboard-store-performance');
const place = { x: 0, y: 0, w: 4, h: 2 };
const widget = { id: 'a', type: 'TEXT', position: place };

/** What is asked about items of the workspace and their dashboards. */
export const dashboardForms: Forms = {
  wrongInputs: [
    {
      ...removed,
      asks: 'shell/vscode/protection.ts',
      field: 'confirmation',
      before: [],
      typed: ['y', 'x '],
      says: /Type “x” exactly/,
    },
    {
      ...embed,
      asks,
      field: 'public id',
      before: [],
      typed: ['', 'no spaces', 'a/b', 'ä'],
      says: /Enter letters, dig/,
    },
    {
      ...thread,
      asks,
      field: 'thread',
      before: [pick('why')],
      typed: ['', ' '],
      says: /Enter the id of a chat thread/,
    },
    {
      ...python,
      asks,
      field: 'filters',
      before: [publicId, type('report-01')],
      typed: ['', '{}', '[1]', '[', '"x"'],
      says: /Enter a JSON list of objects/,
    },
  ],
  wrongDocuments: [
    { ...draft, answers: [], saves: { kind: 'MODERN' }, marks: /kind must be one of CLASSIC, APP/ },
    { ...draft, answers: [], saves: { colour: 'red' }, marks: /colour is not a field of a dashboard/ },
    { ...draft, answers: [], saves: { app: { entry: 'x'.repeat(256) } }, marks: /app\.entry must have at most 255/ },
    { ...draft, answers: [], saves: { layout: { rowHeight: 1.5 } }, marks: /rowHeight must be a whole number/ },
    { ...draft, answers: [], saves: { widgets: [{ ...widget, id: 'x'.repeat(129) }] }, marks: /at most 128/ },
    { ...draft, answers: [], saves: { widgets: [{ ...widget, type: 'MAP' }] }, marks: /type must be one of CHART/ },
    {
      ...draft,
      answers: [],
      saves: { widgets: [{ ...widget, position: { x: 0, y: 0, w: 4 } }] },
      marks: /widgets\[0\]\.position\.h is missing/,
    },
  ],
  refusedRequests: [
    { ...moved, operation: 'bulkMoveWorkspaceItems', answers: [pick('Top of the Workspace')] },
    { ...removed, operation: 'bulkDeleteWorkspaceItems', answers: [type('x')] },
    { ...draft, operation: 'getWorkbookDashboard', answers: [] },
    { ...draft, operation: 'updateWorkbookDashboard', answers: [], saves: { title: 'Refused' } },
    { ...published, operation: 'publishDashboard', answers: [pick('Publish')] },
    { ...thread, operation: 'setAiWidgetThread', answers: [pick('why'), type('thread-9')] },
    { ...access, operation: 'getEmbedAccess', answers: [], goesOn: [404] },
    { ...access, operation: 'listEmbedTenants', answers: [], goesOn: [404] },
    { ...access, operation: 'setEmbedAccess', answers: [pick('All embed users'), pick('Read')] },
    { ...embed, operation: 'setDashboardEmbedding', answers: [publicId, pick('Off')] },
    { ...python, operation: 'runPythonReport', answers: [publicId, type('report-01'), type('[]')] },
  ],
};
