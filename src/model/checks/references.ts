import { append } from '#base/long-lists.ts';
import type { Code, Fix, Problem, Severity } from '../codes.ts';
import type { Effective } from '../effective.ts';
import type { ModelIndex } from '../index.ts';
import { nounOfKind } from '../kind-nouns.ts';
import { GRANULARITIES } from '../language/shared-keys.ts';
import type { Reference } from '../references.ts';
import { granularitiesOf } from '../granularities.ts';
import { type Referent, isUnseen, resolve, type ResolvedReference, type Unknown } from '../resolve.ts';
import type { Segment } from '#model/expressions/strings.ts';
import { nearestName } from '../suggest.ts';
import type { EntitySymbol, MemberSymbol } from '../symbols.ts';
import { checkContextReference } from './context-references.ts';
import { checkGroupingKey } from './grouping-key.ts';
import { isMistakenCall, notCallable } from './mistaken-calls.ts';
import { isUnreadable } from './templates.ts';
import { unfinishedReference } from './unfinished-references.ts';
import { unknownNameMessage } from './unknown-name-message.ts';
import { INHERITED, INTERNAL, SANDBOX } from '../syntax/known-names.ts';

/** Reports unknown names and columns of other cubes. */
export function checkReferences(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const problems: Problem[] = [];
  let isParentWrong = false;
  for (const reference of entity.references) {
    // A cube hides a constant of its name, also in the code of brackets: `CUBE[name]`.
    if (reference.segments.some(({ from }) => from?.some((name) => index.entity(name)))) continue;
    const resolution = resolve(reference, entity, index);
    if (reference.key === 'extends') {
      // Whatever else is in its text belongs to the same mistake.
      if (!isParentWrong) append(problems, wrongParent(reference, resolution, entity, index));
      isParentWrong ||= problems.some(({ start }) => reference.node.start <= start && start < reference.node.end);
      continue;
    }
    append(problems, problemsOf(reference, resolution, entity, index));
  }
  return entity.entity.conditional
    ? problems.map((problem) => ({
        ...problem,
        severity:
          problem.severity === 'error' || problem.severity === undefined ? ('warning' as const) : problem.severity,
      }))
    : problems;
}

function problemsOf(
  reference: Reference,
  resolution: ResolvedReference,
  entity: EntitySymbol,
  index: ModelIndex,
): Problem[] {
  const [head] = reference.segments;
  // In scripts it is refused everywhere, and reported by their own check.
  if (head?.text === REMOVED_CONTEXT)
    return entity.chunk.kind === 'script' ? [] : [removedContext(head.start, head.end)];
  if (reference.key === 'key' && reference.shape === 'dimension')
    return checkGroupingKey(reference, resolution, entity);
  if (resolution.referents[0]?.is === 'context' && reference.form === 'path')
    return checkContextReference(reference, entity, index);
  if (resolution.unknown) return unknown(reference, resolution, resolution.unknown, entity, index);
  return resolution.referents.length > 0 ? misused(reference, resolution, entity, index) : [];
}

/** Reports an unknown or misused name of a parent; `extends.ts` reports a path to a member in its place. */
function wrongParent(
  reference: Reference,
  resolution: ResolvedReference,
  entity: EntitySymbol,
  index: ModelIndex,
): Problem[] {
  if (isUnreadable(reference.node.value, 'reference')) return [];
  const { unknown: missing, referents } = resolution;
  if (missing && missing.segment === reference.segments[0])
    return unknown(reference, resolution, missing, entity, index);
  return reference.segments.length === 1 && referents.length > 0 ? misused(reference, resolution, entity, index) : [];
}

/** A security context that SQL could use in earlier versions; since removed. */
export const REMOVED_CONTEXT = 'USER_CONTEXT';

/** Returns the problem of `USER_CONTEXT` between two offsets, with a fix that replaces it by its successor. */
export function removedContext(start: number, end: number): Problem {
  const fix = { title: 'Change to `SECURITY_CONTEXT`', start, end, text: 'SECURITY_CONTEXT', sure: true };
  const message = '`USER_CONTEXT` was removed from the engine: use `SECURITY_CONTEXT`.';
  return { code: 'unknown-reference', start, end, message, fix };
}

function unknown(
  reference: Reference,
  resolution: ResolvedReference,
  { segment, within, kind }: Unknown,
  entity: EntitySymbol,
  index: ModelIndex,
): Problem[] {
  // Missing included names are determined over all entries of the view (see `view.ts`).
  if (reference.target === 'includedMember' && reference.key === 'includes') return [];
  if (segment.text === '') return [];
  if (isUnseen(reference, entity, index) && index.member(entity, segment.text))
    return [bareName(reference, segment, entity)];
  const guess = nearestName(segment.text, candidates(reference, kind, within, entity, index));
  const at = { start: segment.start, end: segment.end };
  const fix: Fix | undefined =
    guess === undefined || segment.from ? undefined : { title: `Change to \`${guess}\``, ...at, text: guess };
  const { code, severity } = isMemberPath(reference, segment, within, entity, index)
    ? { code: 'no-join-path' as const, severity: undefined }
    : isLevelOfView(reference, entity)
      ? { code: 'late-reference' as const, severity: undefined }
      : kind === 'granularity' && leadsOn(reference, segment, within, entity, index)
        ? { code: 'late-reference' as const, severity: undefined }
        : codeOf(reference, resolution, segment);
  return [
    {
      code,
      severity,
      ...at,
      message: unknownNameMessage(segment.text, kind, within, entity, guess, reference),
      fix,
    },
  ];
}

function bareName({ checked, shape, form }: Reference, { text, start, end }: Segment, { kind }: EntitySymbol): Problem {
  const isRead = checked || (form === 'path' && (shape === 'memberLevel' || shape === 'memberMasking'));
  const what = kind === 'view' ? 'view' : 'cube';
  const message = `A bare name of a member is known only where the name of its ${what} is written as a text: write \`CUBE.${text}\`.`;
  const fix = { title: `Change to \`CUBE.${text}\``, start, end, text: `CUBE.${text}` };
  return { code: isRead ? 'unknown-reference' : 'late-reference', start, end, message, fix };
}

/**
 * Checks whether a reference is a level of a view: views show hierarchies of cubes, and the engine ignores levels of their own.
 */
function isLevelOfView({ key }: Reference, { kind }: EntitySymbol): boolean {
  return kind === 'view' && key === 'levels';
}

/**
 * Checks for a join path that ends in a member, or in a script leads from the view itself: the engine includes nothing for it, and refuses it only where a name is required.
 */
function isMemberPath(
  { target, start }: Reference,
  { text }: Segment,
  within: EntitySymbol | undefined,
  view: EntitySymbol,
  index: ModelIndex,
): boolean {
  const isOfView = within === view && view.chunk.kind === 'script';
  if (target !== 'joinPath' || !within || !(isOfView || index.member(within, text))) return false;
  const includes = view.cubes.find((cube) => cube.start <= start && start <= cube.end)?.includes;
  return includes === '*' || includes?.length === 0;
}

/**
 * Checks for a path that leads from a member to another one (`users.city.id`): the engine reads the last one, as if it followed
 * the cube.
 */
function leadsOn(
  { segments, form }: Reference,
  unknown: Segment,
  within: EntitySymbol | undefined,
  owner: EntitySymbol,
  index: ModelIndex,
): boolean {
  if (form !== 'sql') return false;
  let at = within;
  let isMember = false;
  for (const { text } of segments.slice(segments.indexOf(unknown))) {
    isMember = at !== undefined && index.member(at, text) !== undefined;
    at = isMember ? at : index.entity(text);
    if (!at) return false;
  }
  return isMember || at === owner;
}

/** Returns the code for an unknown name: an error only if the engine refuses the model. */
function codeOf(
  reference: Reference,
  { referents }: ResolvedReference,
  segment: Segment,
): { readonly code: Code; readonly severity?: Severity } {
  if (reference.key === 'excludes' && reference.target === 'includedMember') return { code: 'unknown-exclude' };
  if (reference.shape === 'memberLevel' || reference.shape === 'memberMasking')
    return { code: 'unknown-policy-member' };
  if (reference.shape === 'index') return { code: 'not-in-pre-aggregation' };
  if (reference.shape === 'preAggregation' || reference.shape === 'timeDimension')
    return { code: 'unknown-pre-aggregation-member' };
  const isContext = referents[0]?.is === 'context';
  if (!reference.checked || isContext || (isEngines(segment, referents) && !goesOn(reference, segment.text)))
    return { code: 'late-reference' };
  return { code: 'unknown-reference' };
}

/**
 * Checks whether a path continues behind a name that all objects of the engine have, or calls it: in place of a member, the engine
 * then finds nothing. `toString` can be called.
 */
function goesOn({ form, call, segments }: Reference, name: string): boolean {
  if (form !== 'path') return false;
  return segments.at(-1)?.text !== name || (call && name !== 'toString');
}

/** Checks whether a name resolves to something in the engine that is not a member: SQL then receives the text of a function. */
function isEngines({ text, isParameter }: Segment, { length }: readonly Referent[]): boolean {
  if (INHERITED.has(text)) return true;
  return !isParameter && (length === 0 ? SANDBOX : INTERNAL).has(text);
}

function* candidates(
  reference: Reference,
  kind: Unknown['kind'],
  within: EntitySymbol | undefined,
  entity: EntitySymbol,
  index: ModelIndex,
): Iterable<string> {
  if (kind === 'granularity') {
    const member = within && index.member(within, reference.segments.at(-2)?.text ?? '');
    yield* member ? granularitiesOf(member.member) : GRANULARITIES;
  } else if (kind === 'group') yield* namesOf(index, ['viewGroup']);
  else {
    if (within) yield* index.membersOf(within).byName.keys();
    if (kind !== 'member') yield* namesOf(index, kind === 'view' ? ['view'] : ['cube', 'view']);
    if (kind === 'head' && entity.kind === 'cube') yield 'CUBE';
  }
}

function namesOf(index: ModelIndex, kinds: readonly EntitySymbol['kind'][]): string[] {
  return index.entities().flatMap(({ kind, name }) => (kinds.includes(kind) ? [name] : []));
}

/** Reports references that resolve, but not to what is needed. */
function misused(
  reference: Reference,
  { referents }: ResolvedReference,
  entity: EntitySymbol,
  index: ModelIndex,
): Problem[] {
  const [head] = referents;
  const last = referents.at(-1);
  const other = head?.is === 'entity' && head.entity !== entity ? head.entity : undefined;
  const unfinished = unfinishedReference(reference, referents, entity, index);
  if (unfinished) return [unfinished];
  if (isMistakenCall(reference, referents)) return [notCallable(reference, last)];
  if (last?.is === 'member' && reference.key === 'levels' && last.member.kind !== 'dimension')
    return [wrongLevel(reference, last.member, entity, index)];
  if (isCubeOfFilter(reference, last)) return [noMember(reference, entity)];
  return other ? foreignMember(reference, other, last, entity, index) : [];
}

/** Checks for a cube or view in place of a member in a default filter. */
function isCubeOfFilter({ shape, key, form }: Reference, last: Referent | undefined): boolean {
  if (shape !== 'defaultFilter' || form !== 'path' || !/^(?:member|unless)$/.test(key)) return false;
  return last?.is === 'self' || last?.is === 'entity';
}

function noMember({ start, end }: Reference, { name }: EntitySymbol): Problem {
  const message = `A default filter takes members of \`${name}\`, and this names none.`;
  return { code: 'unknown-reference', start, end, message };
}

/** Reports a member of a cube given by its path where filters take members of the view or cube itself. */
function foreignMember(
  reference: Reference,
  other: EntitySymbol,
  last: Referent | undefined,
  entity: EntitySymbol,
  index: ModelIndex,
): Problem[] {
  if (reference.shape === 'rowFilter') return [foreignFilter(reference, last, entity)];
  if (reference.shape !== 'defaultFilter' || last?.is !== 'member') return [];
  return notIncluded(reference, other, last.member, entity, index);
}

/** Reports a member in a default filter that the view does not show; it may be named by its cube. */
function notIncluded(
  { start, end }: Reference,
  other: EntitySymbol,
  { name, member }: Effective,
  view: EntitySymbol,
  index: ModelIndex,
): Problem[] {
  const { byName, open } = index.membersOf(view);
  const isShown = other.kind === 'cube' && [...byName.values()].some((each) => each.member === member);
  if (open || isShown || (other.kind === 'view' && view.extends !== undefined)) return [];
  const message = `\`${view.name}\` does not include \`${name}\`: a default filter takes members that the view shows.`;
  return [{ code: 'unknown-reference', start, end, message }];
}

function foreignFilter({ start, end }: Reference, last: Referent | undefined, { name }: EntitySymbol): Problem {
  const severity = last?.is === 'member' ? undefined : 'warning';
  const message = `A row filter takes members of \`${name}\` itself, not paths.`;
  return { code: 'path-in-name', severity, start, end, message };
}

function wrongLevel(
  reference: Reference,
  { kind, name, member }: Effective,
  entity: EntitySymbol,
  index: ModelIndex,
): Problem {
  const severity = isShown(reference, member, entity, index) ? 'error' : undefined;
  return {
    code: 'not-a-dimension',
    start: reference.start,
    end: reference.end,
    severity,
    message: `\`${name}\` is a ${nounOfKind(kind)}: only dimensions can be levels.`,
  };
}

/** Checks whether a view includes both a hierarchy and this level of it, which the engine refuses. */
function isShown(reference: Reference, level: MemberSymbol, entity: EntitySymbol, index: ModelIndex): boolean {
  return index.entities().some((view) => {
    if (view.kind !== 'view') return false;
    const members = [...index.membersOf(view).byName.values()];
    return (
      members.some(({ member }) => member.nameNode === reference.memberName && member.owner === entity) &&
      members.some(({ member }) => member === level)
    );
  });
}
