import * as api from '#api/resources/user-attributes.ts';
import { conflict, invalid, notFound } from '../core/refusal.ts';
import { json } from '../core/rows.ts';
import { isConstraintError } from '../state/database.ts';
import { record } from './record.ts';
import { type Call, requireAdmin, route } from './route.ts';
import { findUser } from './users.ts';

type AttributeType = (typeof api.userAttributeTypes)[number];

interface AttributeRow {
  readonly id: number;
  readonly name: string;
  readonly type: AttributeType;
  readonly data: string;
}

type Actor = Pick<Call, 'core' | 'caller'>;

export const userAttributeRoutes = [
  route(api.listUserAttributes, ({ core, caller }) => ({
    data: core.db
      .all<AttributeRow>('SELECT * FROM user_attributes WHERE tenant_id = ? ORDER BY id', caller.tenantId)
      .map((row) => attributeJson(row)),
  })),

  route(api.createUserAttribute, (call) => {
    requireAdmin(call.caller);
    const { name, type, ...data } = call.body;
    checkValue(type, data.defaultValue, 'defaultValue');
    const { id } = uniqueName(name, () =>
      call.core.db.run(
        'INSERT INTO user_attributes (tenant_id, name, type, data) VALUES (?, ?, ?, ?)',
        call.caller.tenantId,
        name,
        type,
        JSON.stringify(data),
      ),
    );
    record(call, 'userAttribute.created', { name, type });
    return attributeJson(find(call, id));
  }),

  route(api.updateUserAttribute, (call) => {
    requireAdmin(call.caller);
    const old = find(call, call.params.id);
    const { name, type, ...data } = call.body;
    checkValue(type ?? old.type, data.defaultValue, 'defaultValue');
    const used = call.core.db.get('SELECT 1 FROM user_attribute_values WHERE attribute_id = ?', old.id);
    if (type !== undefined && type !== old.type && used !== undefined) {
      throw conflict(`Users have values of "${old.name}": its type cannot change.`);
    }
    uniqueName(name ?? old.name, () =>
      call.core.db.run(
        'UPDATE user_attributes SET name = ?, type = ?, data = ? WHERE id = ?',
        name ?? old.name,
        type ?? old.type,
        JSON.stringify({ ...json(old.data), ...data }),
        old.id,
      ),
    );
    record(call, 'userAttribute.updated', { name: name ?? old.name });
    return attributeJson(find(call, old.id));
  }),

  route(api.listUserAttributeValues, (call) => {
    const user = findUser(call, call.params.userId);
    const rows = call.core.db.all<{ id: number; attribute_id: number; name: string; value: string }>(
      `SELECT v.id, v.attribute_id, a.name, v.value FROM user_attribute_values v
       JOIN user_attributes a ON a.id = v.attribute_id WHERE v.user_id = ? ORDER BY a.name`,
      user.id,
    );
    return { data: rows.map((row) => valueJson(user.id, row)) };
  }),

  route(api.upsertUserAttributeValue, (call) => {
    requireAdmin(call.caller);
    const user = findUser(call, call.body.userId);
    const attribute = find(call, call.body.attributeId);
    const { value } = call.body;
    record(call, 'userAttributeValue.set', { userId: user.id, name: attribute.name });
    if (value === null) {
      call.core.db.run(
        'DELETE FROM user_attribute_values WHERE user_id = ? AND attribute_id = ?',
        user.id,
        attribute.id,
      );
      return { userId: String(user.id), attributeId: String(attribute.id), name: attribute.name, value: null };
    }
    checkValue(attribute.type, value, 'value');
    call.core.db.run(
      `INSERT INTO user_attribute_values (user_id, attribute_id, value) VALUES (?, ?, ?)
       ON CONFLICT (user_id, attribute_id) DO UPDATE SET value = excluded.value`,
      user.id,
      attribute.id,
      JSON.stringify(value),
    );
    const row = call.core.db.get<{ id: number; value: string }>(
      'SELECT id, value FROM user_attribute_values WHERE user_id = ? AND attribute_id = ?',
      user.id,
      attribute.id,
    );
    return valueJson(user.id, {
      id: row?.id ?? 0,
      attribute_id: attribute.id,
      name: attribute.name,
      value: row?.value ?? '',
    });
  }),
];

const isOf: Readonly<Record<AttributeType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  string_array: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  number_array: (value) => Array.isArray(value) && value.every((item) => typeof item === 'number'),
};

function checkValue(type: AttributeType, value: unknown, field: string): void {
  if (value === undefined || value === null || isOf[type](value)) return;
  throw invalid(`${field}: must be of the attribute's type ${type}`);
}

function find({ core, caller }: Actor, id: string | number): AttributeRow {
  const row = core.db.get<AttributeRow>(
    'SELECT * FROM user_attributes WHERE id = ? AND tenant_id = ?',
    Number(id),
    caller.tenantId,
  );
  if (row === undefined) throw notFound(`User attribute ${id}`);
  return row;
}

function uniqueName<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isConstraintError(error) ? conflict(`A user attribute named "${name}" exists already.`) : error;
  }
}

const attributeJson = (row: AttributeRow): object => ({
  ...json(row.data),
  id: String(row.id),
  name: row.name,
  type: row.type,
});

const valueJson = (
  userId: number,
  row: { readonly id: number; readonly attribute_id: number; readonly name: string; readonly value: string },
): object => ({
  id: String(row.id),
  userId: String(userId),
  attributeId: String(row.attribute_id),
  name: row.name,
  value: JSON.parse(row.value) as unknown,
});
