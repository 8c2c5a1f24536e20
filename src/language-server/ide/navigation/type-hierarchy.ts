import type { TypeHierarchyItem } from 'vscode-languageserver';
import { extendedParent } from '#model/effective.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import type { ModelRoot, Opened, Workspace } from '#language-server/workspace/workspace.ts';
import { found } from '#language-server/ide/locations.ts';
import { itemOf, lookUp } from './used-by.ts';

/**
 * Returns the cube or view under the cursor, or the one to which the member under it belongs, as the root of a type hierarchy of
 * `extends`.
 */
export function prepareExtends(opened: Opened, offset: number, workspace: Workspace): TypeHierarchyItem[] | null {
  const subject = found(opened, offset)?.subject;
  if (subject?.is !== 'entity' && subject?.is !== 'member') return null;
  const entity = subject.is === 'entity' ? subject.entity : subject.member.owner;
  return itemsOf([entity], opened.root, workspace);
}

/** Returns what an item extends. */
export function extended(
  item: TypeHierarchyItem,
  roots: readonly ModelRoot[],
  workspace: Workspace,
): TypeHierarchyItem[] {
  const at = lookUp(item, roots);
  const parent = at && extendedParent(at.owner.entity, at.root.index);
  return at && parent ? itemsOf([parent], at.root, workspace) : [];
}

/** Returns the cubes and views that extend an item. */
export function extending(
  item: TypeHierarchyItem,
  roots: readonly ModelRoot[],
  workspace: Workspace,
): TypeHierarchyItem[] {
  const at = lookUp(item, roots);
  if (!at) return [];
  const { index } = at.root;
  const children = index.entities().filter((entity) => extendedParent(entity, index) === at.owner.entity);
  return itemsOf(children, at.root, workspace);
}

function itemsOf(entities: readonly EntitySymbol[], root: ModelRoot, workspace: Workspace): TypeHierarchyItem[] {
  return entities.flatMap((entity) => itemOf({ entity, member: undefined }, root, workspace) ?? []);
}
