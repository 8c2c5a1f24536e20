import { append } from '#base/long-lists.ts';
import type { EntitySymbol, MemberKind, MemberSymbol } from './symbols.ts';
import type { IncludeSymbol, ViewCubeSymbol } from './view-cube.ts';
import { namePattern } from '#model/syntax/name-pattern.ts';
import { isDynamic } from './syntax/tree.ts';

/** Access to the other cubes and views of a model. */
interface Members {
  entity(name: string): EntitySymbol | undefined;
  membersOf(entity: EntitySymbol): EffectiveMembers;
  /** Returns what a script makes under a name that it computes. */
  made(name: string): EntitySymbol | undefined;
}

/** A member under the name that it has in a cube or view. */
export interface Effective {
  readonly name: string;
  readonly kind: MemberKind;
  /** The symbol that defines it. */
  readonly member: MemberSymbol;
  /** The cube that it belongs to (for a view's member, the cube that the join path ends in). */
  readonly owner: EntitySymbol;
  /** The entry that includes it in a view. */
  readonly via?: ViewEntry & { readonly include: IncludeSymbol | undefined };
}

/** An entry of a view; views that extend it inherit the entry. */
interface ViewEntry {
  readonly cube: ViewCubeSymbol;
  readonly view: EntitySymbol;
}

export interface EffectiveMembers {
  readonly byName: ReadonlyMap<string, Effective>;
  /** There may be more members: some are computed, or a cube that it builds on is unknown. */
  readonly open: boolean;
  /** Patterns of those members' names; undefined: any. */
  readonly openNames: readonly RegExp[] | undefined;
  /** Names that two includes of a view both add. */
  readonly clashes: readonly { readonly first: Effective; readonly second: Effective }[];
  /** Names in `includes` that no cube of the view has. */
  readonly missing: readonly {
    readonly include: IncludeSymbol;
    readonly owner: EntitySymbol;
    readonly cube: ViewCubeSymbol;
  }[];
}

interface Draft {
  readonly byName: Map<string, Effective>;
  /** There may be more members, with any names. */
  isAny: boolean;
  readonly patterns: RegExp[];
  readonly clashes: { readonly first: Effective; readonly second: Effective }[];
  readonly missing: { readonly include: IncludeSymbol; readonly owner: EntitySymbol; readonly cube: ViewCubeSymbol }[];
}

const NONE: EffectiveMembers = { byName: new Map(), open: true, openNames: undefined, clashes: [], missing: [] };
const underWay = new Set<EntitySymbol>();

/** Computes the members of an entity; a cycle of `extends` or of views yields an open, empty set. */
export function effectiveMembers(entity: EntitySymbol, index: Members): EffectiveMembers {
  if (underWay.has(entity)) return NONE;
  underWay.add(entity);
  try {
    const names = entity.openNames;
    const draft: Draft = {
      byName: new Map(),
      isAny: names === undefined,
      patterns: [...(names ?? [])],
      clashes: [],
      missing: [],
    };
    inherit(draft, entity, index);
    for (const member of entity.members.values())
      draft.byName.set(member.name, { name: member.name, kind: member.kind, member, owner: entity });
    if (entity.kind === 'view') includeCubes(draft, entity, index);
    const { isAny, patterns, ...members } = draft;
    return { ...members, open: isAny || patterns.length > 0, openNames: isAny ? undefined : patterns };
  } finally {
    underWay.delete(entity);
  }
}

/** Checks whether a member of this name may exist that the files do not show. */
export function mayHave({ openNames }: EffectiveMembers, name: string): boolean {
  return openNames?.some((pattern) => pattern.test(name)) ?? true;
}

/** Returns the parent that `extends` names, if it is known. */
export function extendedParent(entity: EntitySymbol, index: Members): EntitySymbol | undefined {
  const name = entity.extends?.segments.length === 1 ? entity.extends.segments[0]?.text : undefined;
  const parent = name === undefined ? undefined : index.entity(name);
  return parent === entity ? undefined : parent;
}

function inherit(draft: Draft, entity: EntitySymbol, index: Members): void {
  if (entity.extends === undefined && !entity.extendsUnknown) return;
  const parent = extendedParent(entity, index);
  if (!parent) {
    draft.isAny = true;
    return;
  }
  const members = index.membersOf(parent);
  if (members.openNames) append(draft.patterns, members.openNames);
  else draft.isAny = true;
  for (const member of members.byName.values())
    draft.byName.set(member.name, parent.kind === 'cube' ? { ...member, owner: entity } : member);
}

/** Returns the last cube of a join path, if each step is known. */
export function pathEnd(cube: ViewCubeSymbol, index: Members): EntitySymbol | undefined {
  const last = cube.path?.segments.at(-1);
  return last ? index.entity(last.text) : undefined;
}

interface Wanted {
  readonly name: string;
  readonly include: IncludeSymbol;
  readonly owner: EntitySymbol;
  readonly cube: ViewCubeSymbol;
}

function includeCubes(draft: Draft, view: EntitySymbol, index: Members): void {
  const resolved = new Set<string>();
  const wanted: Wanted[] = [];
  for (const cube of view.cubes) {
    const owner = pathEnd(cube, index);
    if (!owner) append(wanted, wantedOfMade(cube, index));
    if (!owner || cube.includes === undefined || cube.isOpen || cube.isDynamic) {
      draft.isAny = true;
      continue;
    }
    const members = index.membersOf(owner);
    if (members.open || hasLinks(members)) draft.isAny = true;
    const prefix = cube.prefix ? `${cube.alias ?? owner.name}_` : '';
    const entry = { cube, view, members, prefix };
    if (cube.includes === '*') includeAll(draft, entry);
    else
      includeSome(draft, entry, cube.includes, (name, include) => wanted.push({ name, include, owner, cube })).forEach(
        (name) => resolved.add(name),
      );
    includeLevels(draft, entry);
  }
  for (const item of wanted) if (!resolved.has(item.name)) draft.missing.push(item);
}

/** Returns the names that an entry includes of a cube that a script makes, which does not have them. */
function wantedOfMade(cube: ViewCubeSymbol, index: Members): readonly Wanted[] {
  const last = cube.path?.segments.at(-1);
  const owner = last && index.made(last.text);
  if (!owner || cube.isOpen || cube.isDynamic || !Array.isArray(cube.includes)) return [];
  const members = index.membersOf(owner);
  const prefix = cube.prefix ? `${cube.alias ?? owner.name}_` : '';
  return cube.includes.flatMap((include: IncludeSymbol) => {
    const { value } = include.nameNode;
    if (members.byName.has(value) || mayHave(members, value) || isGenerated(value)) return [];
    return [{ name: prefix + (include.aliasNode?.value ?? value), include, owner, cube }];
  });
}

/** Adds the named members; returns the names that were found and records the missing ones. */
function includeSome(
  draft: Draft,
  entry: EntryMembers,
  includes: readonly IncludeSymbol[],
  onMissing: (name: string, include: IncludeSymbol) => void,
): string[] {
  const { members, prefix } = entry;
  const found: string[] = [];
  for (const include of includes) {
    const name = prefix + (include.aliasNode?.value ?? include.nameNode.value);
    if (includeOne(draft, entry, include, name)) found.push(name);
    else if (!mayHave(members, include.nameNode.value) && !isGenerated(include.nameNode.value))
      onMissing(name, include);
  }
  return found;
}

/** Checks whether a dimension has links, which add members of their own. */
function hasLinks(members: EffectiveMembers): boolean {
  return [...members.byName.values()].some(({ member }) => member.kind === 'dimension' && member.has('links'));
}

function includeOne(
  draft: Draft,
  { cube, view, members }: EntryMembers,
  include: IncludeSymbol,
  name: string,
): boolean {
  const member = members.byName.get(include.nameNode.value);
  if (!member || member.kind === 'preAggregation') return false;
  if (!isExcluded(cube, member.name)) add(draft, { ...member, name, via: { cube, view, include } }, cube.split);
  return true;
}

function isGenerated(name: string): boolean {
  return name.includes('___link_') || isDynamic(name);
}

function includeAll(draft: Draft, { cube, view, members, prefix }: EntryMembers): void {
  for (const member of members.byName.values()) {
    if (member.kind !== 'preAggregation' && !isExcluded(cube, member.name))
      add(draft, { ...member, name: prefix + member.name, via: { cube, view, include: undefined } }, cube.split);
  }
}

/** An entry of a view, the members of its cube, and the prefix of their names. */
interface EntryMembers extends ViewEntry {
  readonly members: EffectiveMembers;
  readonly prefix: string;
}

/**
 * Adds the levels of included hierarchies (docs/model-language.md#hierarchies); with all members included, those of its cube are
 * there already.
 */
function includeLevels(draft: Draft, entry: EntryMembers): void {
  const { cube, view, members } = entry;
  const { includes } = cube;
  if (includes === undefined) return;
  const names = includes === '*' ? undefined : new Set(includes.map(({ nameNode }) => nameNode.value));
  for (const { kind, member, name } of members.byName.values()) {
    if (kind !== 'hierarchy' || names?.has(name) === false || isExcluded(cube, name)) continue;
    if (names) includeOwnLevels(draft, entry, names, member);
    // Levels of joined cubes are included by their own entries.
    append(draft.patterns, foreignLevels(member, view));
  }
}

function includeOwnLevels(
  draft: Draft,
  { cube, view, members, prefix }: EntryMembers,
  names: ReadonlySet<string>,
  hierarchy: MemberSymbol,
): void {
  for (const level of ownLevels(hierarchy)) {
    const dimension = names.has(level) ? undefined : members.byName.get(level);
    const shown = dimension && { ...dimension, name: prefix + dimension.name, via: { cube, view, include: undefined } };
    if (shown && !isExcluded(cube, level)) add(draft, shown, cube.split);
  }
}

/** Returns the names of a hierarchy's levels that belong to its own cube. */
function ownLevels({ nameNode, owner }: MemberSymbol): string[] {
  return owner.references.flatMap(({ memberName, key, segments }) => {
    if (memberName !== nameNode || key !== 'levels') return [];
    const head = segments[0]?.text;
    const isOwn = segments.length === 1 || (segments.length === 2 && (head === 'CUBE' || head === owner.name));
    return isOwn ? (segments.at(-1)?.text ?? []) : [];
  });
}

/** Returns patterns for a hierarchy's levels from joined cubes, with the names that those cubes' entries give them in a view. */
function foreignLevels({ nameNode, owner }: MemberSymbol, { cubes }: EntitySymbol): RegExp[] {
  return owner.references.flatMap(({ memberName, key, segments }) => {
    const [head, level] = segments.slice(-2).map(({ text }) => text);
    const isForeign = level !== undefined && head !== 'CUBE' && head !== owner.name;
    if (memberName !== nameNode || key !== 'levels' || !isForeign) return [];
    const entries = cubes.filter(({ path }) => path?.segments.at(-1)?.text === head);
    return entries.flatMap(({ prefix, alias }) => namePattern(`${prefix ? `${alias ?? head}_` : ''}${level}`) ?? []);
  });
}

function isExcluded(cube: ViewCubeSymbol, name: string): boolean {
  return cube.excludes.some(({ value }) => value === name);
}

function add(draft: Draft, member: Effective, split: boolean): void {
  // A split entry makes a view of its own.
  if (split) return;
  const first = draft.byName.get(member.name);
  if (!first) draft.byName.set(member.name, member);
  else if (first.member !== member.member || first.owner !== member.owner || wayOf(first) !== wayOf(member))
    draft.clashes.push({ first, second: member });
}

/** Returns the join path through which a view includes a member. */
function wayOf({ via }: Effective): string | undefined {
  return via?.cube.path?.segments.map(({ text }) => text).join('.');
}
