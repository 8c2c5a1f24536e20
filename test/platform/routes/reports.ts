import * as api from '#api/resources/reports.ts';
import { conflict, invalid, notFound } from '../core/refusal.ts';
import { json } from '../core/rows.ts';
import { folderIdIn, reportJson, type ReportRow } from '../core/workspace.ts';
import { isConstraintError } from '../state/database.ts';
import { compare, cursorPage, type SortKey } from './lists.ts';
import { record } from './record.ts';
import { type Call, route } from './route.ts';

const sortColumns = {
  name: 'name',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  lastViewedAt: 'last_viewed_at',
} as const satisfies Record<string, keyof ReportRow>;

const isSort = (name: string): name is keyof typeof sortColumns => Object.hasOwn(sortColumns, name);

export const reportRoutes = [
  route(api.listReports, ({ core, caller, deployment, query }) => {
    const { sortBy = 'name' } = query;
    if (!isSort(sortBy)) throw invalid(`sortBy: must be one of ${api.reportSorts.join(', ')}`);
    const column = sortColumns[sortBy];
    const keyOf = (row: ReportRow): SortKey => ({ value: row[column] ?? '', id: row.id });
    const rows = core.db
      .all<ReportRow>('SELECT * FROM reports WHERE deployment_id = ?', deployment.id)
      .filter(
        (row) =>
          (query.search === undefined || row.name.toLowerCase().includes(query.search.toLowerCase())) &&
          (query.folderId === undefined || row.folder_id === Number(query.folderId)) &&
          (query.externalWorkbookId === undefined || isPlacedIn(core, row, String(query.externalWorkbookId))),
      )
      .sort((a, b) => compare(keyOf(a), keyOf(b)));
    if (query.sortBy !== 'lastViewedAt') return cursorPage(rows, query, keyOf, (row) => reportJson(core, row, caller));
    // The last viewed comes first, and cursor paging is unavailable (docs/platform-api.md#listreports).
    const items = rows
      .reverse()
      .slice(0, query.first ?? 50)
      .map((row) => reportJson(core, row, caller));
    return { items, pageInfo: { hasNextPage: false, endCursor: null }, data: items, count: rows.length };
  }),

  route(api.upsertReportByPublicId, (call) => {
    const { core, caller, deployment, params, body } = call;
    const old = core.db.get<ReportRow>(
      'SELECT * FROM reports WHERE deployment_id = ? AND public_id = ?',
      deployment.id,
      params.publicId,
    );
    const { name, publicId, folderId, ...more } = body;
    const folder =
      folderId === undefined ? (old?.folder_id ?? null) : folderIdIn(core, deployment.id, folderId, 'folderId');
    const values = [publicId ?? params.publicId, name ?? old?.name ?? params.publicId, folder] as const;
    const data = JSON.stringify({ ...json(old?.data), ...more });
    try {
      if (old === undefined) {
        core.db.run(
          `INSERT INTO reports (public_id, name, folder_id, data, updated_at, created_at, deployment_id, owner_id)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          ...values,
          data,
          core.now(),
          core.now(),
          deployment.id,
          caller.userId,
        );
      } else {
        core.db.run(
          'UPDATE reports SET public_id = ?, name = ?, folder_id = ?, data = ?, updated_at = ? WHERE id = ?',
          ...values,
          data,
          core.now(),
          old.id,
        );
      }
    } catch (error) {
      throw isConstraintError(error) ? conflict(`A report with the public id "${values[0]}" exists already.`) : error;
    }
    record(call, old === undefined ? 'report.created' : 'report.updated', { publicId: values[0] }, deployment.id);
    const row = core.db.get<ReportRow>(
      'SELECT * FROM reports WHERE deployment_id = ? AND public_id = ?',
      deployment.id,
      values[0],
    );
    return reportJson(core, row as ReportRow, caller);
  }),

  route(api.connectReportToWorkbook, (call) => {
    const { core, caller, deployment, params, body } = call;
    const row = core.db.get<ReportRow>(
      'SELECT * FROM reports WHERE deployment_id = ? AND id = ?',
      deployment.id,
      Number(params.reportId),
    );
    if (row === undefined) throw notFound(`Report ${params.reportId}`);
    core.db.run(
      `INSERT INTO report_placements (report_id, external_workbook_id, result_location, end_result_cell) VALUES (?, ?, ?, ?)
       ON CONFLICT (report_id, external_workbook_id, result_location)
       DO UPDATE SET end_result_cell = excluded.end_result_cell`,
      row.id,
      body.externalWorkbookId,
      body.resultLocation,
      body.endResultCell,
    );
    record(call, 'report.connected', { id: row.id, externalWorkbookId: body.externalWorkbookId }, deployment.id);
    return reportJson(core, row, caller);
  }),
];

const isPlacedIn = (core: Call['core'], row: ReportRow, workbookId: string): boolean =>
  core.db.get(
    'SELECT 1 FROM report_placements WHERE report_id = ? AND external_workbook_id = ?',
    row.id,
    workbookId,
  ) !== undefined;
