import type { Part } from './file.ts';
import { extractReferences, type Reference } from './references.ts';
import { readExpression, type Path } from './strings.ts';
import type { Entity, EntityKind } from './syntax/entity.ts';
import { findPair, isDynamic, type MapNode, type ScalarNode, textOf, type TreeNode } from './syntax/tree.ts';
import { childrenOf, rootSite, type Site } from './typed.ts';

export type MemberKind = 'dimension' | 'measure' | 'segment' | 'hierarchy' | 'preAggregation';

/** A member as it is written in its cube or view. */
export interface MemberSymbol {
  readonly kind: MemberKind;
  readonly name: string;
  readonly nameNode: ScalarNode;
  readonly node: MapNode;
  readonly owner: EntitySymbol;
}

export interface JoinSymbol {
  readonly name: string;
  readonly nameNode: ScalarNode;
  readonly relationship: string | undefined;
  readonly node: MapNode;
}

/** One `cubes:` entry of a view. */
export interface ViewCubeSymbol {
  readonly node: MapNode;
  readonly path: Path | undefined;
  readonly includes: '*' | readonly IncludeSymbol[] | undefined;
  readonly excludes: readonly ScalarNode[];
  readonly prefix: boolean;
  readonly split: boolean;
  readonly alias: string | undefined;
}

export interface IncludeSymbol {
  readonly nameNode: ScalarNode;
  readonly aliasNode: ScalarNode | undefined;
}

/** A cube, view or view group and what it defines and uses. Offsets are its part's. */
export interface EntitySymbol {
  readonly kind: EntityKind;
  readonly name: string;
  readonly nameNode: ScalarNode | undefined;
  readonly entity: Entity;
  readonly part: Part;
  /** Its name is known only when the model runs. */
  readonly dynamic: boolean;
  /** It may have more or other members than the ones written here (templates, spreads). */
  readonly open: boolean;
  readonly extends: Path | undefined;
  /** Whether `extends` is there but not a plain path. */
  readonly extendsUnknown: boolean;
  /** The first member of each name. */
  readonly members: ReadonlyMap<string, MemberSymbol>;
  /** Further members with a name that is taken. */
  readonly duplicates: readonly MemberSymbol[];
  readonly joins: readonly JoinSymbol[];
  readonly cubes: readonly ViewCubeSymbol[];
  readonly references: readonly Reference[];
}

const GROUPS: Readonly<Record<string, MemberKind>> = {
  dimensions: 'dimension',
  measures: 'measure',
  segments: 'segment',
  hierarchies: 'hierarchy',
  pre_aggregations: 'preAggregation',
};

const cache = new WeakMap<Part, readonly EntitySymbol[]>();

/** What a part defines and uses; computed once a part. */
export function symbolsOf(part: Part): readonly EntitySymbol[] {
  let symbols = cache.get(part);
  if (!symbols) {
    symbols = part.entities.map((entity) => entitySymbol(entity, part));
    cache.set(part, symbols);
  }
  return symbols;
}

type Draft = { -readonly [K in keyof EntitySymbol]: EntitySymbol[K] } & {
  readonly members: Map<string, MemberSymbol>;
  readonly duplicates: MemberSymbol[];
  readonly joins: JoinSymbol[];
  readonly cubes: ViewCubeSymbol[];
};

function entitySymbol(entity: Entity, part: Part): EntitySymbol {
  const name = entity.nameNode?.value ?? '';
  const draft: Draft = {
    kind: entity.kind,
    name,
    nameNode: entity.nameNode,
    entity,
    part,
    dynamic: isDynamic(name) || (name === '' && part.kind === 'script'),
    open: entity.node.open || part.templated,
    extends: undefined,
    extendsUnknown: false,
    members: new Map(),
    duplicates: [],
    joins: [],
    cubes: [],
    references: [],
  };
  for (const site of childrenOf(rootSite(entity))) addSite(draft, site, part);
  draft.references = extractReferences(entity, part.text);
  return draft;
}

function addSite(draft: Draft, site: Site, part: Part): void {
  const { node, key = '' } = site;
  const kind = GROUPS[key];
  if (kind) addMembers(draft, site, kind);
  else if (key === 'joins') addJoins(draft, site);
  else if (key === 'cubes' && node.kind === 'seq') {
    for (const item of node.items) if (item?.kind === 'map') draft.cubes.push(viewCube(item, part.text));
    if (node.open) draft.open = true;
  } else if (key === 'extends') {
    const path = pathOf(node, part.text);
    if (path) draft.extends = path;
    else draft.extendsUnknown = true;
  } else if (key === 'cubes') draft.open = true;
}

function addMembers(draft: Draft, site: Site, kind: MemberKind): void {
  const { node } = site;
  // A value that is computed (a spread, a call) may hold any member.
  if (node.kind === 'opaque' || (node.kind === 'scalar' && node.style === 'code')) draft.open = true;
  if ((node.kind === 'map' || node.kind === 'seq') && node.open) draft.open = true;
  for (const member of childrenOf(site)) {
    const { nameNode } = member;
    if (!nameNode || member.node.kind !== 'map') continue;
    if (isDynamic(nameNode.value)) draft.open = true;
    const symbol: MemberSymbol = { kind, name: nameNode.value, nameNode, node: member.node, owner: draft };
    if (draft.members.has(symbol.name)) draft.duplicates.push(symbol);
    else draft.members.set(symbol.name, symbol);
  }
  if (
    node.kind === 'map' &&
    node.pairs.some(({ value }) => value?.kind === 'opaque' || (value?.kind === 'scalar' && value.style === 'code'))
  )
    draft.open = true;
}

function addJoins(draft: Draft, site: Site): void {
  for (const join of childrenOf(site)) {
    const { nameNode, node } = join;
    if (nameNode && node.kind === 'map')
      draft.joins.push({ name: nameNode.value, nameNode, node, relationship: textOf(node, 'relationship') });
  }
}

function viewCube(node: MapNode, text: string): ViewCubeSymbol {
  const path = findPair(node, 'join_path', 'joinPath')?.value;
  const includes = findPair(node, 'includes')?.value;
  const excludes = findPair(node, 'excludes')?.value;
  return {
    node,
    path: path && pathOf(path, text),
    includes: includesOf(includes),
    excludes: excludes?.kind === 'seq' ? excludes.items.filter((item) => item?.kind === 'scalar') : [],
    prefix: textOf(node, 'prefix') === 'true',
    split: textOf(node, 'split') === 'true',
    alias: textOf(node, 'alias'),
  };
}

function includesOf(node: TreeNode | undefined): ViewCubeSymbol['includes'] {
  if (node?.kind === 'scalar') return node.value === '*' ? '*' : undefined;
  if (node?.kind !== 'seq' || node.open) return undefined;
  return node.items.flatMap((item): IncludeSymbol[] => {
    if (item?.kind === 'scalar') return [{ nameNode: item, aliasNode: undefined }];
    if (item?.kind !== 'map') return [];
    const name = findPair(item, 'name')?.value;
    const alias = findPair(item, 'alias')?.value;
    return name?.kind === 'scalar' ? [{ nameNode: name, aliasNode: alias?.kind === 'scalar' ? alias : undefined }] : [];
  });
}

function pathOf(node: TreeNode, text: string): Path | undefined {
  if (node.kind !== 'scalar' || isDynamic(node.value)) return undefined;
  const { paths } = readExpression(text, node);
  return paths.length === 1 ? paths[0] : undefined;
}
