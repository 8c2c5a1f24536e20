import { canonicalKey, language } from './language/language.ts';
import type { Key, ShapeName, Type } from './language/types.ts';
import type { Entity, EntityKind } from './syntax/entity.ts';
import { findPair, type MapNode, type Pair, type ScalarNode, scalarType, type TreeNode } from './syntax/tree.ts';

/** A node together with its type in the language. */
export interface Site {
  readonly node: TreeNode;
  readonly type: Type;
  /** The shape, if the node is a map of one. */
  readonly shape: ShapeName | undefined;
  /** The pair that holds it, if it is a value. */
  readonly pair: Pair | undefined;
  /** That pair's key, as the tables of `language` spell it. */
  readonly key: string | undefined;
  readonly parent: Site | undefined;
  /** The name of a member (`name: x`, or the key in JavaScript). */
  readonly nameNode: ScalarNode | undefined;
}

export const entityShapes: Readonly<Record<EntityKind, ShapeName>> = {
  cube: 'cube',
  view: 'view',
  viewGroup: 'viewGroup',
};

/** Visits every typed node of an entity, parents first; return false to skip its descendants. */
export function walkEntity(entity: Entity, visit: (site: Site) => boolean | void): void {
  walkSite(rootSite(entity), visit);
}

/** Returns the whole map of an entity. */
export function rootSite(entity: Entity): Site {
  const shape = entityShapes[entity.kind];
  return {
    node: entity.node,
    type: { is: 'map', shape },
    shape,
    pair: undefined,
    key: undefined,
    parent: undefined,
    nameNode: entity.nameNode,
  };
}

function walkSite(site: Site, visit: (site: Site) => boolean | void): void {
  if (visit(site) === false) return;
  for (const child of childrenOf(site)) walkSite(child, visit);
}

/** Returns the typed nodes directly below one. */
export function childrenOf(site: Site): readonly Site[] {
  const { node } = site;
  if (node.kind === 'map' && site.shape !== undefined) return pairsOf(site, node, site.shape);
  const { type } = site;
  if (type.is === 'members') return membersOf(site, type.shape);
  const sites: Site[] = [];
  if (node.kind === 'seq' && type.is === 'list')
    for (const item of node.items) if (item) sites.push(siteOf(item, type.of, site));
  return sites;
}

function pairsOf(site: Site, node: MapNode, shape: ShapeName): Site[] {
  const sites: Site[] = [];
  for (const pair of node.pairs) {
    const key = canonicalKey(shape, pair.key.value);
    const known = key === undefined ? undefined : language[shape].keys[key];
    if (pair.value && known) sites.push(siteOf(pair.value, known.type, site, pair, key));
  }
  return sites;
}

/** Returns the typed node of a value below `parent`. */
export function siteOf(node: TreeNode, declared: Type, parent: Site, pair?: Pair, key?: string): Site {
  const type = choose(node, declared);
  const shape = type.is === 'map' && node.kind === 'map' ? type.shape : undefined;
  return { node, type, shape, pair, key, parent, nameNode: undefined };
}

/** Chooses which of several types a node is most likely meant to have. */
function choose(node: TreeNode, type: Type): Type {
  if (type.is !== 'either') return type;
  const fits = type.of.find((option) => matches(node, option));
  return fits ?? type;
}

/** Returns whether a script's expression certainly yields a value of a type; undefined for what is not one. */
function yieldsA(type: Type, node: TreeNode): boolean | undefined {
  const yields = node.kind === 'opaque' || node.kind === 'scalar' ? node.yields : undefined;
  if (typeof yields === 'object') return matches(yields, type);
  return yields === 'list' || yields === 'map' ? type.is === yields : undefined;
}

function matches(node: TreeNode, type: Type): boolean {
  const yielded = yieldsA(type, node);
  if (yielded !== undefined) return yielded;
  if (type.is === 'map') return node.kind === 'map';
  if (type.is === 'list') return node.kind === 'seq';
  if (type.is === 'text' && type.choices) return node.kind === 'scalar';
  if (node.kind !== 'scalar') return false;
  if (type.is === 'number' || type.is === 'boolean') return scalarType(node) === type.is;
  return type.is === 'text' || type.is === 'reference';
}

function membersOf(site: Site, shape: ShapeName): Site[] {
  const { node } = site;
  const type: Type = { is: 'map', shape };
  const sites: Site[] = [];
  const add = (member: MapNode, pair: Pair | undefined, nameNode: ScalarNode | undefined): void =>
    void sites.push({ node: member, type, shape, pair, key: undefined, parent: site, nameNode });
  if (node.kind === 'seq') {
    for (const item of node.items) {
      if (item?.kind !== 'map') continue;
      const name = findPair(item, 'name')?.value;
      add(item, undefined, name?.kind === 'scalar' ? name : undefined);
    }
  }
  if (node.kind === 'map')
    for (const pair of node.pairs)
      if (pair.value?.kind === 'map' && pair.value.isResult !== true) add(pair.value, pair, pair.key);
  return sites;
}

/** The typed position at an offset of an entity. */
export interface TypedPosition {
  /** The innermost typed node that contains the offset. */
  readonly site: Site;
  /** The pair of the innermost map, if the offset is in it. */
  readonly pair: Pair | undefined;
  /** Whether the offset is in that pair's key. */
  readonly inKey: boolean;
}

/** Finds the innermost typed node that contains `offset`. */
export function typedPositionAt(entity: Entity, offset: number): TypedPosition {
  let site = rootSite(entity);
  for (;;) {
    const next = childrenOf(site).find(
      (child) =>
        holds(child.node, offset) ||
        (child.nameNode !== undefined && child.pair?.key === child.nameNode && holds(child.nameNode, offset)),
    );
    if (!next) break;
    site = next;
  }
  const pair =
    site.node.kind === 'map' ? site.node.pairs.find(({ key, end }) => key.start <= offset && offset <= end) : undefined;
  return { site, pair, inKey: pair !== undefined && holds(pair.key, offset) };
}

function holds(node: { readonly start: number; readonly end: number }, offset: number): boolean {
  return node.start <= offset && offset <= node.end;
}

/** Returns the description that the tables of `language` have for a pair of a typed map. */
export function keyInfo(site: Site, pair: Pair): { readonly name: string; readonly info: Key } | undefined {
  if (site.shape === undefined) return undefined;
  const name = canonicalKey(site.shape, pair.key.value);
  const info = name === undefined ? undefined : language[site.shape].keys[name];
  return name !== undefined && info ? { name, info } : undefined;
}
