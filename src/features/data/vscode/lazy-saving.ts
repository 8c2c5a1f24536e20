import type { WindowTrust } from '#shell/trust.ts';
import type { FolderWithModel, QuerySaving } from './query-saving.ts';

/** As `openQuerySaving`, whose bundle it loads: what writes YAML is large. */
export async function lazyQuerySaving(
  trust: WindowTrust,
  linked: FolderWithModel | undefined,
  folder: string,
): Promise<QuerySaving> {
  const { openQuerySaving } = await import('#features/data/vscode/query-saving.ts');
  return openQuerySaving(trust, linked, folder);
}
