import { GROUP_SHAPES } from '#model/language/group-shapes.ts';
import { type Effective, mayHave } from './effective.ts';
import type { ModelIndex } from './index.ts';
import { granularitiesOf } from './granularities.ts';
import type { Target } from './language/types.ts';
import type { Reference } from './references.ts';
import type { Chunk } from './chunk.ts';
import { isPutTogether } from './read.ts';
import type { ScalarNode } from './syntax/tree.ts';
import type { Segment } from '#model/expressions/strings.ts';
import type { EntitySymbol } from './symbols.ts';
import { JAVASCRIPT, SANDBOX, SELF } from './syntax/known-names.ts';

/** What one segment of a path refers to. */
export type Referent =
  | { readonly is: 'self'; readonly entity: EntitySymbol }
  | { readonly is: 'entity'; readonly entity: EntitySymbol }
  | { readonly is: 'member'; readonly entity: EntitySymbol; readonly member: Effective }
  | { readonly is: 'granularity'; readonly of: Effective; readonly name: string }
  | { readonly is: 'context' };

/** A reference with what each of its segments refers to, as far as it could be resolved. */
export interface ResolvedReference {
  readonly referents: readonly Referent[];
  /** The segment that resolves to nothing; undefined if all resolve, or if that cannot be known. */
  readonly unknown?: Unknown | undefined;
}
export interface Unknown {
  readonly segment: Segment;
  /** The entity that it was resolved in; undefined for the first segment. */
  readonly within: EntitySymbol | undefined;
  readonly kind: 'head' | 'cube' | 'member' | 'tail' | 'view' | 'group' | 'preAggregation' | 'granularity';
}

/**
 * Names that the engine adds to every template (docs/model-language.md#how-a-name-is-resolved, docs/model-language.md#context).
 */
const CONTEXT = new Set([
  'FILTER_PARAMS',
  'FILTER_GROUP',
  'SECURITY_CONTEXT',
  'security_context',
  'securityContext',
  'SQL_UTILS',
  'COMPILE_CONTEXT',
  'userAttributes',
  'user_attributes',
  'groups',
]);

/** Checks whether the engine adds a name to every template. */
export function isContext(name: string): boolean {
  return CONTEXT.has(name);
}

/** Resolves a reference in `owner`. */
export function resolve(reference: Reference, owner: EntitySymbol, index: ModelIndex): ResolvedReference {
  const [head] = reference.segments;
  if (head && isUnseen(reference, owner, index))
    return {
      referents: [],
      unknown: isHidden(head, owner, index) ? undefined : { segment: head, within: owner, kind: 'head' },
    };
  if (isNamedLikeCube(reference.node, owner.chunk, index) || isOfScript(reference, owner)) return { referents: [] };
  const resolved = (RESOLVERS[reference.target] ?? resolvePath)(reference, owner, index);
  // The code of its function knows a parameter by this name, so that it cannot be renamed alone.
  return head?.isParameter ? { referents: [], unknown: resolved.unknown } : resolved;
}

/** Checks for a constant of a script that a cube or view of the same name hides. */
export function isNamedLikeCube(node: ScalarNode, chunk: Chunk, index: ModelIndex): boolean {
  if (!isPutTogether(chunk, node)) return false;
  const written = chunk.text.slice(node.start, node.end);
  return written !== node.value && index.entity(written) !== undefined;
}

/**
 * Checks for a bare name of a member in a script that computes the name of its cube or view: the engine leaves it as it is, so that
 * JavaScript does not know it.
 */
export function isUnseen(reference: Reference, owner: EntitySymbol, index: ModelIndex): boolean {
  const { segments, node, form, start, target } = reference;
  const [head] = segments;
  if (isOutside(start, owner)) return false;
  // Of a view, no member is known before it is made.
  const isOfView = owner.kind === 'view' && owner.chunk.kind === 'script' && /^(?:view|own)Member$/.test(target);
  if (!head || (owner.hasBareNames && !isOfView) || (form !== 'sql' && node.style !== 'code')) return false;
  return !SELF.has(head.text) && !CONTEXT.has(head.text) && !index.entity(head.text);
}

/** Checks for code outside of a definition: the engine leaves functions and their parameters there as they are. */
function isOutside(start: number, { entity, written }: EntitySymbol): boolean {
  return entity.written !== undefined && (start < written.start || written.end <= start);
}

/** Checks for a variable or a parameter that a function outside of a definition uses; in one, a member of that name hides it. */
function isOfScript({ segments: [head], start, form }: Reference, owner: EntitySymbol): boolean {
  return (
    form === 'sql' &&
    head !== undefined &&
    !head.isParameter &&
    owner.chunk.locals.has(head.text) &&
    isOutside(start, owner)
  );
}

type Resolver = (reference: Reference, owner: EntitySymbol, index: ModelIndex) => ResolvedReference;

const resolveOwnOrPath: Resolver = (reference, owner, index) =>
  reference.form === 'path' ? resolvePath(reference, owner, index) : resolveOwn(reference, owner, index);

/** Resolvers of targets that are not paths as in SQL. */
const RESOLVERS: Partial<Readonly<Record<Target, Resolver>>> = {
  cube: (reference, owner, index) => resolveEntity(reference, owner, index, 'cube'),
  view: (reference, owner, index) => resolveEntity(reference, owner, index, 'view'),
  viewGroup: resolveGroup,
  joinPath: resolveJoinPath,
  includedMember: resolveIncluded,
  viewMember: resolveOwnOrPath,
  ownMember: resolveOwnOrPath,
};

function resolveEntity(
  { segments, form, shape }: Reference,
  owner: EntitySymbol,
  index: ModelIndex,
  target: 'cube' | 'view',
): ResolvedReference {
  const head = target === 'view' ? wholeName(segments) : segments[0];
  if (!head) return { referents: [] };
  const entity = index.entity(head.text);
  // A view group contains views only; elsewhere the engine checks only that the name exists.
  if (entity && (!GROUP_SHAPES.has(shape) || entity.kind === 'view')) return { referents: [{ is: 'entity', entity }] };
  const kind = target === 'view' ? 'view' : form === 'path' ? 'head' : 'cube';
  // A script may hold the name of a view in a constant, but not a cube that another one extends.
  const isOpen = form === 'path' && target === 'view' ? isHidden(head, owner, index) : index.mayHave(head.text);
  return { referents: [], unknown: isOpen ? undefined : { segment: head, within: undefined, kind } };
}

function resolveGroup({ segments, form }: Reference, owner: EntitySymbol, index: ModelIndex): ResolvedReference {
  const head = wholeName(segments);
  const entity = head && index.viewGroup(head.text);
  if (!head || entity) return { referents: entity ? [{ is: 'entity', entity }] : [] };
  // A script may hold the name in a constant.
  const isOpen = form === 'path' ? isHidden(head, owner, index) : index.mayHave(head.text);
  const unknown: Unknown | undefined = isOpen ? undefined : { segment: head, within: undefined, kind: 'group' };
  return { referents: [], unknown };
}

/** Returns a path as one name, for what has no members. */
function wholeName(segments: readonly Segment[]): Segment | undefined {
  const [first] = segments;
  if (!first || segments.length === 1) return first;
  const text = segments.map((segment) => segment.text).join('.');
  return { text, start: first.start, end: segments.at(-1)?.end ?? first.end };
}

function resolveJoinPath({ segments }: Reference, owner: EntitySymbol, index: ModelIndex): ResolvedReference {
  const referents: Referent[] = [];
  for (const segment of segments) {
    const entity = SELF.has(segment.text) ? owner : (index.entity(segment.text) ?? index.made(segment.text));
    if (!entity)
      return {
        referents,
        unknown: isHidden(segment, owner, index)
          ? undefined
          : { segment, within: referents.length === 0 ? undefined : lastEntity(referents), kind: 'cube' },
      };
    referents.push({ is: 'entity', entity });
  }
  return { referents };
}

function lastEntity(referents: readonly Referent[]): EntitySymbol | undefined {
  const last = referents.at(-1);
  return last?.is === 'entity' ? last.entity : undefined;
}

/** Resolves a name in `includes` or `excludes` in the cube at the end of this entry's join path. */
function resolveIncluded({ segments, start }: Reference, owner: EntitySymbol, index: ModelIndex): ResolvedReference {
  const [name] = segments;
  const cube = owner.cubes.find((entry) => entry.start <= start && start <= entry.end);
  const last = cube?.path?.segments.at(-1);
  const entity = last && index.entity(last.text);
  if (!name || !last || segments.length > 1) return { referents: [] };
  if (entity) return memberOf(entity, name, index, []);
  const made = index.made(last.text);
  return { referents: [], unknown: made && memberOf(made, name, index, []).unknown };
}

/** Resolves a plain name of a member of this cube or view; some keys allow `cube.member`. */
function resolveOwn({ segments, shape }: Reference, owner: EntitySymbol, index: ModelIndex): ResolvedReference {
  const [head, tail] = segments;
  if (!head || /^\*?$/.test(head.text)) return { referents: [] };
  if (segments.length === 1) return memberOf(owner, head, index, []);
  const entity = head.text === owner.name ? owner : index.entity(head.text);
  // A default filter is compared with names as they are written.
  const whole = longPath(segments, shape);
  if (whole) return { referents: [], unknown: { segment: whole, within: owner, kind: 'member' } };
  if (!entity && shape === 'defaultFilter' && /^\w+$/.test(head.text) && !index.mayHave(head.text))
    return { referents: [], unknown: { segment: head, within: owner, kind: 'member' } };
  if (!entity || !tail || segments.length > 2) return { referents: [] };
  return memberOf(entity, tail, index, [{ is: 'entity', entity }]);
}

/** Returns a path that leads through a cube to a member, which a default filter does not follow. */
function longPath(segments: readonly Segment[], shape: string): Segment | undefined {
  const whole = shape === 'defaultFilter' && segments.length > 2 ? wholeName(segments) : undefined;
  return whole && /^[\w.]+$/.test(whole.text) ? whole : undefined;
}

function memberOf(
  entity: EntitySymbol,
  name: Segment,
  index: ModelIndex,
  before: readonly Referent[],
): ResolvedReference {
  const member = index.member(entity, name.text);
  if (member) return { referents: [...before, { is: 'member', entity, member }] };
  const isKnown = !mayHave(index.membersOf(entity), name.text) && !name.text.includes('___link_');
  return { referents: before, unknown: isKnown ? { segment: name, within: entity, kind: 'member' } : undefined };
}

/** Checks whether a head may be something that the model does not show: a variable of a script, a generated cube. */
function isHidden(segment: Segment, owner: EntitySymbol, index: ModelIndex): boolean {
  if (index.mayHave(segment.text)) return true;
  if (segment.isParameter) return false;
  if (JAVASCRIPT.has(segment.text)) return true;
  return owner.chunk.kind === 'script' && (owner.chunk.locals.has(segment.text) || SANDBOX.has(segment.text));
}

/**
 * Resolves a path as in docs/model-language.md#how-a-name-is-resolved: context, `CUBE`, a cube or view, a member of this cube;
 * then member, join path, granularity.
 */
function resolvePath(reference: Reference, owner: EntitySymbol, index: ModelIndex): ResolvedReference {
  const { segments, key } = reference;
  const [head] = segments;
  if (!head) return { referents: [] };
  if (CONTEXT.has(head.text) && !isNamedLikeContext(head.text, owner, index)) return resolveContext(segments, index);
  const isSelf = SELF.has(head.text);
  const entity = isSelf ? owner : index.entity(head.text);
  if (entity && !isSelf && owner.chunk.locals.has(head.text)) return { referents: [] };
  if (entity) return follow(segments, 1, [{ is: isSelf ? 'self' : 'entity', entity }], entity, index, key);
  const made = segments.length > 1 && !owner.chunk.locals.has(head.text) ? index.made(head.text) : undefined;
  if (made) return { referents: [], unknown: follow(segments, 1, [], made, index, key).unknown };
  return resolveBare(reference, head, owner, index);
}

/** Attributes of the security context; in a script, they hide no cube and no member of the same name. */
const HIDDEN = new Set(['userAttributes', 'user_attributes', 'groups']);

function isNamedLikeContext(name: string, owner: EntitySymbol, index: ModelIndex): boolean {
  if (owner.chunk.kind !== 'script' || !HIDDEN.has(name)) return false;
  return index.entity(name) !== undefined || index.member(owner, name) !== undefined;
}

/** Resolves a path that begins with a member. */
function resolveBare(
  { segments, target, key, form }: Reference,
  head: Segment,
  owner: EntitySymbol,
  index: ModelIndex,
): ResolvedReference {
  const member = index.member(owner, head.text);
  if (member && (!isUnnamed(member, key, form) || (member.kind !== 'hierarchy' && hasPolicy(index))))
    return granularity(segments, 1, [{ is: 'member', entity: owner, member }], member, index);
  // A view has the members that it includes, but its SQL cannot use their bare names.
  const isKnown = form === 'sql' && member?.via !== undefined && owner.extends === undefined;
  const isOpen = (!isKnown && mayHave(index.membersOf(owner), head.text)) || isHidden(head, owner, index);
  const kind = target === 'preAggregation' ? 'preAggregation' : 'head';
  return { referents: [], unknown: isOpen ? undefined : { segment: head, within: owner, kind } };
}

/** Checks whether any view has a policy: the engine then reads the members of all views before their SQL. */
function hasPolicy(index: ModelIndex): boolean {
  return index.entities().some((entity) => entity.kind === 'view' && entity.hasPolicy);
}

/**
 * Checks whether an expression cannot name a member, such as a hierarchy. As a level, a hierarchy resolves so that the problem can
 * name it.
 */
function isUnnamed({ kind, via }: Effective, key: string, form?: Reference['form']): boolean {
  // SQL of a view refers to included members only as `CUBE.member`, unless a policy made the engine read them first.
  return (kind === 'hierarchy' && key !== 'levels') || (form === 'sql' && via !== undefined);
}

function follow(
  segments: readonly Segment[],
  from: number,
  before: readonly Referent[],
  entity: EntitySymbol,
  index: ModelIndex,
  key: string,
): ResolvedReference {
  const segment = segments[from];
  if (!segment || segment.text === 'sql') return { referents: before };
  const member = index.member(entity, segment.text);
  if (member && !isUnnamed(member, key))
    return granularity(segments, from + 1, [...before, { is: 'member', entity, member }], member, index);
  const next = index.entity(segment.text);
  if (next) return follow(segments, from + 1, [...before, { is: 'entity', entity: next }], next, index, key);
  const isOpen =
    mayHave(index.membersOf(entity), segment.text) || index.mayHave(segment.text) || segment.text.includes('___link_');
  return { referents: before, unknown: isOpen ? undefined : { segment, within: entity, kind: 'tail' } };
}

/** Resolves what may follow a member: a granularity of a time dimension, predefined or its own. */
function granularity(
  segments: readonly Segment[],
  from: number,
  before: readonly Referent[],
  member: Effective,
  index: ModelIndex,
): ResolvedReference {
  const segment = segments[from];
  if (!segment || segment.text === 'sql') return { referents: before };
  const isTime = member.member.text('type') === 'time';
  if (isTime && granularitiesOf(member.member).includes(segment.text))
    return { referents: [...before, { is: 'granularity', of: member, name: segment.text }] };
  // Members have a few methods and properties that the engine adds.
  const isOpen = member.member.isOpen || index.dynamic || member.owner.kind === 'view';
  return { referents: before, unknown: isOpen ? undefined : { segment, within: member.owner, kind: 'granularity' } };
}

/** Resolves `FILTER_PARAMS.cube.member.filter(…)`: the cube and the member are references, the rest is not. */
function resolveContext(segments: readonly Segment[], index: ModelIndex): ResolvedReference {
  const context: Referent = { is: 'context' };
  const [head, cube, member] = segments;
  if (head?.text !== 'FILTER_PARAMS' || !cube) return { referents: [context] };
  const entity = index.entity(cube.text);
  if (!entity)
    return {
      referents: [context],
      unknown: index.mayHave(cube.text) ? undefined : { segment: cube, within: undefined, kind: 'cube' },
    };
  const before: Referent[] = [context, { is: 'entity', entity }];
  return member ? memberOf(entity, member, index, before) : { referents: before };
}
