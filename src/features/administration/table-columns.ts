import { sortableTime } from '#base/timestamps.ts';
import type { Column } from '#base/cells.ts';
import type { AdminList, AdminRow } from './rows.ts';

/** A column of a table, and its cell in a row; `null` if the platform returned no value. */
interface TableColumn extends Column {
  readonly cell: (row: AdminRow) => string | null;
}

/** Returns the columns of a list: the name of its rows, fields of the platform's response, and the id. */
export function tableColumns(list: AdminList['list']): readonly TableColumn[] {
  return [column(first[list] ?? 'Name', ({ name }) => name), ...further[list], column('ID', ({ id }) => id)];
}

function column(name: string, cell: TableColumn['cell'], type = 'string'): TableColumn {
  return { name, type, cell };
}

/** Creates a column from a text, number or boolean field of the platform's response. */
function field(name: string, key: string): TableColumn {
  return column(name, ({ fields }) => textOf(fields[key]));
}

function time(name: string, key: string): TableColumn {
  return column(name, ({ fields }) => {
    const value = fields[key];
    return typeof value === 'string' ? sortableTime(value) : null;
  });
}

const members = column(
  'Members',
  ({ fields: { members: all } }) => (Array.isArray(all) ? String(all.length) : null),
  'number',
);

const embedUser = [field('Email', 'email'), field('External ID', 'externalId')];

/** The header of what rows are named by, where “Name” could mean several columns: users are named by their e-mail address. */
const first: Readonly<Partial<Record<AdminList['list'], string>>> = { users: 'User' };

const further: Readonly<Record<AdminList['list'], readonly TableColumn[]>> = {
  users: [
    field('Display Name', 'displayName'),
    column('Status', ({ active }) => (active === false ? 'inactive' : 'active')),
    field('Sign-In Name', 'userName'),
  ],
  groups: [members],
  attributes: [field('Type', 'type'), field('Display Name', 'displayName')],
  settings: [column('Detail', ({ detail }) => (detail === '' ? null : detail))],
  oauthIntegrations: [field('Provider', 'provider')],
  oauthTokens: [field('Status', 'status'), time('Connected', 'createdAt'), time('Expires', 'expiresAt')],
  oidcConfigs: [
    field('Issuer', 'issuer'),
    column('Status', ({ fields: { enabled } }) => (enabled === false ? 'disabled' : 'enabled')),
  ],
  embedTenants: [field('Display Name', 'displayName'), time('Created', 'createdAt')],
  embedUsers: embedUser,
  embedGroups: [field('Description', 'description')],
  members: embedUser,
};

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
