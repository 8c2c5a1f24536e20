import type { Core } from './core.ts';
import { invalid } from './refusal.ts';
import { json } from './rows.ts';

export interface FolderRow {
  readonly id: number;
  readonly name: string;
  readonly parent_id: number | null;
}

export interface ReportRow {
  readonly id: number;
  readonly deployment_id: number;
  readonly public_id: string;
  readonly name: string;
  readonly folder_id: number | null;
  readonly owner_id: number | null;
  readonly data: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_viewed_at: string | null;
}

export interface WorkbookRow {
  readonly id: number;
  readonly deployment_id: number;
  readonly slug: string;
  readonly name: string;
  readonly folder_id: number | null;
  readonly owner_id: number | null;
  readonly shared: number;
  readonly data: string;
}

/** The chain of folders from the top to `folderId` (docs/platform-api.md#workspace, `folderPath`). */
export function folderPath(core: Core, folderId: number | null): { readonly id: string; readonly name: string }[] {
  const rows = core.db.all<FolderRow>(
    `WITH RECURSIVE chain (id, name, parent_id, depth) AS (
       SELECT id, name, parent_id, 0 FROM folders WHERE id = ?
       UNION ALL SELECT f.id, f.name, f.parent_id, depth + 1 FROM folders f JOIN chain c ON f.id = c.parent_id)
     SELECT id, name, parent_id FROM chain ORDER BY depth DESC`,
    folderId,
  );
  return rows.map(({ id, name }) => ({ id: String(id), name }));
}

/** A folder's id as a request names it; null: the top of the workspace. @throws Refusal 400 */
export function folderIdIn(
  core: Core,
  deploymentId: number,
  value: string | number | null,
  field: string,
): number | null {
  if (value === null) return null;
  const row = core.db.get<FolderRow>(
    'SELECT * FROM folders WHERE deployment_id = ? AND id = ?',
    deploymentId,
    Number(value),
  );
  if (row === undefined) throw invalid(`${field}: there is no folder ${value}`);
  return row.id;
}

export function folderJson(core: Core, row: FolderRow): object {
  return {
    id: String(row.id),
    name: row.name,
    parentId: row.parent_id === null ? null : String(row.parent_id),
    folderPath: folderPath(core, row.parent_id),
  };
}

/** See docs/platform-api.md#workspace. */
export function reportJson(
  core: Core,
  row: ReportRow,
  viewer: { readonly userId: number; readonly isAdmin: boolean },
): object {
  const placements = core.db.all<{
    external_workbook_id: string;
    result_location: string;
    end_result_cell: string | null;
  }>('SELECT * FROM report_placements WHERE report_id = ? ORDER BY external_workbook_id, result_location', row.id);
  const mine = viewer.isAdmin || row.owner_id === viewer.userId;
  return {
    ...json(row.data),
    id: String(row.id),
    publicId: row.public_id,
    name: row.name,
    folderId: row.folder_id === null ? null : String(row.folder_id),
    folderPath: folderPath(core, row.folder_id),
    canEdit: mine,
    canManage: mine,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.last_viewed_at === null ? {} : { lastViewedAt: row.last_viewed_at }),
    externalWorkbookPlacements: placements.map((placement) => ({
      workbookId: placement.external_workbook_id,
      resultLocation: placement.result_location,
      endResultCell: placement.end_result_cell,
    })),
  };
}

export function workbookJson(core: Core, row: WorkbookRow): object {
  const owner = core.db.get<{ id: number; email: string; data: string }>(
    'SELECT id, email, data FROM users WHERE id = ?',
    row.owner_id,
  );
  return {
    ...json(row.data),
    id: String(row.id),
    slug: row.slug,
    name: row.name,
    folderId: row.folder_id === null ? null : String(row.folder_id),
    folderPath: folderPath(core, row.folder_id),
    shared: row.shared === 1,
    user: owner === undefined ? null : { id: String(owner.id), email: owner.email, name: nameOf(owner) },
  };
}

function nameOf(owner: { readonly email: string; readonly data: string }): string {
  const { firstName, lastName } = json(owner.data);
  const name = [firstName, lastName].filter((part) => typeof part === 'string').join(' ');
  return name === '' ? owner.email : name;
}
