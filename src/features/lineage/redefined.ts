import type { Effective } from '#model/effective.ts';
import type { ModelIndex } from '#model/index.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import type { TreeNode } from '#model/syntax/tree.ts';
import { childrenOf, rootSite, type Site, walkEntity } from '#model/typed.ts';
import { type Definition, definitionAt, type Source } from './definition.ts';
import { CodeBehind } from './code-behind.ts';
import { presentationKeys } from './definition-rules.ts';
import type { ModelChange } from './model-changes.ts';

export type Redefinition = Extract<ModelChange, { kind: 'redefined' }>;

/**
 * Returns the cubes, views and members that both models have and that are defined or shown differently. `renamed` are the new names
 * of members. A view's member is listed if the view itself changes it: what its cube changes is listed with the cube, and
 * `affects` leads to the view.
 */
export function redefinitions(
  before: ModelIndex,
  after: ModelIndex,
  renamed: ReadonlyMap<string, string>,
): readonly Redefinition[] {
  const [old, now] = [new Definitions(before), new Definitions(after)];
  const isSame = sameText(old, now);
  return before.entities().flatMap((entity) => {
    const there = after.entity(entity.name);
    if (entity.kind === 'viewGroup' || there?.kind !== entity.kind || before.entity(entity.name) !== entity) return [];
    const isUnchanged = isSame(entity, there);
    const own = isUnchanged ? [] : changedKeys(old.ofEntity(entity), now.ofEntity(there));
    const members = [...before.membersOf(entity).byName.values()].flatMap((member) => {
      if (member.kind === 'preAggregation') return [];
      const name = `${entity.name}.${member.name}`;
      const newName = renamed.get(name) ?? name;
      const counterpart = after.member(there, newName.slice(there.name.length + 1));
      if (!counterpart || counterpart.kind !== member.kind) return [];
      if (isUnchanged && isSame(member.member.owner, counterpart.member.owner)) return [];
      const keys = changedKeys(old.ofMember(member, entity), now.ofMember(counterpart, there));
      return redefined('member', newName, typeOf(counterpart), keys);
    });
    return [...redefined(entity.kind, entity.name, entity.kind, own), ...members];
  });
}

/**
 * Returns a test whether a cube or view is in a file that is the same in both models, with all that it imports; its whole text
 * counts, for aliases.
 */
function sameText(before: Definitions, after: Definitions): (one: EntitySymbol, other: EntitySymbol) => boolean {
  return (one, other) => {
    const [old, now] = [before.index.placement(one.chunk), after.index.placement(other.chunk)];
    if (!old || !now || old.rendering || now.rendering) return false;
    return (
      one.name === other.name &&
      old.start === now.start &&
      old.file.text === now.file.text &&
      before.code.filesBehind(old.file) === after.code.filesBehind(now.file)
    );
  };
}

function redefined(
  what: Redefinition['what'],
  name: string,
  type: string,
  changed: readonly string[],
): readonly Redefinition[] {
  if (changed.length === 0) return [];
  const isShown = (key: string): boolean => presentationKeys.has(key);
  const keys = changed.filter((key) => !isShown(key)).sort();
  return [{ kind: 'redefined', what, name, type, keys, presentation: changed.filter(isShown).sort(), affects: [] }];
}

function typeOf({ kind, member }: Effective): string {
  return [kind, member.text('type')].filter((part) => part !== undefined).join(' ');
}

/** Returns the keys in which two definitions differ: `sql`, `joins.users.relationship`; a whole new join as `joins.users`. */
function changedKeys(before: Definition, after: Definition, prefix = ''): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    if (typeof old === 'object' && typeof now === 'object') return changedKeys(old, now, `${prefix}${key}.`);
    if (old === now) return [];
    // If a whole group is new or gone, each of its members is named.
    const group = typeof old === 'object' ? old : now;
    const isGroup = typeof group === 'object' && groups.has(key);
    return isGroup ? [...group.keys()].map((name) => `${prefix}${key}.${name}`) : [`${prefix}${key}`];
  });
}

/** Keys of a cube or a member that hold named items. */
const groups = new Set(['joins', 'pre_aggregations', 'granularities']);

/** Keys of cubes and views that are compared elsewhere: names, and members one by one. */
const apart = new Set(['name', 'file_name', 'cubes', 'dimensions', 'measures', 'segments', 'hierarchies']);
/** Stands for the code of a script that a definition gets keys or members from, which are not written in it. */
const codeKey = 'code';
/** Keys of members that are compared elsewhere. */
const ofMembers = new Set(['name', 'type']);

/** The definitions of one model. Each is read once. */
class Definitions {
  readonly #members = new Map<EntitySymbol, ReadonlyMap<number, Site>>();
  readonly #includes = new Map<EntitySymbol, ReadonlyMap<number, Site>>();

  readonly index: ModelIndex;
  readonly code: CodeBehind;

  constructor(index: ModelIndex) {
    this.index = index;
    this.code = new CodeBehind(index);
  }

  ofEntity(entity: EntitySymbol): Definition {
    const root = rootSite(entity.entity);
    const own = definitionAt(root, this.#source(entity), apart);
    // Functions may also make members and keys, which are not known before the model runs.
    const code = this.code.of(entity.chunk, root.node, childrenOf(root).flatMap(writtenIn));
    return code === '' ? own : new Map([...own, [codeKey, code]]);
  }

  /** Returns the definition of a member as a cube has it, or how a view takes it from a cube. */
  ofMember({ member, owner, via }: Effective, entity: EntitySymbol): Definition {
    if (!via) {
      const site = this.#sitesOf(member.owner).get(member.nameNode.start);
      return site ? definitionAt(site, this.#source(member.owner), ofMembers) : new Map();
    }
    const way = via.cube.path?.segments.map(({ text }) => text).join('.') ?? '';
    const site = via.include && this.#includesOf(entity).get(via.include.nameNode.start);
    const shown = site ? definitionAt(site, this.#source(entity), new Set(['name', 'alias'])) : [];
    return new Map([...shown, ['join_path', way], ['includes', `${owner.name}.${member.name}`]]);
  }

  #source({ chunk }: EntitySymbol): Source {
    return {
      chunk,
      fileText: this.index.placement(chunk)?.file.text ?? chunk.text,
      codeBehind: (node) => this.code.of(chunk, node),
    };
  }

  #sitesOf(owner: EntitySymbol): ReadonlyMap<number, Site> {
    const known = this.#members.get(owner);
    if (known) return known;
    const groups = childrenOf(rootSite(owner.entity)).filter(({ type }) => type.is === 'members');
    const sites = new Map(
      groups.flatMap((group) => childrenOf(group).map((site) => [site.nameNode?.start ?? -1, site])),
    );
    this.#members.set(owner, sites);
    return sites;
  }

  /** Returns the entries of a view that are maps, by the offset of their names. */
  #includesOf(view: EntitySymbol): ReadonlyMap<number, Site> {
    const known = this.#includes.get(view);
    if (known) return known;
    const sites = new Map<number, Site>();
    walkEntity(view.entity, (site) => {
      if (site.shape !== 'include') return;
      const name = childrenOf(site).find(({ key }) => key === 'name');
      if (name) sites.set(name.node.start, site);
    });
    this.#includes.set(view, sites);
    return sites;
  }
}

/** Returns the ranges of the values that are compared key by key: those of a key, or of each member of a group. */
function writtenIn(site: Site): readonly TreeNode[] {
  return site.type.is === 'members' ? childrenOf(site).map(({ node }) => node) : [site.node];
}
