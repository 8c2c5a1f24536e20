import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import {
  changed,
  countIn,
  cursorListOf,
  idIn,
  idOut,
  inDeployment,
  openBody,
  openValue,
  opt,
  rowsOf,
  strictObject,
  text,
} from '#api/schema.ts';
import { folderPath } from './workspace.ts';

const tag = 'Reports';

export const reportSorts = ['name', 'createdAt', 'updatedAt', 'lastViewedAt'] as const;

const reportEntries = {
  id: idOut,
  name: v.string(),
  publicId: opt(v.string()),
  folderId: opt(idOut),
  folderPath: opt(folderPath),
  canEdit: opt(v.boolean()),
  canManage: opt(v.boolean()),
  createdAt: opt(v.string()),
  updatedAt: opt(v.string()),
  lastViewedAt: opt(v.string()),
  externalWorkbookPlacements: opt(
    rowsOf(v.looseObject({ workbookId: idOut, resultLocation: opt(v.string()), endResultCell: opt(v.string()) })),
  ),
};
const report = v.looseObject(reportEntries);
export type Report = v.InferOutput<typeof report>;

/** Returns a cursor list, except when sorted by `lastViewedAt`. See docs/platform-api.md#listreports. */
export const listReports = operation({
  id: 'listReports',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/reports',
  tag,
  summary: 'List the reports of the workspace.',
  params: inDeployment,
  query: v.pipe(
    strictObject({
      first: v.optional(countIn),
      after: v.optional(text),
      sortBy: v.optional(openValue(reportSorts)),
      search: v.optional(v.string()),
      folderId: v.optional(idIn),
      externalWorkbookId: v.optional(idIn),
    }),
    v.forward(
      v.check(
        (query) => query.sortBy !== 'lastViewedAt' || query.after === undefined,
        'must not be given when sorting by lastViewedAt',
      ),
      ['after'],
    ),
  ),
  answer: cursorListOf(report),
});

/** Undocumented fields pass through. See docs/platform-api.md#upsertreportbypublicid. */
export const upsertReportByPublicId = operation({
  id: 'upsertReportByPublicId',
  idempotent: false,
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/reports/by-public-id/{publicId}',
  tag,
  summary: 'Create or update a report by its public id.',
  params: strictObject({ deploymentId: idIn, publicId: text }),
  body: openBody({
    name: v.optional(text),
    publicId: v.optional(text),
    folderId: v.optional(v.nullable(idIn)),
  }),
  answer: changed(reportEntries),
});

/** Requires only read access to the report. See docs/platform-api.md#connectreporttoworkbook. */
export const connectReportToWorkbook = operation({
  id: 'connectReportToWorkbook',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}/connect-workbook',
  tag,
  summary: 'Link a report to a place in an external spreadsheet.',
  params: strictObject({ deploymentId: idIn, reportId: idIn }),
  body: strictObject({ externalWorkbookId: text, resultLocation: text, endResultCell: text }),
  answer: changed(reportEntries),
});
