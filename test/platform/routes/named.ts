import { conflict, notFound } from '../core/refusal.ts';
import { json } from '../core/rows.ts';
import { isConstraintError } from '../state/database.ts';
import type { Call } from './route.ts';

/** A row of one of the account's tables of named things whose further fields are free. */
export interface NamedRow {
  readonly id: number;
  readonly name: string;
  readonly data: string;
}

type Actor = Pick<Call, 'core' | 'caller'>;
type Table = 'oauth_integrations' | 'oidc_token_configs';

/** Reading and changing one such table; names are unique in an account. */
export function namedRows(table: Table, what: string) {
  const find = ({ core, caller }: Actor, id: string | number): NamedRow => {
    const row = core.db.get<NamedRow>(
      `SELECT id, name, data FROM ${table} WHERE id = ? AND tenant_id = ?`,
      Number(id),
      caller.tenantId,
    );
    if (row === undefined) throw notFound(`${what} ${id}`);
    return row;
  };
  return {
    find,
    all: ({ core, caller }: Actor): NamedRow[] =>
      core.db.all<NamedRow>(`SELECT id, name, data FROM ${table} WHERE tenant_id = ? ORDER BY id`, caller.tenantId),
    create: (call: Actor, { name, ...data }: { readonly name: string; readonly [more: string]: unknown }): NamedRow => {
      const { id } = unique(what, name, () =>
        call.core.db.run(
          `INSERT INTO ${table} (tenant_id, name, data) VALUES (?, ?, ?)`,
          call.caller.tenantId,
          name,
          JSON.stringify(data),
        ),
      );
      return find(call, id);
    },
    update: (
      call: Actor,
      id: string | number,
      { name, ...data }: { readonly name?: string | undefined; readonly [more: string]: unknown },
    ): NamedRow => {
      const old = find(call, id);
      unique(what, name ?? old.name, () =>
        call.core.db.run(
          `UPDATE ${table} SET name = ?, data = ? WHERE id = ?`,
          name ?? old.name,
          JSON.stringify({ ...json(old.data), ...data }),
          old.id,
        ),
      );
      return find(call, id);
    },
    remove: (call: Actor, id: string | number): NamedRow => {
      const old = find(call, id);
      call.core.db.run(`DELETE FROM ${table} WHERE id = ?`, old.id);
      return old;
    },
  };
}

function unique<T>(what: string, name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isConstraintError(error) ? conflict(`${what} "${name}" exists already.`) : error;
  }
}
