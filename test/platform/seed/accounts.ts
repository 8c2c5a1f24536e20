import { createKey } from '../auth/credentials.ts';
import type { Core } from '../core/core.ts';
import { demo } from './names.ts';
import { seedDate } from './dates.ts';

/** Accounts, people, groups, attributes, embedding and the keys that are not limited to deployments. */
export function seedAccounts(core: Core): void {
  core.db.transaction(() => {
    const shop = addTenant(core, demo.account);
    const acme = addTenant(core, demo.otherAccount);
    const ada = addUser(core, shop, demo.owner, 'Ada', 'Byron', true);
    const grace = addUser(core, shop, demo.colleague, 'Grace', 'Hopper', false);
    const linus = addUser(core, shop, demo.analyst, 'Linus', 'Pauling', false);
    const eve = addUser(core, acme, 'eve@acme.example', 'Eve', 'Curie', true);
    addGroup(core, shop, 'developers', [ada, grace]);
    addGroup(core, shop, 'analysts', [linus]);

    const { keys, keyNames } = demo;
    createKey(core.db, { tenantId: shop, userId: ada, name: keyNames.unscoped, secret: keys.unscoped });
    createKey(core.db, {
      tenantId: shop,
      userId: ada,
      name: keyNames.expired,
      secret: keys.expired,
      expiresAt: seedDate(-30),
    });
    createKey(core.db, {
      tenantId: shop,
      userId: grace,
      name: keyNames.colleague,
      secret: keys.colleague,
      permissions: [],
    });
    createKey(core.db, { tenantId: acme, userId: eve, name: keyNames.foreign, secret: keys.foreign });

    seedAttributes(core, shop, linus);
    seedEmbedding(core, shop);
    seedIntegrations(core, shop, ada);
  });
}

const addTenant = (core: Core, name: string): number =>
  core.db.run('INSERT INTO tenants (account_name) VALUES (?)', name).id;

function addUser(
  core: Core,
  tenant: number,
  email: string,
  firstName: string,
  lastName: string,
  admin: boolean,
): number {
  return core.db.run(
    'INSERT INTO users (tenant_id, email, is_admin, data, created_at) VALUES (?, ?, ?, ?, ?)',
    tenant,
    email,
    admin ? 1 : 0,
    JSON.stringify({ firstName, lastName, role: admin ? 'admin' : 'developer' }),
    seedDate(0),
  ).id;
}

function addGroup(core: Core, tenant: number, name: string, members: readonly number[]): void {
  const { id } = core.db.run('INSERT INTO groups (tenant_id, name) VALUES (?, ?)', tenant, name);
  for (const user of members) core.db.run('INSERT INTO user_groups (user_id, group_id) VALUES (?, ?)', user, id);
}

/** One attribute of each of the five types (docs/platform-api.md#users-and-attributes). */
function seedAttributes(core: Core, tenant: number, user: number): void {
  const attributes = [
    ['country', 'string', 'Germany'],
    ['discount_limit', 'number', 15],
    ['can_see_margin', 'boolean', true],
    ['regions', 'string_array', ['North', 'South']],
    ['store_ids', 'number_array', [1, 4, 7]],
  ] as const;
  for (const [name, type, value] of attributes) {
    const { id } = core.db.run(
      'INSERT INTO user_attributes (tenant_id, name, type) VALUES (?, ?, ?)',
      tenant,
      name,
      type,
    );
    core.db.run(
      'INSERT INTO user_attribute_values (user_id, attribute_id, value) VALUES (?, ?, ?)',
      user,
      id,
      JSON.stringify(value),
    );
  }
}

function seedEmbedding(core: Core, tenant: number): void {
  for (const [name, users] of [
    ['north-stores', ['mia', 'noah', 'lena']],
    ['wholesale', ['otto', 'ida']],
  ] as const) {
    const { id } = core.db.run(
      'INSERT INTO embed_tenants (tenant_id, name, created_at) VALUES (?, ?, ?)',
      tenant,
      name,
      seedDate(5),
    );
    const group = core.db.run("INSERT INTO embed_groups (embed_tenant_id, name) VALUES (?, 'managers')", id).id;
    for (const [at, externalId] of users.entries()) {
      const data = JSON.stringify({ email: `${externalId}@${name}.example`, displayName: externalId });
      const user = core.db.run(
        'INSERT INTO embed_users (embed_tenant_id, external_id, data) VALUES (?, ?, ?)',
        id,
        externalId,
        data,
      ).id;
      if (at === 0) core.db.run('INSERT INTO embed_group_users (group_id, user_id) VALUES (?, ?)', group, user);
    }
  }
}

function seedIntegrations(core: Core, tenant: number, user: number): void {
  const sheets = {
    provider: 'google',
    clientId: 'demo-client',
    authorizationUrl: 'https://accounts.example/authorize',
    tokenUrl: 'https://accounts.example/token',
    scopes: ['spreadsheets'],
  };
  const { id } = core.db.run(
    'INSERT INTO oauth_integrations (tenant_id, name, data) VALUES (?, ?, ?)',
    tenant,
    'Spreadsheets',
    JSON.stringify(sheets),
  );
  const token = { status: 'active', createdAt: seedDate(6), expiresAt: seedDate(400) };
  core.db.run(
    'INSERT INTO user_oauth_tokens (user_id, integration_id, data) VALUES (?, ?, ?)',
    user,
    id,
    JSON.stringify(token),
  );
  core.db.run(
    'INSERT INTO oidc_token_configs (tenant_id, name, data) VALUES (?, ?, ?)',
    tenant,
    'Warehouse',
    JSON.stringify({ issuer: 'https://shop.example', audience: 'warehouse', enabled: true }),
  );
  core.db.run('INSERT INTO github_installations (tenant_id, owner) VALUES (?, ?)', tenant, demo.github.owner);
}
