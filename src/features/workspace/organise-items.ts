import { duplicateWorkbook } from '#api/workbooks.ts';
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

/** Items that a command acts on, and the deployment they belong to. */
export interface Chosen {
  readonly target: DeploymentTarget;
  readonly items: readonly ItemReference[];
}

/** What changing items needs. */
export interface ItemPorts {
  readonly data: PlatformData;
  readonly operations: Operations;
}

/** The items of rows of the tree; rows of something else are left out. `undefined` where no item is left. */
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

/** The item of a row; `undefined` where it has none. */
export function itemOf(row: TreeRow): WorkspaceItem | undefined {
  return isRow(row) && row.kind === 'item' ? row.item : undefined;
}

function referenceOf(node: FolderNode | ItemNode): ItemReference {
  return node.kind === 'folder' ? { type: 'FOLDER', id: node.itemId, name: node.name } : referenceTo(node.item);
}

/** An item as bulk operations name it. */
export function referenceTo({ type, id, name, publicId, folderId }: WorkspaceItem): ItemReference {
  return { type, id, name, publicId, folderId };
}

/** Items in a sentence: by name, or how many they are. */
export function namedItems(items: readonly ItemReference[]): UserText {
  return items.length === 1 ? text`“${items[0]?.name ?? ''}”` : textOf(plural(items.length, 'item'));
}

/** What dropped rows ask for. */
export type Drop =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'favour'; readonly target: DeploymentTarget; readonly items: readonly WorkspaceItem[] }
  | {
      readonly kind: 'move';
      readonly chosen: Chosen;
      readonly folderId: string | undefined;
      /** Several items, a folder with what is in it, or an item that someone else manages: the user is asked first. */
      readonly asks: boolean;
    };

/**
 * What rows do that are dropped: on a folder they go into it, on an item to where it is, on the favourites they become
 * some, on anything else they go to the top.
 */
export function dropOf(rows: readonly unknown[], onto: WorkspaceNode | undefined): Drop {
  const place = dropTarget(onto);
  const items = rows.flatMap((row) => treeRow(row) ?? []).filter(isRow);
  const [first] = items;
  const chosen = chosenRows(items);
  if (place.kind === 'nowhere' || !first || !chosen) return { kind: 'nothing' };
  if (place.kind === 'folder') {
    const asks = items.length > 1 || items.some((row) => row.kind === 'folder' || !row.item.canManage);
    return { kind: 'move', chosen, folderId: place.folderId, asks };
  }
  const added = items.flatMap((row) => (row.kind === 'item' ? row.item : []));
  return added.length > 0 ? { kind: 'favour', target: first, items: added } : { kind: 'nothing' };
}

/** What became of a move, and the moves that undo it: one for each folder that items came from. */
export interface Moved extends BulkOutcome {
  readonly back: readonly {
    readonly chosen: Chosen;
    /** The folder that they were moved to. */
    readonly from: string | undefined;
    readonly folderId: string | undefined;
  }[];
}

/**
 * Moves items to a folder, or to the top (`undefined`). `undefined`: all of them are there already. Throws `Hint` where
 * none of them may go there.
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
  // Where it is not known which folder a folder came from, there is no way back.
  const known = done.filter(({ type, id }) => type !== 'FOLDER' || folders.some((folder) => folder.id === id));
  const sources = Map.groupBy(known, (item) => folderOf(item, folders));
  const back = [...sources].map(([source, some]) => ({
    chosen: { target, items: some.map((item) => ({ ...item, folderId })) },
    from: folderId,
    folderId: source,
  }));
  return { done, failed: [...failed, ...refused], back };
}

/** What became of undoing a move. */
export interface MovedBack extends BulkOutcome {
  /** What was moved again or deleted since: it stays as it is. */
  readonly elsewhere: readonly ItemReference[];
}

/** Undoes a move for the items that are still where it brought them, as the platform has them now. */
export async function moveBack(ports: ItemPorts, back: Moved['back']): Promise<MovedBack> {
  const [done, failed, elsewhere]: [ItemReference[], BulkOutcome['failed'][number][], ItemReference[]] = [[], [], []];
  for (const { chosen, from, folderId } of back) {
    const items = await stillIn(ports.data, chosen.target, chosen.items, from);
    elsewhere.push(...chosen.items.filter((item) => !items.includes(item)));
    const outcome = await moveTo(ports, { ...chosen, items }, folderId);
    done.push(...(outcome?.done ?? []));
    failed.push(...(outcome?.failed ?? []));
  }
  return { done, failed, elsewhere };
}

/** Items in the order in which they can be deleted, each once. */
export function inDeletionOrder(data: PlatformData, { target, items }: Chosen): readonly ItemReference[] {
  return deletionOrder(items, loadedFolders(data, target));
}

/** Deletes items; reports and workbooks that are gone are no longer favourites. */
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

/** The one workbook among what a command acts on. */
export function onlyWorkbook({ items }: Chosen): ItemReference {
  const [item] = items;
  if (!item || item.type !== 'WORKBOOK') throw new Hint('Only workbooks can be duplicated.');
  return item;
}

/** Copies a workbook: the user's own, or the one of the shared workspace. */
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

/** The name of a folder as far as it is loaded; `undefined`: the top. */
export function folderName(data: PlatformData, target: DeploymentTarget, folderId: string | undefined): string {
  if (folderId === undefined) return 'the top of the workspace';
  return `“${loadedFolders(data, target).find(({ id }) => id === folderId)?.name ?? folderId}”`;
}

function loadedFolders(data: PlatformData, target: DeploymentTarget): readonly WorkspaceFolder[] {
  return data.known(target)?.folders.state.value.value?.items ?? [];
}

/** Reads every list again that was read before. */
export async function refreshLists(data: PlatformData, target: DeploymentTarget): Promise<void> {
  const known = data.of(target);
  const opened = [...known.contents.values()].flatMap(({ reports, workbooks }) => [reports, workbooks]);
  const lists = [known.folders, known.reports, known.workbooks, ...opened].filter(
    ({ state }) => state.value.value !== undefined,
  );
  await Promise.all(lists.map((list) => list.refresh()));
}
