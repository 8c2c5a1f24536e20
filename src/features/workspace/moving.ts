import type { WorkspaceFolder } from '#features/platform/index.ts';
import type { BulkOutcome, ItemReference } from '#shell/bulk.ts';

type Folders = readonly WorkspaceFolder[];

/** What is left to ask the platform for, and what is refused before it is asked. */
export interface MovePlan {
  readonly moved: readonly ItemReference[];
  readonly refused: BulkOutcome['failed'];
}

/**
 * What a move to a folder (`undefined`: the top) comes to: rows that show the same item count once, what lies in a chosen
 * folder goes with it, what is there already stays, and a folder never goes into itself (docs/platform-api.md#bulkmoveworkspaceitems).
 * `folders`: as far as they are loaded.
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

/** The folder that holds an item; `undefined` at the top, or where that is not known. `folders`: as far as they are loaded. */
export function folderOf(item: ItemReference, folders: Folders): string | undefined {
  return new Tree(folders).parentOf(item);
}

/** A folder that items can be moved to. */
export interface MoveTarget {
  readonly id: string;
  readonly name: string;
  /** Names of the folders that hold it, outermost first. */
  readonly path: readonly string[];
}

/** The folders that all of `items` can be moved to: none of them, and none inside them. */
export function moveTargets(items: readonly ItemReference[], folders: Folders): readonly MoveTarget[] {
  const tree = new Tree(folders);
  const chosen = new Set(items.filter(({ type }) => type === 'FOLDER').map(({ id }) => id));
  return folders
    .filter(({ id }) => !tree.chain(id).some((each) => chosen.has(each)))
    .map(({ id, name, parentId }) => ({ id, name, path: tree.names(parentId) }));
}

/** Each item once, and what lies deeper first: a folder is deleted only when it is empty. */
export function deletionOrder(items: readonly ItemReference[], folders: Folders): readonly ItemReference[] {
  const tree = new Tree(folders);
  const depth = ({ type, id }: ItemReference): number =>
    type === 'FOLDER' ? tree.chain(id).length : Number.POSITIVE_INFINITY;
  return unrepeated(items).toSorted((a, b) => (depth(a) === depth(b) ? 0 : depth(b) - depth(a)));
}

/** A favourite is in its list as well, and in its folder. */
function unrepeated(items: readonly ItemReference[]): readonly ItemReference[] {
  return [...new Map(items.map((item) => [`${item.type} ${item.id}`, item])).values()];
}

class Tree {
  readonly #byId: ReadonlyMap<string, WorkspaceFolder>;

  constructor(folders: Folders) {
    this.#byId = new Map(folders.map((folder) => [folder.id, folder]));
  }

  /** The folder that holds an item; `undefined` at the top, or where that is not known. */
  parentOf({ type, id, folderId }: ItemReference): string | undefined {
    return type === 'FOLDER' ? this.#byId.get(id)?.parentId : folderId;
  }

  /** A folder and those that hold it, innermost first. A server's loop ends it. */
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
