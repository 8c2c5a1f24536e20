import * as api from '#api/resources/embed.ts';
import { conflict, forbidden, invalid, notFound } from '../core/refusal.ts';
import type { DashboardRow } from '../core/dashboards.ts';
import { runPython } from '../core/python.ts';
import { json } from '../core/rows.ts';
import type { ReportRow } from '../core/workspace.ts';
import { isConstraintError } from '../state/database.ts';
import { record } from './record.ts';
import { type Call, requireAdmin, route } from './route.ts';

interface TenantRow {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
}

interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly data: string;
}

interface UserRow {
  readonly id: number;
  readonly external_id: string;
  readonly data: string;
}

type Actor = Pick<Call, 'core' | 'caller'>;

export const embedRoutes = [
  route(api.listEmbedTenants, ({ core, caller }) => ({
    data: core.db
      .all<TenantRow>('SELECT * FROM embed_tenants WHERE tenant_id = ? ORDER BY name', caller.tenantId)
      .map((row) => ({ id: String(row.id), name: row.name, createdAt: row.created_at })),
  })),

  route(api.listEmbedTenantUsers, (call) => {
    const tenant = findTenant(call, call.params.embedTenantName);
    const rows = call.core.db.all<UserRow>(
      'SELECT * FROM embed_users WHERE embed_tenant_id = ? ORDER BY id',
      tenant.id,
    );
    return { data: rows.map((row) => userJson(row)) };
  }),

  route(api.deleteEmbedTenant, (call) => {
    requireAdmin(call.caller);
    const tenant = findTenant(call, call.params.embedTenantName);
    call.core.db.transaction(() => {
      call.core.db.run('DELETE FROM embed_access WHERE embed_tenant = ?', tenant.name);
      call.core.db.run('DELETE FROM embed_tenants WHERE id = ?', tenant.id);
    });
    record(call, 'embedTenant.deleted', { name: tenant.name });
  }),

  route(api.createEmbedTenantGroup, (call) => {
    requireAdmin(call.caller);
    const tenant = findTenant(call, call.params.embedTenantName);
    const { name, ...data } = call.body;
    const { id } = uniqueName(name, () =>
      call.core.db.run(
        'INSERT INTO embed_groups (embed_tenant_id, name, data) VALUES (?, ?, ?)',
        tenant.id,
        name,
        JSON.stringify(data),
      ),
    );
    record(call, 'embedGroup.created', { embedTenantName: tenant.name, name });
    return groupJson(findGroup(call, tenant, id));
  }),

  route(api.getEmbedTenantGroup, (call) => groupJson(groupOf(call).group)),

  route(api.updateEmbedTenantGroup, (call) => {
    requireAdmin(call.caller);
    const { tenant, group } = groupOf(call);
    const { name, ...data } = call.body;
    uniqueName(name ?? group.name, () =>
      call.core.db.run(
        'UPDATE embed_groups SET name = ?, data = ? WHERE id = ?',
        name ?? group.name,
        JSON.stringify({ ...json(group.data), ...data }),
        group.id,
      ),
    );
    record(call, 'embedGroup.updated', { embedTenantName: tenant.name, name: name ?? group.name });
    return groupJson(findGroup(call, tenant, group.id));
  }),

  route(api.deleteEmbedTenantGroup, (call) => {
    requireAdmin(call.caller);
    const { tenant, group } = groupOf(call);
    call.core.db.run('DELETE FROM embed_groups WHERE id = ?', group.id);
    record(call, 'embedGroup.deleted', { embedTenantName: tenant.name, name: group.name });
  }),

  route(api.listEmbedTenantGroupUsers, (call) => {
    const rows = call.core.db.all<UserRow>(
      'SELECT u.* FROM embed_users u JOIN embed_group_users m ON m.user_id = u.id WHERE m.group_id = ? ORDER BY u.id',
      groupOf(call).group.id,
    );
    return { data: rows.map((row) => userJson(row)) };
  }),

  route(api.addEmbedTenantGroupUsers, (call) =>
    changeMembers(call, call.body.userIds, 'INSERT OR IGNORE INTO embed_group_users (group_id, user_id) VALUES (?, ?)'),
  ),

  route(api.removeEmbedTenantGroupUsers, (call) =>
    changeMembers(call, call.body.userIds, 'DELETE FROM embed_group_users WHERE group_id = ? AND user_id = ?'),
  ),

  route(api.setDashboardEmbedding, (call) => {
    const { enabled } = call.body;
    const row = findDashboard(call, call.params.publicId);
    if (enabled && row.published === null) throw invalid('Publish the dashboard before it is embedded.');
    call.core.db.run('UPDATE dashboards SET embedding = ? WHERE id = ?', Number(enabled), row.id);
    record(call, enabled ? 'dashboard.embeddingEnabled' : 'dashboard.embeddingDisabled', { publicId: row.public_id });
    return { publicId: row.public_id, enabled };
  }),

  route(api.runPythonReport, async (call) => {
    const row = findDashboard(call, call.params.publicId);
    if (row.embedding === 0) throw forbidden('Signed embedding is switched off for this dashboard.');
    const report = call.core.db.get<ReportRow>(
      `SELECT r.* FROM reports r JOIN workbooks w ON w.deployment_id = r.deployment_id
       WHERE w.id = ? AND (r.id = ? OR r.public_id = ?)`,
      row.workbook_id,
      Number(call.body?.reportId ?? 0),
      String(call.body?.reportId ?? ''),
    );
    const python = json(report?.data)['python'];
    if (typeof python !== 'string') throw invalid('reportId: must name a Python report of this deployment');
    record(call, 'report.pythonRun', { publicId: row.public_id });
    return runPython(python, { filters: call.body?.filters ?? [], dashboard: row.public_id });
  }),
];

function findTenant({ core, caller }: Actor, name: string): TenantRow {
  const row = core.db.get<TenantRow>(
    'SELECT * FROM embed_tenants WHERE tenant_id = ? AND name = ?',
    caller.tenantId,
    name,
  );
  if (row === undefined) throw notFound(`Embed tenant "${name}"`);
  return row;
}

function findGroup({ core }: Actor, tenant: TenantRow, id: string | number): GroupRow {
  const row = core.db.get<GroupRow>(
    'SELECT * FROM embed_groups WHERE embed_tenant_id = ? AND id = ?',
    tenant.id,
    Number(id),
  );
  if (row === undefined) throw notFound(`Group ${id} of "${tenant.name}"`);
  return row;
}

type InGroup = Actor & { readonly params: { readonly embedTenantName: string; readonly id: string | number } };

function groupOf(call: InGroup): { readonly tenant: TenantRow; readonly group: GroupRow } {
  const tenant = findTenant(call, call.params.embedTenantName);
  return { tenant, group: findGroup(call, tenant, call.params.id) };
}

/** All or none: a user who is not one of the tenant's is refused by name. */
function changeMembers(call: InGroup, userIds: readonly (string | number)[], sql: string): void {
  requireAdmin(call.caller);
  const { tenant, group } = groupOf(call);
  call.core.db.transaction(() => {
    for (const [at, id] of userIds.entries()) {
      const known = call.core.db.get(
        'SELECT 1 FROM embed_users WHERE embed_tenant_id = ? AND id = ?',
        tenant.id,
        Number(id),
      );
      if (known === undefined) throw invalid(`userIds.${at}: "${tenant.name}" has no user ${id}`);
      call.core.db.run(sql, group.id, Number(id));
    }
  });
  record(call, 'embedGroup.membersChanged', { embedTenantName: tenant.name, name: group.name });
}

function findDashboard({ core, caller }: Actor, publicId: string): DashboardRow {
  const row = core.db.get<DashboardRow>(
    `SELECT d.* FROM dashboards d JOIN workbooks w ON w.id = d.workbook_id
     JOIN deployments p ON p.id = w.deployment_id WHERE p.tenant_id = ? AND d.public_id = ?`,
    caller.tenantId,
    publicId,
  );
  if (row === undefined) throw notFound(`Dashboard "${publicId}"`);
  return row;
}

const groupJson = (row: GroupRow): object => ({ ...json(row.data), id: String(row.id), name: row.name });

const userJson = (row: UserRow): object => ({ ...json(row.data), id: String(row.id), externalId: row.external_id });

function uniqueName<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isConstraintError(error) ? conflict(`A group named "${name}" exists already.`) : error;
  }
}
