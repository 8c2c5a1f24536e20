import type { MapNode, TreeNode } from '../syntax/tree.ts';
import { textOf } from '../syntax/tree.ts';

/** Keys of a cube or view that hold named items, folded (see {@link foldKey}). */
export const SECTIONS: ReadonlySet<string> = new Set([
  'dimensions',
  'measures',
  'segments',
  'joins',
  'hierarchies',
  'preaggregations',
  'accesspolicy',
  'cubes',
  'folders',
]);

/** Folds the spelling of a key: `sql_table` and `sqlTable` are the same. */
export function foldKey(key: string): string {
  return key.replaceAll('_', '').toLowerCase();
}

/** Returns the identifier of a list item: a member's name, the path of a view's cube, the group of a policy. */
export function nameOf(item: TreeNode | undefined): string | undefined {
  if (item?.kind !== 'map') return undefined;
  return textOf(item, 'name') ?? textOf(item, 'join_path', 'joinPath') ?? textOf(item, 'group', 'role');
}

export interface NamedItem {
  readonly name: string;
  readonly node: MapNode;
}

/** Returns the items of a section's list (YAML) or map (JavaScript); `undefined` if an item has no name or two share one. */
export function namedItems(value: TreeNode | undefined): readonly NamedItem[] | undefined {
  const items = value ? pairsOrItems(value) : undefined;
  if (!items) return undefined;
  const found: NamedItem[] = [];
  for (const { name, node } of items) {
    if (name === undefined || node?.kind !== 'map' || found.some((other) => other.name === name)) return undefined;
    found.push({ name, node });
  }
  return found;
}

function pairsOrItems(
  value: TreeNode,
): readonly { readonly name: string | undefined; readonly node: TreeNode | undefined }[] | undefined {
  if (value.kind === 'seq') return value.items.map((node) => ({ name: nameOf(node), node }));
  if (value.kind === 'map') return value.pairs.map(({ key, value: node }) => ({ name: key.value, node }));
  return undefined;
}

/** Checks whether two values are equal, however they are written. */
export function isSameValue(a: TreeNode | undefined, b: TreeNode | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === 'scalar') return b.kind === 'scalar' && a.value === b.value && isText(a.style) === isText(b.style);
  if (a.kind === 'seq')
    return (
      b.kind === 'seq' &&
      a.items.length === b.items.length &&
      a.open === b.open &&
      a.items.every((item, at) => isSameValue(item, b.items[at]))
    );
  if (a.kind === 'map')
    return (
      b.kind === 'map' &&
      a.open === b.open &&
      a.pairs.length === b.pairs.length &&
      a.pairs.every(({ key, value }) => {
        const other = b.pairs.find((pair) => pair.key.value === key.value);
        return other !== undefined && isSameValue(value, other.value);
      })
    );
  return false;
}

/** Checks whether a style makes a value text: `"1"` is not `1`, but `'x'` is `"x"`. */
function isText(style: string): boolean {
  return style !== 'plain' && style !== 'code';
}
