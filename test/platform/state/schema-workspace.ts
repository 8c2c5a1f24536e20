/** Folders, reports, workbooks, dashboards and notifications of a deployment. */
export const workspaceTables = `
CREATE TABLE folders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  parent_id INTEGER REFERENCES folders(id) ON DELETE CASCADE,
  created_at TEXT NOT NULL
);
CREATE TABLE workbooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  folder_id INTEGER REFERENCES folders(id),
  owner_id INTEGER REFERENCES users(id) ON DELETE SET NULL,
  shared INTEGER NOT NULL DEFAULT 0,
  data TEXT NOT NULL DEFAULT '{}',
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (deployment_id, slug)
);
CREATE TABLE dashboards (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workbook_id INTEGER NOT NULL UNIQUE REFERENCES workbooks(id) ON DELETE CASCADE,
  public_id TEXT NOT NULL UNIQUE,
  draft TEXT,
  published TEXT,
  embedding INTEGER NOT NULL DEFAULT 0,
  data TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE widget_threads (
  dashboard_id INTEGER NOT NULL REFERENCES dashboards(id) ON DELETE CASCADE,
  widget_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  checksum TEXT,
  PRIMARY KEY (dashboard_id, widget_id)
);
CREATE TABLE embed_access (
  workbook_id INTEGER NOT NULL REFERENCES workbooks(id) ON DELETE CASCADE,
  embed_tenant TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('read', 'none')),
  PRIMARY KEY (workbook_id, embed_tenant)
);
CREATE TABLE reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  public_id TEXT NOT NULL,
  name TEXT NOT NULL,
  folder_id INTEGER REFERENCES folders(id),
  owner_id INTEGER REFERENCES users(id) ON DELETE SET NULL,
  data TEXT NOT NULL DEFAULT '{}',
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  last_viewed_at TEXT,
  UNIQUE (deployment_id, public_id)
);
CREATE TABLE report_placements (
  report_id INTEGER NOT NULL REFERENCES reports(id) ON DELETE CASCADE,
  external_workbook_id TEXT NOT NULL,
  result_location TEXT NOT NULL,
  end_result_cell TEXT,
  PRIMARY KEY (report_id, external_workbook_id, result_location)
);
CREATE TABLE notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deployment_id INTEGER NOT NULL REFERENCES deployments(id) ON DELETE CASCADE,
  dashboard_id INTEGER NOT NULL REFERENCES dashboards(id) ON DELETE CASCADE,
  data TEXT NOT NULL DEFAULT '{}',
  created_at TEXT NOT NULL
);
`;
