/** Deployments and what runs in them. Commits and files are not here: they are in the Git repository. */
export const deploymentTables = `
CREATE TABLE deployments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id INTEGER NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  deploy_mode TEXT NOT NULL CHECK (deploy_mode IN ('git', 'cli')),
  creation_method TEXT NOT NULL,
  creation_step TEXT NOT NULL,
  cloud_provider TEXT NOT NULL,
  region TEXT NOT NULL,
  version TEXT NOT NULL,
  release_channel TEXT NOT NULL,
  deploy_branch TEXT NOT NULL,
  github TEXT,
  service_tokens_enabled INTEGER NOT NULL DEFAULT 0,
  data TEXT NOT NULL DEFAULT '{}',
  UNIQUE (tenant_id, name)
);
CREATE TABLE api_key_deployments (
  key_id INTEGER NOT NULL REFERENCES api_keys(id) ON DELETE CASCADE,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  PRIMARY KEY (key_id, deployment_id)
);
CREATE TABLE branches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  parent TEXT,
  owner_id INTEGER REFERENCES users(id) ON DELETE SET NULL,
  is_dev INTEGER NOT NULL DEFAULT 0,
  staging INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  UNIQUE (deployment_id, name)
);
CREATE TABLE dev_mode (
  key_id INTEGER NOT NULL REFERENCES api_keys(id) ON DELETE CASCADE,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  branch_id INTEGER NOT NULL REFERENCES branches(id) ON DELETE CASCADE,
  PRIMARY KEY (key_id, deployment_id)
);
CREATE TABLE environments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  branch_name TEXT NOT NULL,
  UNIQUE (deployment_id, branch_name)
);
CREATE TABLE builds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  branch_name TEXT NOT NULL,
  status TEXT NOT NULL,
  error_text TEXT,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  UNIQUE (deployment_id, branch_name)
);
CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  branch_name TEXT NOT NULL,
  key_id INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE TABLE upload_files (
  upload_id TEXT NOT NULL REFERENCES uploads(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  hash TEXT NOT NULL,
  staged TEXT NOT NULL,
  PRIMARY KEY (upload_id, path)
);
CREATE TABLE journal (
  id TEXT PRIMARY KEY,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  branch_name TEXT NOT NULL,
  change TEXT NOT NULL
);
CREATE TABLE env_vars (
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  is_secret INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (deployment_id, name)
);
CREATE TABLE logs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  date TEXT NOT NULL,
  source TEXT NOT NULL,
  container TEXT NOT NULL,
  pod TEXT NOT NULL,
  branch_name TEXT,
  message TEXT NOT NULL
);
CREATE INDEX logs_by_deployment ON logs (deployment_id, id);
CREATE TABLE versions_run (
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  version TEXT NOT NULL,
  release_channel TEXT NOT NULL,
  PRIMARY KEY (deployment_id, version)
);
CREATE TABLE agents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id INTEGER NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  is_default INTEGER NOT NULL DEFAULT 0
);
`;
