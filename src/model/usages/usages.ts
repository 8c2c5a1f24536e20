import { type Effective, extendedParent, pathEnd } from '#model/effective.ts';
import type { ModelIndex } from '#model/index.ts';
import { nameRange } from '#model/name-range.ts';
import type { Reference } from '#model/references.ts';
import { type Referent, resolve } from '#model/resolve.ts';
import type { Segment } from '#model/expressions/strings.ts';
import type { EntitySymbol, MemberSymbol } from '#model/symbols.ts';
import type { ScalarNode } from '#model/syntax/tree.ts';

/** An item that can be looked up, listed and renamed. */
export type Subject =
  | { readonly is: 'entity'; readonly entity: EntitySymbol }
  | { readonly is: 'member'; readonly member: MemberSymbol }
  /** A name that a view gives to a member. */
  | { readonly is: 'alias'; readonly view: EntitySymbol; readonly node: ScalarNode };

/** An occurrence of a subject. Offsets are those of the entity's chunk. */
export interface Usage {
  readonly entity: EntitySymbol;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** `definition`: the name itself; `implied`: a text that contains the name (a prefix). */
  readonly role: 'definition' | 'reference' | 'implied';
  readonly reference: Reference | undefined;
}

/** Returns the subject that a segment refers to. */
export function subjectOf(referent: Referent): Subject | undefined {
  if (referent.is === 'entity' || referent.is === 'self') return { is: 'entity', entity: referent.entity };
  if (referent.is === 'granularity') return { is: 'member', member: referent.of.member };
  if (referent.is !== 'member') return undefined;
  const alias = referent.entity.kind === 'view' ? aliasOf(referent.member) : undefined;
  // The text names the member as the view does.
  return alias ?? { is: 'member', member: referent.member.member };
}

/** Returns the alias of a view's member; undefined if it has none. The view may inherit it from another one. */
export function aliasOf({ via }: Effective): Extract<Subject, { readonly is: 'alias' }> | undefined {
  const node = via?.include?.aliasNode;
  return via && node && { is: 'alias', view: via.view, node };
}

/** Returns the subject at an offset of an entity's chunk: a definition's name, or a segment of a reference. */
export function subjectAt(
  entity: EntitySymbol,
  offset: number,
  index: ModelIndex,
):
  | { readonly subject: Subject; readonly start: number; readonly end: number; readonly referent: Referent | undefined }
  | undefined {
  const definition = definitionAt(entity, offset);
  if (definition) return { ...definition, subject: renderedSubject(definition.subject, index), referent: undefined };
  const reference = entity.references.find(({ start, end }) => start <= offset && offset <= end);
  const at = reference?.segments.findIndex(({ start, end }) => start <= offset && offset <= end) ?? -1;
  const segment = reference?.segments[at];
  if (!reference || !segment) return undefined;
  const referent = resolve(reference, entity, index).referents[at];
  const subject = referent && subjectOf(referent);
  return subject && { subject, start: segment.start, end: segment.end, referent };
}

function definitionAt(
  entity: EntitySymbol,
  offset: number,
): { readonly subject: Subject; readonly start: number; readonly end: number } | undefined {
  const { text } = entity.chunk;
  const at = (node: ScalarNode | undefined, subject: () => Subject): ReturnType<typeof definitionAt> => {
    if (!node || offset < node.start || node.end < offset) return undefined;
    const range = nameRange(node, text);
    return range.start <= offset && offset <= range.end ? { subject: subject(), ...range } : undefined;
  };
  const own = at(entity.nameNode, () => ({ is: 'entity', entity }));
  if (own) return own;
  for (const member of [...entity.members.values(), ...entity.duplicates]) {
    const found = at(member.nameNode, () => ({ is: 'member', member }));
    if (found) return found;
  }
  for (const { includes } of entity.cubes) {
    if (includes === '*' || includes === undefined) continue;
    for (const { aliasNode } of includes) {
      const found = aliasNode && at(aliasNode, () => ({ is: 'alias', view: entity, node: aliasNode }));
      if (found) return found;
    }
  }
  return undefined;
}

/** Returns the rendered version of a subject in a template, because the references of the model resolve to that one. */
function renderedSubject(subject: Subject, index: ModelIndex): Subject {
  if (subject.is === 'entity') return { is: 'entity', entity: index.rendered(subject.entity) };
  if (subject.is === 'alias') return subject;
  const { owner, name } = subject.member;
  return { is: 'member', member: index.rendered(owner).members.get(name) ?? subject.member };
}

/** Returns every occurrence of a subject, its definitions first. Scans only the entities that mention it. */
export function usagesOf(given: Subject, index: ModelIndex): Usage[] {
  const subject = renderedSubject(given, index);
  if (subject.is === 'entity') return entityUsages(subject.entity, index);
  if (subject.is === 'alias') return aliasUsages(subject.view, subject.node, index);
  return memberUsages(subject.member, index);
}

function definition(entity: EntitySymbol, node: ScalarNode): Usage {
  return { entity, ...nameRange(node, entity.chunk.text), text: node.value, role: 'definition', reference: undefined };
}

function usage(entity: EntitySymbol, reference: Reference, { start, end, text }: Segment, role: Usage['role']): Usage {
  return { entity, start, end, text, role, reference };
}

function entityUsages(target: EntitySymbol, index: ModelIndex): Usage[] {
  const usages = index
    .named(target.name)
    .flatMap((entity) => (entity.nameNode ? [definition(entity, entity.nameNode)] : []));
  if (usages.length === 0 && target.nameNode) usages.push(definition(target, target.nameNode));
  const prefix = `${target.name}_`;
  // Names with a prefix from this name in views that show its members, and their uses.
  each(
    usersOf([target], index),
    index,
    target.name,
    (text) => text === target.name || text.startsWith(prefix),
    (entity, reference, segment, referent) => {
      if (segment.text === target.name && referent.is === 'entity' && referent.entity.name === target.name)
        usages.push(usage(entity, reference, segment, 'reference'));
      // `prefix: true` puts the cube's name before the member's.
      const cube = referent.is === 'member' ? referent.member.via?.cube : undefined;
      const isPrefixed =
        cube?.prefix &&
        cube.alias === undefined &&
        pathEnd(cube, index) === target &&
        referent.is === 'member' &&
        referent.entity.kind === 'view';
      if (isPrefixed && segment.text.startsWith(prefix) && reference.target !== 'includedMember')
        usages.push(usage(entity, reference, segment, 'implied'));
    },
  );
  return usages;
}

function aliasUsages(view: EntitySymbol, node: ScalarNode, index: ModelIndex): Usage[] {
  const usages: Usage[] = [definition(view, node)];
  each(
    usersOf([view], index),
    index,
    node.value,
    (text) => text.endsWith(node.value),
    (entity, reference, segment, referent) => {
      const isAlias =
        referent.is === 'member' &&
        referent.member.via?.include?.aliasNode === node &&
        reference.target !== 'includedMember';
      if (isAlias)
        usages.push(usage(entity, reference, segment, segment.text === node.value ? 'reference' : 'implied'));
    },
  );
  return usages;
}

function memberUsages(target: MemberSymbol, index: ModelIndex): Usage[] {
  const family = familyOf(target, index);
  const usages: Usage[] = [...family].flatMap(({ owner, nameNode }) => [
    definition(owner, nameNode),
    ...owner.duplicates.flatMap((other) => (other.name === target.name ? definition(owner, other.nameNode) : [])),
  ]);
  each(
    usersOf(
      [...family].map(({ owner }) => owner),
      index,
    ),
    index,
    target.name,
    (text) => text.endsWith(target.name),
    (entity, reference, segment, referent) => {
      if (referent.is !== 'member' || !family.has(referent.member.member)) return;
      const isOwnName = reference.target === 'includedMember' || referent.member.via?.include?.aliasNode === undefined;
      if (isOwnName)
        usages.push(usage(entity, reference, segment, segment.text === target.name ? 'reference' : 'implied'));
    },
  );
  return usages;
}

/** Returns the member with its overrides: the same name up and down the chain of `extends`. */
function familyOf(target: MemberSymbol, index: ModelIndex): ReadonlySet<MemberSymbol> {
  const family = new Set<MemberSymbol>([target]);
  let root = target.owner;
  const seen = new Set([root]);
  for (let at = extendedParent(root, index); at && !seen.has(at); at = extendedParent(at, index)) {
    seen.add(at);
    if (at.members.has(target.name)) root = at;
  }
  for (const entity of index.entities()) {
    const member = entity.members.get(target.name);
    if (member && entity.extends && descends(entity, root, index)) family.add(member);
  }
  const first = root.members.get(target.name);
  if (first) family.add(first);
  return family;
}

function descends(entity: EntitySymbol, root: EntitySymbol, index: ModelIndex): boolean {
  for (let at: EntitySymbol | undefined = entity, depth = 0; at && depth < 50; at = extendedParent(at, index), depth++)
    if (at === root) return true;
  return false;
}

/** Checks whether anything other than its own definition names a subject. */
export function isUsed(subject: Subject, index: ModelIndex): boolean {
  return usagesOf(subject, index).some(({ role }) => role !== 'definition');
}

/**
 * Returns a check of whether a member of a cube or view is used, by name: much faster than {@link isUsed} but sometimes wrong,
 * because another cube's member may be meant.
 */
export function mentionedMembers(entity: EntitySymbol, index: ModelIndex): (name: string) => boolean {
  const users = [...usersOf([entity], index)];
  return (name) => users.some(({ mentions }) => mentions.has(name));
}

/**
 * Returns the entities that can use members of some cubes or views: themselves, those that mention them by name, and in turn
 * those that mention an entity that extends or shows them.
 */
function usersOf(owners: readonly EntitySymbol[], index: ModelIndex): ReadonlySet<EntitySymbol> {
  const users = new Set(owners);
  const carriers = new Set(owners);
  for (const carrier of carriers) {
    for (const same of index.named(carrier.name)) users.add(same);
    for (const entity of index.mentioning(carrier.name)) {
      users.add(entity);
      if (entity.kind === 'view' || entity.extends) carriers.add(entity);
    }
  }
  return users;
}

/** Calls back with every resolved segment of the entities whose text matches. `word` occurs in all of those texts. */
function each(
  entities: ReadonlySet<EntitySymbol>,
  index: ModelIndex,
  word: string,
  mayBe: (text: string) => boolean,
  visit: (entity: EntitySymbol, reference: Reference, segment: Segment, referent: Referent) => void,
): void {
  for (const entity of entities) {
    if (!some(entity.mentions, mayBe)) continue;
    for (const reference of entity.referencesWith(word)) {
      if (!reference.segments.some(({ text }) => mayBe(text))) continue;
      const { referents } = resolve(reference, entity, index);
      for (const [at, segment] of reference.segments.entries()) {
        const referent = referents[at];
        if (referent && mayBe(segment.text)) visit(entity, reference, segment, referent);
      }
    }
  }
}

function some(words: ReadonlySet<string>, test: (word: string) => boolean): boolean {
  for (const word of words) if (test(word)) return true;
  return false;
}
