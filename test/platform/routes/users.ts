import * as api from '#api/resources/users.ts';
import type { Core } from '../core/core.ts';
import { conflict, invalid, notFound } from '../core/refusal.ts';
import { json } from '../core/rows.ts';
import { isConstraintError } from '../state/database.ts';
import { record } from './record.ts';
import { type Call, requireAdmin, route } from './route.ts';

export interface UserRow {
  readonly id: number;
  readonly tenant_id: number;
  readonly email: string;
  readonly is_active: number;
  readonly is_admin: number;
  readonly data: string;
  readonly created_at: string;
}

type Actor = Pick<Call, 'core' | 'caller'>;

export const userRoutes = [
  route(api.createUser, (call) => {
    requireAdmin(call.caller);
    const { core, caller, body } = call;
    const { email, groups, ...data } = body;
    const id = uniqueEmail(email, () =>
      core.db.transaction(() => {
        const user = core.db.run(
          'INSERT INTO users (tenant_id, email, is_admin, data, created_at) VALUES (?, ?, ?, ?, ?)',
          caller.tenantId,
          email,
          body.role === 'admin' ? 1 : 0,
          JSON.stringify(data),
          core.now(),
        ).id;
        if (groups !== undefined) setGroups(core, caller.tenantId, user, groups);
        return user;
      }),
    );
    record(call, 'user.created', { email });
    return userJson(core, findUser(call, id));
  }),

  route(api.updateUser, (call) => {
    requireAdmin(call.caller);
    const { core, caller, body, params } = call;
    const old = findUser(call, params.id);
    const { email, groups, ...data } = body;
    uniqueEmail(email ?? old.email, () =>
      core.db.transaction(() => {
        core.db.run(
          'UPDATE users SET email = ?, is_admin = ?, data = ? WHERE id = ?',
          email ?? old.email,
          body.role === undefined ? old.is_admin : Number(body.role === 'admin'),
          JSON.stringify({ ...json(old.data), ...data }),
          old.id,
        );
        if (groups !== undefined) setGroups(core, caller.tenantId, old.id, groups);
      }),
    );
    record(call, 'user.updated', { email: email ?? old.email });
    return userJson(core, findUser(call, old.id));
  }),

  route(api.deleteUser, (call) => {
    requireAdmin(call.caller);
    const row = findUser(call, call.params.id);
    const refusal = refused(call, row);
    if (refusal !== undefined) throw invalid(refusal);
    call.core.db.run('DELETE FROM users WHERE id = ?', row.id);
    record(call, 'user.deleted', { email: row.email });
  }),

  route(api.bulkUsers, (call) => {
    requireAdmin(call.caller);
    const results = call.body.ids.map((id) => {
      const error = applyAction(call, call.body.action, id);
      return error === undefined ? { id: String(id), ok: true } : { id: String(id), ok: false, error };
    });
    record(call, 'users.bulk', { action: call.body.action, results });
    return { results };
  }),
];

/** @throws Refusal 404 */
export function findUser({ core, caller }: Actor, id: string | number): UserRow {
  const row = core.db.get<UserRow>('SELECT * FROM users WHERE id = ? AND tenant_id = ?', Number(id), caller.tenantId);
  if (row === undefined) throw notFound(`User ${id}`);
  return row;
}

function applyAction(
  call: Actor,
  action: (typeof api.bulkUserActions)[number],
  id: string | number,
): string | undefined {
  const { db } = call.core;
  const row = db.get<UserRow>('SELECT * FROM users WHERE id = ? AND tenant_id = ?', Number(id), call.caller.tenantId);
  if (row === undefined) return `There is no user ${id}.`;
  const refusal = action === 'ACTIVATE' ? undefined : refused(call, row);
  if (refusal !== undefined) return refusal;
  if (action === 'DELETE') db.run('DELETE FROM users WHERE id = ?', row.id);
  else db.run('UPDATE users SET is_active = ? WHERE id = ?', action === 'ACTIVATE' ? 1 : 0, row.id);
  return undefined;
}

const refused = ({ caller }: Actor, row: UserRow): string | undefined =>
  row.id === caller.userId ? 'You cannot delete or deactivate yourself.' : undefined;

/** Groups are made as they are named. */
function setGroups(core: Core, tenantId: number, userId: number, groups: readonly string[]): void {
  core.db.run('DELETE FROM user_groups WHERE user_id = ?', userId);
  for (const name of new Set(groups)) {
    core.db.run('INSERT OR IGNORE INTO groups (tenant_id, name) VALUES (?, ?)', tenantId, name);
    core.db.run(
      'INSERT INTO user_groups (user_id, group_id) SELECT ?, id FROM groups WHERE tenant_id = ? AND name = ?',
      userId,
      tenantId,
      name,
    );
  }
}

const groupsOf = (core: Core, userId: number): string[] =>
  core.db
    .all<{ name: string }>(
      'SELECT g.name FROM groups g JOIN user_groups u ON u.group_id = g.id WHERE u.user_id = ? ORDER BY g.name',
      userId,
    )
    .map(({ name }) => name);

const userJson = (core: Core, row: UserRow): object => ({
  ...json(row.data),
  id: String(row.id),
  email: row.email,
  status: row.is_active === 1 ? 'active' : 'inactive',
  role: row.is_admin === 1 ? 'admin' : (json(row.data)['role'] ?? 'developer'),
  groups: groupsOf(core, row.id),
  createdAt: row.created_at,
});

function uniqueEmail<T>(email: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isConstraintError(error) ? conflict(`A user with the e-mail address ${email} exists already.`) : error;
  }
}
