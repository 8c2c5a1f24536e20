import { bulkFailures, type BulkResult } from '#api/resources/bulk-results.ts';
import { bulkDeleteWorkspaceItems, bulkMoveWorkspaceItems } from '#api/resources/workspace.ts';
import type { Client } from '#api/client/client.ts';

/** A workspace item, as bulk operations identify it. */
export interface ItemReference {
  readonly type: 'FOLDER' | 'WORKBOOK' | 'REPORT';
  readonly id: string;
  readonly name: string;
  /** A report's public id or a workbook's slug, if known. */
  readonly publicId?: string | undefined;
  /** The folder of a report or a workbook, if known. */
  readonly folderId?: string | undefined;
}

export interface BulkOutcome {
  readonly done: readonly ItemReference[];
  readonly failed: readonly { readonly item: ItemReference; readonly error: string }[];
}

/** Deletes items; a failure does not stop the others (docs/platform-api.md#bulkdeleteworkspaceitems). */
export async function deleteItems(
  client: Client,
  deploymentId: string,
  items: readonly ItemReference[],
): Promise<BulkOutcome> {
  const body = { items: items.map(({ type, id }) => ({ type, id })) };
  const { results } = await client.call(bulkDeleteWorkspaceItems, { params: { deploymentId }, body });
  return outcome(items, results);
}

/** Moves items to a folder; `undefined` is the top level of the workspace. */
export async function moveItems(
  client: Client,
  deploymentId: string,
  items: readonly ItemReference[],
  folderId: string | undefined,
): Promise<BulkOutcome> {
  const body = { items: items.map(({ type, id }) => ({ type, id })), targetFolderId: folderId ?? null };
  const { results } = await client.call(bulkMoveWorkspaceItems, { params: { deploymentId }, body });
  return outcome(items, results);
}

function outcome(items: readonly ItemReference[], results: readonly BulkResult[]): BulkOutcome {
  // A folder, a workbook and a report can have the same id.
  const failed = bulkFailures(
    items,
    results,
    (item, { type, id }) => id === item.id && (type === undefined || type === item.type),
  );
  return { done: items.filter((item) => !failed.some((one) => one.item === item)), failed };
}
