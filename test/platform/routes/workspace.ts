import * as api from '#api/resources/workspace.ts';
import type { Core } from '../core/core.ts';
import { folderIdIn, type FolderRow, folderPath } from '../core/workspace.ts';
import { isConstraintError } from '../state/database.ts';
import { record } from './record.ts';
import { type Call, route } from './route.ts';

interface Item {
  readonly type: 'FOLDER' | 'WORKBOOK' | 'REPORT';
  readonly id: string | number;
}

interface ItemResult {
  readonly type: Item['type'];
  readonly id: string;
  readonly ok: boolean;
  readonly error?: string;
}

const tables = { FOLDER: 'folders', WORKBOOK: 'workbooks', REPORT: 'reports' } as const;

export const workspaceRoutes = [
  route(api.bulkDeleteWorkspaceItems, (call) => {
    const results = call.body.items.map((item) => attempt(call, item, (id) => deleteItem(call.core, item, id)));
    recordBulk(call, 'workspace.deleted', results);
    return { results };
  }),

  route(api.bulkMoveWorkspaceItems, (call) => {
    const target = folderIdIn(call.core, call.deployment.id, call.body.targetFolderId, 'targetFolderId');
    const results = call.body.items.map((item) => attempt(call, item, (id) => moveItem(call.core, item, id, target)));
    recordBulk(call, 'workspace.moved', results);
    return { results };
  }),
];

type Actor = Pick<Call, 'core' | 'caller' | 'deployment'>;

/** Does one item; what is wrong with it does not stop the others (docs/platform-api.md#bulkdeleteworkspaceitems). */
function attempt(call: Actor, item: Item, work: (id: number) => string | undefined): ItemResult {
  const id = Number(item.id);
  const known = call.core.db.get<{ owner_id?: number | null }>(
    `SELECT * FROM ${tables[item.type]} WHERE deployment_id = ? AND id = ?`,
    call.deployment.id,
    id,
  );
  const error =
    known === undefined ? `There is no ${item.type.toLowerCase()} ${item.id}.` : (refused(call, known) ?? work(id));
  return error === undefined
    ? { type: item.type, id: String(item.id), ok: true }
    : { type: item.type, id: String(item.id), ok: false, error };
}

/** Other people's reports and workbooks are theirs, unless the caller is an administrator. */
function refused({ caller }: Actor, row: { readonly owner_id?: number | null }): string | undefined {
  const mine = caller.isAdmin || row.owner_id === undefined || row.owner_id === null || row.owner_id === caller.userId;
  return mine ? undefined : 'It belongs to someone else.';
}

function deleteItem(core: Core, item: Item, id: number): string | undefined {
  try {
    if (item.type === 'FOLDER' && hasSubfolder(core, id)) return 'The folder is not empty.';
    core.db.run(`DELETE FROM ${tables[item.type]} WHERE id = ?`, id);
    return undefined;
  } catch (error) {
    if (isConstraintError(error)) return 'The folder is not empty.';
    throw error;
  }
}

function moveItem(core: Core, item: Item, id: number, target: number | null): string | undefined {
  if (item.type === 'FOLDER' && folderPath(core, target).some((folder) => folder.id === String(id))) {
    return 'A folder cannot be moved into itself.';
  }
  const column = item.type === 'FOLDER' ? 'parent_id' : 'folder_id';
  core.db.run(`UPDATE ${tables[item.type]} SET ${column} = ? WHERE id = ?`, target, id);
  return undefined;
}

const hasSubfolder = (core: Core, id: number): boolean =>
  core.db.get<FolderRow>('SELECT * FROM folders WHERE parent_id = ?', id) !== undefined;

function recordBulk(call: Actor, eventName: string, results: readonly ItemResult[]): void {
  const done = results.filter(({ ok }) => ok).map(({ type, id }) => ({ type, id }));
  if (done.length > 0) record(call, eventName, { items: done }, call.deployment.id);
}
