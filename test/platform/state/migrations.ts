import { accountTables } from './schema-account.ts';
import { deploymentTables } from './schema-deployment.ts';
import { workspaceTables } from './schema-workspace.ts';

/** The schema, one entry a version: never change an entry that was released, add one. */
export const migrations: readonly string[] = [
  `${accountTables}\n${deploymentTables}\n${workspaceTables}`,
  'ALTER TABLE upload_files ADD COLUMN size INTEGER NOT NULL DEFAULT 0',
];
