import { append } from '#base/long-lists.ts';
import { duplicateWorkbook } from '#api/resources/workbooks.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import type { Favourites, PlatformData, WorkspaceFolder, WorkspaceItem } from '#features/platform/index.ts';
import { type BulkOutcome, deleteItems, type ItemReference, moveItems } from '#shell/bulk.ts';
import type { Operations } from '#shell/operations.ts';
import { type DeploymentTarget, type TreeRow, treeRow } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import { deletionOrder, folderOf, movePlan } from './moving.ts';
import { stillIn } from './present-folders.ts';
import { dropTarget, type FolderNode, type ItemNode, type WorkspaceNode } from './workspace-tree.ts';

/** The items that a command acts on, and their deployment. */
export interface Chosen {
  readonly target: DeploymentTarget;
  readonly items: readonly ItemReference[];
}

/** The dependencies of changing items. */
export interface ItemPorts {
  readonly data: PlatformData;
  readonly operations: Operations;
}

/** Returns the items of tree rows, ignoring other rows; `undefined` if there are none. */
export function chosenRows(rows: readonly TreeRow[]): Chosen | undefined {
  const items = rows.filter(isRow);
  const [first] = items;
  if (!first) return undefined;
  const { accountId, deploymentId } = first;
  return { target: { accountId, deploymentId }, items: items.map(referenceOf) };
}

function isRow(row: TreeRow): row is FolderNode | ItemNode {
  return row.kind === 'folder' || row.kind === 'item';
}

/** Returns the report or workbook of a row; `undefined` if it has none. */
export function itemOf(row: TreeRow): WorkspaceItem | undefined {
  return isRow(row) && row.kind === 'item' ? row.item : undefined;
}

function referenceOf(node: FolderNode | ItemNode): ItemReference {
  return node.kind === 'folder' ? { type: 'FOLDER', id: node.itemId, name: node.name } : referenceTo(node.item);
}

/** Returns the reference to an item for bulk operations. */
export function referenceTo({ type, id, name, publicId, folderId }: WorkspaceItem): ItemReference {
  return { type, id, name, publicId, folderId };
}

/** Describes items in a sentence: one by name, several by their number. */
export function namedItems(items: readonly ItemReference[]): UserText {
  return items.length === 1 ? text`“${items[0]?.name ?? ''}”` : textOf(plural(items.length, 'item'));
}

/** The action for dropped rows. */
export type Drop =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'favour'; readonly target: DeploymentTarget; readonly items: readonly WorkspaceItem[] }
  | {
      readonly kind: 'move';
      readonly chosen: Chosen;
      readonly folderId: string | undefined;
      /** Whether to ask for confirmation: for several items, a folder with its content, or an item that someone else manages. */
      readonly asks: boolean;
    };

/**
 * Returns the action for dropped rows: on a folder, a move into it; on an item, a move next to it; on the favourites, adding them
 * there; anywhere else, a move to the top.
 */
export function dropOf(rows: readonly unknown[], onto: WorkspaceNode | undefined): Drop {
  const target = dropTarget(onto);
  const items = rows.flatMap((row) => treeRow(row) ?? []).filter(isRow);
  const [first] = items;
  const chosen = chosenRows(items);
  if (target.kind === 'nowhere' || !first || !chosen) return { kind: 'nothing' };
  if (target.kind === 'folder') {
    const asks = items.length > 1 || items.some((row) => row.kind === 'folder' || !row.item.canManage);
    return { kind: 'move', chosen, folderId: target.folderId, asks };
  }
  const added = items.flatMap((row) => (row.kind === 'item' ? row.item : []));
  return added.length > 0 ? { kind: 'favour', target: first, items: added } : { kind: 'nothing' };
}

/** The result of a move, and the moves that undo it: one for each original folder. */
export interface Moved extends BulkOutcome {
  readonly back: readonly {
    readonly chosen: Chosen;
    /** The folder that they were moved to. */
    readonly from: string | undefined;
    readonly folderId: string | undefined;
  }[];
}

/**
 * Moves items to a folder, or to the top (`undefined`). Resolves to `undefined` if all of them are already there. Throws `Hint`
 * if none of them can be moved there.
 */
export async function moveTo(
  { data, operations }: ItemPorts,
  { target, items }: Chosen,
  folderId: string | undefined,
): Promise<Moved | undefined> {
  const folders = loadedFolders(data, target);
  const { moved, refused } = movePlan(items, folderId, folders);
  const [first] = refused;
  if (moved.length === 0 && first) throw new Hint(`“${first.item.name}” was not moved. ${first.error}`);
  if (moved.length === 0) return undefined;
  const { done, failed } = await operations.run({
    label: text`Moving ${namedItems(moved)}`,
    key: keyOf(target),
    run: async () => moveItems(data.client(target.accountId), target.deploymentId, moved, folderId),
  });
  await refreshLists(data, target);
  // The move of a folder cannot be undone if its original folder is not known.
  const known = done.filter(({ type, id }) => type !== 'FOLDER' || folders.some((folder) => folder.id === id));
  const sources = Map.groupBy(known, (item) => folderOf(item, folders));
  const back = [...sources].map(([source, some]) => ({
    chosen: { target, items: some.map((item) => ({ ...item, folderId })) },
    from: folderId,
    folderId: source,
  }));
  return { done, failed: [...failed, ...refused], back };
}

/** The result of undoing a move. */
export interface MovedBack extends BulkOutcome {
  /** Items that were moved again or deleted since, which stay unchanged. */
  readonly elsewhere: readonly ItemReference[];
}

/** Undoes a move for those items that the platform still has where they were moved to. */
export async function moveBack(ports: ItemPorts, back: Moved['back']): Promise<MovedBack> {
  const [done, failed, elsewhere]: [ItemReference[], BulkOutcome['failed'][number][], ItemReference[]] = [[], [], []];
  for (const { chosen, from, folderId } of back) {
    const items = await stillIn(ports.data, chosen.target, chosen.items, from);
    append(
      elsewhere,
      chosen.items.filter((item) => !items.includes(item)),
    );
    const outcome = await moveTo(ports, { ...chosen, items }, folderId);
    append(done, outcome?.done ?? []);
    append(failed, outcome?.failed ?? []);
  }
  return { done, failed, elsewhere };
}

/** Returns each item once, in the order in which they can be deleted. */
export function inDeletionOrder(data: PlatformData, { target, items }: Chosen): readonly ItemReference[] {
  return deletionOrder(items, loadedFolders(data, target));
}

/** Deletes items; deleted reports and workbooks are removed from the favourites. */
export async function removeItems(
  { data, operations, favourites }: ItemPorts & { readonly favourites: Favourites },
  { target, items }: Chosen,
): Promise<BulkOutcome> {
  const outcome = await operations.run({
    label: text`Deleting ${namedItems(items)}`,
    key: keyOf(target),
    run: async () => deleteItems(data.client(target.accountId), target.deploymentId, items),
  });
  await favourites.remove(target, outcome.done);
  await refreshLists(data, target);
  return outcome;
}

/** Returns the first item; throws a `Hint` if it is not a workbook. */
export function onlyWorkbook({ items }: Chosen): ItemReference {
  const [item] = items;
  if (!item || item.type !== 'WORKBOOK') throw new Hint('Only workbooks can be duplicated.');
  return item;
}

/** Copies a workbook: the user's own, or the one in the shared workspace. */
export async function duplicate(
  data: PlatformData,
  target: DeploymentTarget,
  workbook: ItemReference,
  isShared: boolean,
): Promise<void> {
  await data.client(target.accountId).call(duplicateWorkbook, {
    params: { deploymentId: target.deploymentId, workbookId: workbook.id },
    body: isShared ? { shared: true } : {},
  });
  await refreshLists(data, target);
}

const keyOf = ({ accountId, deploymentId }: DeploymentTarget): string => `workspace ${accountId} ${deploymentId}`;

/** Returns the name of a folder, or its id if it is not loaded; `undefined`: the top. */
export function folderName(data: PlatformData, target: DeploymentTarget, folderId: string | undefined): string {
  if (folderId === undefined) return 'the top of the workspace';
  return `“${loadedFolders(data, target).find(({ id }) => id === folderId)?.name ?? folderId}”`;
}

function loadedFolders(data: PlatformData, target: DeploymentTarget): readonly WorkspaceFolder[] {
  return data.known(target)?.folders.state.value.value?.items ?? [];
}

/** Reloads every list that was loaded before. */
export async function refreshLists(data: PlatformData, target: DeploymentTarget): Promise<void> {
  const known = data.of(target);
  const opened = [...known.contents.values()].flatMap(({ reports, workbooks }) => [reports, workbooks]);
  const lists = [known.folders, known.reports, known.workbooks, ...opened].filter(
    ({ state }) => state.value.value !== undefined,
  );
  await Promise.all(lists.map((list) => list.refresh()));
}
