import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Core } from '../core/core.ts';
import { seedAccounts } from './accounts.ts';
import { seedDeployments } from './deployments.ts';
import { seedWorkspace } from './workspace.ts';

/** `demo`: two accounts with everything in them; `empty`: the same accounts, people and keys, and no deployments. */
export type SeedName = 'demo' | 'empty';

export const seedNames: readonly SeedName[] = ['demo', 'empty'];

/** Fills a new data folder; one that was filled before stays as it is, and a half-filled one starts again. */
export async function seed(core: Core, name: SeedName): Promise<void> {
  if (core.db.get('SELECT 1 FROM seeded') !== undefined) return;
  core.db.raw.exec('DELETE FROM tenants; DELETE FROM sqlite_sequence;');
  for (const folder of ['git', 'github'])
    await rm(join(core.dataDir, folder), { recursive: true, force: true, maxRetries: 3 });
  seedAccounts(core);
  if (name === 'demo') {
    await seedDeployments(core);
    seedWorkspace(core);
  }
  core.db.run('INSERT INTO seeded (name) VALUES (?)', name);
}
