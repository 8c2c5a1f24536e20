import * as v from 'valibot';

/** A workspace folder (docs/platform-api.md#listfolders). */
export interface WorkspaceFolder {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | undefined;
}

/** A report or a workbook as it is kept on this machine. */
export const workspaceItemSchema = v.object({
  type: v.picklist(['REPORT', 'WORKBOOK']),
  id: v.string(),
  name: v.string(),
  publicId: v.exactOptional(v.string()),
  folderId: v.exactOptional(v.string()),
  folderPath: v.array(v.string()),
  canEdit: v.boolean(),
  canManage: v.boolean(),
  facts: v.exactOptional(v.array(v.string())),
});

/** A report or a workbook: what the tree shows of either. */
export interface WorkspaceItem {
  readonly type: 'REPORT' | 'WORKBOOK';
  readonly id: string;
  readonly name: string;
  /** A report's public id or a workbook's slug: how links and upserts name it. */
  readonly publicId?: string | undefined;
  readonly folderId?: string | undefined;
  /** Names of the folders that hold it, outermost first. */
  readonly folderPath: readonly string[];
  readonly canEdit: boolean;
  readonly canManage: boolean;
  /** Further facts from the platform, a sentence each, for its tooltip. */
  readonly facts?: readonly string[] | undefined;
}

/** What is loaded so far of a list that comes page by page. */
export interface Paged<T> {
  readonly items: readonly T[];
  /** Where the next page starts; `undefined` when everything is here. */
  readonly next: string | undefined;
}
