import { own } from '#base/own.ts';
import type { ModelFile } from '../file.ts';
import type { Entity } from '../syntax/entity.ts';
import type { MapNode, TreeNode } from '../syntax/tree.ts';
import { foldKey, nameOf, SECTIONS } from './names.ts';

/** A named item that a file defines. */
export interface DefinedItem {
  /** Equal for the same item in another version of the file. */
  readonly id: string;
  readonly name: string;
  /** For the user: `measure “total” of “orders”`. */
  readonly label: string;
}

export interface Inventory {
  /** Cubes, views and all named items in them, by id. */
  readonly definitions: ReadonlyMap<string, DefinedItem>;
  /** Items that are defined more than once. */
  readonly doubled: ReadonlySet<string>;
  /** Keys of cubes and views, by the id of their owner. */
  readonly keys: ReadonlySet<string>;
}

/** Returns all named items of a file: no proposal may drop one of them silently. */
export function inventoryOf(file: ModelFile): Inventory {
  const definitions = new Map<string, DefinedItem>();
  const keys = new Set<string>();
  const doubled = new Set<string>();
  const add = (id: string, name: string, label: string): void => {
    if (definitions.has(id)) doubled.add(id);
    definitions.set(id, { id, name, label });
  };
  for (const { chunk } of file.chunks)
    for (const entity of chunk.entities) addEntity(entity, add, (key) => void keys.add(key));
  return { definitions, doubled, keys };
}

/** Returns the items of one version that the other one lacks. */
export function missingIn(before: Inventory, after: Inventory): readonly DefinedItem[] {
  return [...before.definitions.values()].filter(({ id }) => !after.definitions.has(id));
}

/** Checks whether one version contains everything in the other: all names, and all keys of cubes and views. */
export function covers(after: Inventory, before: Inventory): boolean {
  return missingIn(before, after).length === 0 && [...before.keys].every((key) => after.keys.has(key));
}

type Add = (id: string, name: string, label: string) => void;

function addEntity({ kind, node, nameNode }: Entity, add: Add, addKey: (key: string) => void): void {
  const owner = nameNode?.value ?? '';
  const id = JSON.stringify([kind, owner]);
  add(id, owner, `${kind === 'viewGroup' ? 'view group' : kind} “${owner}”`);
  for (const { key, value } of node.pairs) {
    const folded = foldKey(key.value);
    // A query may replace a table.
    addKey(`${id} ${folded === 'sqltable' ? 'sql' : folded}`);
    if (SECTIONS.has(folded)) addItems(id, owner, folded, value, add);
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  dimensions: 'dimension',
  measures: 'measure',
  segments: 'segment',
  joins: 'join',
  hierarchies: 'hierarchy',
  preaggregations: 'pre-aggregation',
  accesspolicy: 'access policy',
  cubes: 'cube',
  folders: 'folder',
};

function addItems(owner: string, ownerName: string, section: string, value: TreeNode | undefined, add: Add): void {
  for (const { name, node } of entries(value)) {
    if (name === undefined) continue;
    const id = `${owner} ${JSON.stringify([section, name])}`;
    add(id, name, `${own(NOUNS, section) ?? section} “${name}” of “${ownerName}”`);
    for (const included of node?.kind === 'map' ? includesOf(node) : [])
      add(`${id} ${JSON.stringify(included)}`, included, `“${included}” that “${ownerName}” includes from “${name}”`);
  }
}

function entries(
  value: TreeNode | undefined,
): readonly { readonly name: string | undefined; readonly node: TreeNode | undefined }[] {
  if (value?.kind === 'seq') return value.items.map((node) => ({ name: nameOf(node), node }));
  if (value?.kind === 'map') return value.pairs.map(({ key, value: node }) => ({ name: key.value, node }));
  return [];
}

/** Returns the members that an entry of a view or a folder names one by one. */
function includesOf(node: MapNode): readonly string[] {
  const list = node.pairs.find(({ key }) => foldKey(key.value) === 'includes')?.value;
  if (list?.kind !== 'seq') return [];
  return list.items.flatMap((item) => {
    const name = item?.kind === 'scalar' ? item.value : nameOf(item);
    return name === undefined ? [] : [name];
  });
}
