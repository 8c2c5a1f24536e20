import * as api from '#api/resources/scim.ts';
import { json } from '../core/rows.ts';
import { requireAdmin, route } from './route.ts';
import type { UserRow } from './users.ts';

/** SCIM 2.0 lists (docs/platform-api.md#scim): `startIndex` counts from 1. */
export const scimRoutes = [
  route(api.listScimUsers, ({ core, caller, query }) => {
    requireAdmin(caller);
    const rows = core.db.all<UserRow>('SELECT * FROM users WHERE tenant_id = ? ORDER BY id', caller.tenantId);
    return page(rows, query, (row) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: String(row.id),
      userName: row.email,
      displayName: [json(row.data)['firstName'], json(row.data)['lastName']].filter(Boolean).join(' ') || row.email,
      active: row.is_active === 1,
      emails: [{ value: row.email, primary: true }],
    }));
  }),

  route(api.listScimGroups, ({ core, caller, query }) => {
    requireAdmin(caller);
    const rows = core.db.all<{ id: number; name: string }>(
      'SELECT id, name FROM groups WHERE tenant_id = ? ORDER BY id',
      caller.tenantId,
    );
    return page(rows, query, (row) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id: String(row.id),
      displayName: row.name,
      members: core.db
        .all<{ id: number; email: string }>(
          'SELECT u.id, u.email FROM users u JOIN user_groups m ON m.user_id = u.id WHERE m.group_id = ? ORDER BY u.id',
          row.id,
        )
        .map(({ id, email }) => ({ value: String(id), display: email })),
    }));
  }),
];

function page<Row>(
  rows: readonly Row[],
  query: { readonly count?: number | undefined; readonly startIndex?: number | undefined },
  toResource: (row: Row) => object,
): Response {
  const start = Math.max(1, query.startIndex ?? 1);
  const resources = rows.slice(start - 1, start - 1 + (query.count ?? 100)).map(toResource);
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: rows.length,
    startIndex: start,
    itemsPerPage: resources.length,
    Resources: resources,
  };
  return Response.json(body, { headers: { 'Content-Type': 'application/scim+json' } });
}
