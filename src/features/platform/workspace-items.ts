import * as v from 'valibot';

/** A workspace folder (docs/platform-api.md#listfolders). */
export interface WorkspaceFolder {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | undefined;
}

/** A report or workbook as it is stored on this machine. */
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

/** A report or workbook, with the fields that the tree shows of both. */
export interface WorkspaceItem {
  readonly type: 'REPORT' | 'WORKBOOK';
  readonly id: string;
  readonly name: string;
  /** A report's public id or a workbook's slug, which links and upserts use. */
  readonly publicId?: string | undefined;
  readonly folderId?: string | undefined;
  /** The names of its parent folders, outermost first. */
  readonly folderPath: readonly string[];
  readonly canEdit: boolean;
  readonly canManage: boolean;
  /** More facts from the platform for the tooltip, one sentence each. */
  readonly facts?: readonly string[] | undefined;
}

/** The loaded part of a paged list. */
export interface Paged<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; `undefined` if everything is loaded. */
  readonly next: string | undefined;
}
