import type { WorkspaceFolder } from '#features/platform/index.ts';
import type { BulkOutcome, ItemReference } from '#shell/bulk.ts';

type Folders = readonly WorkspaceFolder[];

/** The items to move, and the moves that are refused without a request. */
export interface MovePlan {
  readonly moved: readonly ItemReference[];
  readonly refused: BulkOutcome['failed'];
}

/**
 * Plans a move to a folder (`undefined`: the top): an item with several rows counts once, the content of a chosen folder moves
 * with it, items that are already there stay, and a folder never moves into itself (docs/platform-api.md#bulkmoveworkspaceitems).
 * `folders`: those that are loaded.
 */
export function movePlan(items: readonly ItemReference[], folderId: string | undefined, folders: Folders): MovePlan {
  const tree = new Tree(folders);
  const chosen = new Set(items.filter(({ type }) => type === 'FOLDER').map(({ id }) => id));
  const above = tree.chain(folderId);
  const meant = unrepeated(items)
    .filter((item) => !tree.chain(tree.parentOf(item)).some((id) => chosen.has(id)))
    .filter((item) => folderId === undefined || tree.parentOf(item) !== folderId);
  const loops = meant.filter(({ type, id }) => type === 'FOLDER' && above.includes(id));
  return {
    moved: meant.filter((item) => !loops.includes(item)),
    refused: loops.map((item) => ({ item, error: 'A folder cannot be moved into itself or one of its subfolders.' })),
  };
}

/** Returns the parent folder of an item; `undefined` at the top or if it is not known. `folders`: those that are loaded. */
export function folderOf(item: ItemReference, folders: Folders): string | undefined {
  return new Tree(folders).parentOf(item);
}

/** A folder that items can be moved to. */
export interface MoveTarget {
  readonly id: string;
  readonly name: string;
  /** The names of its parent folders, outermost first. */
  readonly path: readonly string[];
}

/**
 * Whether all of `items` are in a folder already (`undefined`: at the top), so that a move there changes nothing. A report or
 * workbook whose folder is not known may be anywhere.
 */
export function areAllIn(items: readonly ItemReference[], folderId: string | undefined, folders: Folders): boolean {
  const tree = new Tree(folders);
  const isKnown = ({ type, id }: ItemReference): boolean =>
    folderId !== undefined || (type === 'FOLDER' && folders.some((each) => each.id === id));
  return items.length > 0 && items.every((item) => isKnown(item) && tree.parentOf(item) === folderId);
}

/** Returns the folders that `items` can be moved to: not one of them, nor a folder inside them, nor the one that has all of them. */
export function moveTargets(items: readonly ItemReference[], folders: Folders): readonly MoveTarget[] {
  const tree = new Tree(folders);
  const chosen = new Set(items.filter(({ type }) => type === 'FOLDER').map(({ id }) => id));
  return folders
    .filter(({ id }) => !tree.chain(id).some((each) => chosen.has(each)) && !areAllIn(items, id, folders))
    .map(({ id, name, parentId }) => ({ id, name, path: tree.names(parentId) }));
}

/** Returns each item once, deeper ones first, because only an empty folder can be deleted. */
export function deletionOrder(items: readonly ItemReference[], folders: Folders): readonly ItemReference[] {
  const tree = new Tree(folders);
  const depth = ({ type, id }: ItemReference): number =>
    type === 'FOLDER' ? tree.chain(id).length : Number.POSITIVE_INFINITY;
  return unrepeated(items).toSorted((a, b) => (depth(a) === depth(b) ? 0 : depth(b) - depth(a)));
}

/** Removes duplicates: a favourite also has rows in its list and its folder. */
function unrepeated(items: readonly ItemReference[]): readonly ItemReference[] {
  return [...new Map(items.map((item) => [`${item.type} ${item.id}`, item])).values()];
}

class Tree {
  readonly #byId: ReadonlyMap<string, WorkspaceFolder>;

  constructor(folders: Folders) {
    this.#byId = new Map(folders.map((folder) => [folder.id, folder]));
  }

  /** Returns the parent folder of an item; `undefined` at the top or if it is not known. */
  parentOf({ type, id, folderId }: ItemReference): string | undefined {
    return type === 'FOLDER' ? this.#byId.get(id)?.parentId : folderId;
  }

  /** Returns a folder and its parents, innermost first. Stops if the server's data has a cycle. */
  chain(id: string | undefined): readonly string[] {
    const seen = new Set<string>();
    for (let at = id; at !== undefined && !seen.has(at); at = this.#byId.get(at)?.parentId) seen.add(at);
    return [...seen];
  }

  names(id: string | undefined): readonly string[] {
    return this.chain(id)
      .map((each) => this.#byId.get(each)?.name ?? each)
      .toReversed();
  }
}
