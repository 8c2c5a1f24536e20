/** Tenants, the people in them, their credentials and what is configured for a whole account. */
export const accountTables = `
CREATE TABLE seeded (name TEXT NOT NULL);
CREATE TABLE tenants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_name TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL DEFAULT '{}',
  audit_enabled INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id INTEGER NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
  email TEXT NOT NULL COLLATE NOCASE,
  is_active INTEGER NOT NULL DEFAULT 1,
  is_admin INTEGER NOT NULL DEFAULT 0,
  data TEXT NOT NULL DEFAULT '{}',
  created_at TEXT NOT NULL,
  UNIQUE (tenant_id, email)
);
CREATE TABLE groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id INTEGER NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  UNIQUE (tenant_id, name)
);
CREATE TABLE user_groups (
  user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  group_id INTEGER NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, group_id)
);
CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id INTEGER NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  scoped INTEGER NOT NULL DEFAULT 0,
  permissions TEXT NOT NULL DEFAULT '[]',
  expires_at TEXT
);
CREATE TABLE device_codes (
  device_code TEXT PRIMARY KEY,
  user_code TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL,
  user_id INTEGER REFERENCES users(id) ON DELETE CASCADE,
  last_poll INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER NOT NULL
);
CREATE TABLE access_tokens (
  hash TEXT PRIMARY KEY,
  key_id INTEGER NOT NULL REFERENCES api_keys(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
  expires_at INTEGER NOT NULL
);
CREATE TABLE user_attributes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id INTEGER NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('string', 'number', 'boolean', 'string_array', 'number_array')),
  data TEXT NOT NULL DEFAULT '{}',
  UNIQUE (tenant_id, name)
);
CREATE TABLE user_attribute_values (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  attribute_id INTEGER NOT NULL REFERENCES user_attributes(id) ON DELETE CASCADE,
  value TEXT NOT NULL,
  UNIQUE (user_id, attribute_id)
);
CREATE TABLE oauth_integrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id INTEGER NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  data TEXT NOT NULL DEFAULT '{}',
  UNIQUE (tenant_id, name)
);
CREATE TABLE user_oauth_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  integration_id INTEGER NOT NULL REFERENCES oauth_integrations(id) ON DELETE CASCADE,
  data TEXT NOT NULL DEFAULT '{}',
  UNIQUE (user_id, integration_id)
);
CREATE TABLE oidc_token_configs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id INTEGER NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  data TEXT NOT NULL DEFAULT '{}',
  UNIQUE (tenant_id, name)
);
CREATE TABLE embed_tenants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id INTEGER NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (tenant_id, name)
);
CREATE TABLE embed_users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  embed_tenant_id INTEGER NOT NULL REFERENCES embed_tenants(id) ON DELETE CASCADE,
  external_id TEXT NOT NULL COLLATE NOCASE,
  data TEXT NOT NULL DEFAULT '{}',
  UNIQUE (embed_tenant_id, external_id)
);
CREATE TABLE embed_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  embed_tenant_id INTEGER NOT NULL REFERENCES embed_tenants(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  data TEXT NOT NULL DEFAULT '{}',
  UNIQUE (embed_tenant_id, name)
);
CREATE TABLE embed_group_users (
  group_id INTEGER NOT NULL REFERENCES embed_groups(id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES embed_users(id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, user_id)
);
CREATE TABLE github_installations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id INTEGER NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
  owner TEXT NOT NULL,
  UNIQUE (tenant_id, owner)
);
CREATE TABLE audit_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id INTEGER NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
  date TEXT NOT NULL,
  event_name TEXT NOT NULL,
  user_email TEXT NOT NULL,
  deployment_id INTEGER,
  data TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_by_date ON audit_events (tenant_id, date);
`;
