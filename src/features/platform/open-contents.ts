import type { Client } from '#api/client/client.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { BranchContents } from './branch-contents.ts';

/** Opens a reader of branches' files. Its streaming code comes with the sync engine, so it is loaded on demand. */
export async function openContents(client: (target: BranchTarget) => Client): Promise<BranchContents> {
  const { BranchContents } = await import('#features/platform/branch-contents.ts');
  return new BranchContents(client);
}
