import { folderPage, type PlatformData, reportPage, workbookPage } from '#features/platform/index.ts';
import type { ItemReference } from '#shell/bulk.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { findItem, type ItemPage } from './find-item.ts';

/** An item and its current parent folder on the platform; `undefined` at the top. */
interface Placed {
  readonly id: string;
  readonly folderId?: string | undefined;
}

/**
 * Resolves to those of `items` that the platform, rather than the loaded lists, has in a folder (`undefined`: at the top). Throws
 * `PlatformError`.
 */
export async function stillIn(
  data: PlatformData,
  { accountId, deploymentId }: DeploymentTarget,
  items: readonly ItemReference[],
  folderId: string | undefined,
): Promise<readonly ItemReference[]> {
  const client = data.client(accountId);
  const pages: Readonly<Record<ItemReference['type'], ItemPage<Placed>>> = {
    FOLDER: async (request) => {
      const { items: folders, next } = await folderPage(client, deploymentId, request);
      return { items: folders.map(({ id, parentId }) => ({ id, folderId: parentId })), next };
    },
    REPORT: async (request) => reportPage(client, deploymentId, request),
    WORKBOOK: async (request) => workbookPage(client, deploymentId, request),
  };
  const there: ItemReference[] = [];
  for (const item of items) {
    // The platform cannot search folders by text.
    const words = item.type === 'FOLDER' ? [] : [item.name];
    const now = await findItem(pages[item.type], ({ id }) => id === item.id, words);
    if (now && now.folderId === folderId) there.push(item);
  }
  return there;
}
