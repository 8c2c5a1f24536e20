import * as api from '#api/resources/workbooks.ts';
import { dashboardOf, findWorkbook } from '../core/dashboards.ts';
import { invalid, notFound } from '../core/refusal.ts';
import { json } from '../core/rows.ts';
import { folderIdIn, workbookJson, type WorkbookRow } from '../core/workspace.ts';
import { cursorPage } from './lists.ts';
import { record } from './record.ts';
import { type Call, route } from './route.ts';

/** The name `embed_access` keeps for a grant to all embed users. */
const everybody = '*';

export const workbookRoutes = [
  route(api.listWorkbooks, ({ core, deployment, query }) => {
    const rows = core.db
      .all<WorkbookRow>('SELECT * FROM workbooks WHERE deployment_id = ? ORDER BY name, id', deployment.id)
      .filter(
        (row) =>
          (query.search === undefined || row.name.toLowerCase().includes(query.search.toLowerCase())) &&
          (query.folderId === undefined || row.folder_id === Number(query.folderId)),
      );
    return cursorPage(
      rows,
      query,
      ({ name, id }) => ({ value: name, id }),
      (row) => workbookJson(core, row),
    );
  }),

  route(api.upsertWorkbookBySlug, (call) => {
    const { core, caller, deployment, params, body } = call;
    const old = bySlug(core, deployment.id, params.slug);
    const { name, folderId, ...more } = body;
    const folder =
      folderId === undefined ? (old?.folder_id ?? null) : folderIdIn(core, deployment.id, folderId, 'folderId');
    core.db.run(
      `INSERT INTO workbooks (deployment_id, slug, name, folder_id, owner_id, data, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (deployment_id, slug) DO UPDATE SET name = excluded.name, folder_id = excluded.folder_id,
         data = excluded.data, updated_at = excluded.updated_at`,
      deployment.id,
      params.slug,
      name ?? old?.name ?? params.slug,
      folder,
      caller.userId,
      JSON.stringify({ ...json(old?.data), ...more }),
      core.now(),
      core.now(),
    );
    record(call, old === undefined ? 'workbook.created' : 'workbook.updated', { slug: params.slug }, deployment.id);
    return workbookJson(core, bySlug(core, deployment.id, params.slug) as WorkbookRow);
  }),

  route(api.duplicateWorkbook, (call) => {
    const { core, caller, deployment, params, body } = call;
    const source = findWorkbook(core, deployment.id, params.workbookId);
    if (body?.shared === true && source.shared === 0) {
      throw invalid(`Workbook "${source.name}" is not in the shared workspace.`);
    }
    const slug = freeSlug(core, deployment.id, source.slug);
    core.db.transaction(() => {
      const { id } = core.db.run(
        `INSERT INTO workbooks (deployment_id, slug, name, folder_id, owner_id, data, created_at, updated_at)
         SELECT deployment_id, ?, name || ' (copy)', folder_id, ?, data, ?, ? FROM workbooks WHERE id = ?`,
        slug,
        caller.userId,
        core.now(),
        core.now(),
        source.id,
      );
      const { draft, published } = dashboardOf(core, source.id);
      const data = JSON.stringify({ fromSharedWorkspace: body?.shared === true });
      core.db.run(
        'UPDATE dashboards SET draft = ?, data = ? WHERE id = ?',
        draft ?? published,
        data,
        dashboardOf(core, id).id,
      );
    });
    record(call, 'workbook.duplicated', { id: source.id, slug }, deployment.id);
    return workbookJson(core, bySlug(core, deployment.id, slug) as WorkbookRow);
  }),

  route(api.getEmbedAccess, ({ core, deployment, params }) => {
    const workbook = findWorkbook(core, deployment.id, params.workbookId);
    const rows = core.db.all<{ embed_tenant: string; action: string }>(
      'SELECT embed_tenant, action FROM embed_access WHERE workbook_id = ? ORDER BY embed_tenant',
      workbook.id,
    );
    return {
      data: rows.map(({ embed_tenant: name, action }) =>
        name === everybody ? { allEmbedUsers: true, action } : { embedTenantName: name, action },
      ),
    };
  }),

  route(api.setEmbedAccess, (call) => {
    const { core, caller, deployment, params, body } = call;
    const workbook = findWorkbook(core, deployment.id, params.workbookId);
    const actions: readonly string[] = api.embedAccessActions;
    if (!actions.includes(body.action)) throw invalid(`action: must be one of ${actions.join(', ')}`);
    const name = body.embedTenantName ?? everybody;
    const known = core.db.get('SELECT 1 FROM embed_tenants WHERE tenant_id = ? AND name = ?', caller.tenantId, name);
    if (name !== everybody && known === undefined) throw notFound(`Embed tenant "${name}"`);
    core.db.run(
      `INSERT INTO embed_access (workbook_id, embed_tenant, action) VALUES (?, ?, ?)
       ON CONFLICT (workbook_id, embed_tenant) DO UPDATE SET action = excluded.action`,
      workbook.id,
      name,
      body.action,
    );
    record(call, 'embedAccess.updated', { ...body, workbookId: workbook.id }, deployment.id);
  }),
];

const bySlug = (core: Call['core'], deploymentId: number, slug: string): WorkbookRow | undefined =>
  core.db.get<WorkbookRow>('SELECT * FROM workbooks WHERE deployment_id = ? AND slug = ?', deploymentId, slug);

function freeSlug(core: Call['core'], deploymentId: number, slug: string): string {
  let number = 2;
  while (bySlug(core, deploymentId, `${slug}-${number}`) !== undefined) number++;
  return `${slug}-${number}`;
}
