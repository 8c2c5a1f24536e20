import { append } from '#base/long-lists.ts';
import type { Problem } from '../codes.ts';
import { type Effective, extendedParent } from '../effective.ts';
import { granularitiesOf } from '../granularities.ts';
import type { Chunk } from '../file.ts';
import { groupNamesOf } from '../group-names.ts';
import type { ModelIndex } from '../index.ts';
import { nounOfKind } from '../kind-nouns.ts';
import { resolve } from '../resolve.ts';
import { nearestName } from '../suggest.ts';
import type { EntitySymbol } from '../symbols.ts';
import { findPair, type ScalarNode } from '../syntax/tree.ts';
import { checkCycles } from './cycles.ts';
import { checkExtends } from './extends.ts';
import { checkJoins } from './joins.ts';
import { renaming, replacing } from './replacing.ts';

/** Checks the rules of a cube (and those common to all entities) that go beyond its shape. */
export function checkCube(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const problems: Problem[] = [
    ...(entity.kind === 'viewGroup' ? checkGroupNames(entity, index) : checkNames(entity, index)),
    ...checkMemberNames(entity),
    ...checkInheritedNames(entity, index),
    ...checkExtends(entity, index),
  ];
  if (entity.kind === 'cube') append(problems, [...checkJoins(entity, index), ...checkCycles(entity, index)]);
  append(problems, [...checkPreAggregations(entity, index), ...checkPolicyPaths(entity)]);
  return problems;
}

function checkNames(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const { nameNode, name } = entity;
  if (!nameNode || entity.dynamic || entity.chunk.templated || entity.entity.conditional) return [];
  const others = index
    .named(name)
    .filter((other) => !isOf(entity, other) && !other.chunk.templated && !other.entity.conditional);
  const [first] = others;
  if (!first?.nameNode) return [];
  const related = [
    {
      chunk: first.chunk,
      start: first.nameNode.start,
      end: first.nameNode.end,
      message: `The other ${nounOfKind(first.kind)}.`,
    },
  ];
  return [
    {
      code: 'duplicate-name',
      start: nameNode.start,
      end: nameNode.end,
      message: `Another ${nounOfKind(first.kind)} is already called \`${name}\`: cubes and views share one namespace.`,
      related,
      fix: renaming(nameNode, entity.chunk.text, (other) => index.entity(other) !== undefined),
    },
  ];
}

/** Checks for the same definition, which a script may make in another way than it is written. */
function isOf(entity: EntitySymbol, other: EntitySymbol): boolean {
  return other === entity || other.expansions.includes(entity);
}

/** Checks the names of groups: nested groups share one namespace with all others. */
function checkGroupNames(entity: EntitySymbol, index: ModelIndex): Problem[] {
  if (entity.chunk.templated || entity.entity.conditional) return [];
  const others = index
    .entities()
    .filter(
      (other) =>
        other.kind === 'viewGroup' && !other.chunk.templated && !other.entity.conditional && !isOf(entity, other),
    );
  const taken = [...others, entity].flatMap((group) =>
    groupNamesOf(group).map((node) => ({ node, chunk: group.chunk })),
  );
  return groupNamesOf(entity).flatMap((node): Problem[] => {
    const other = taken.find((each) => each.node !== node && each.node.value === node.value);
    if (!other) return [];
    const { start, end } = other.node;
    const related = [{ chunk: other.chunk, start, end, message: 'The other view group.' }];
    const message = `Another view group is already called \`${node.value}\`: groups and nested groups share one namespace.`;
    return [{ code: 'duplicate-name', start: node.start, end: node.end, message, related }];
  });
}

function checkMemberNames(entity: EntitySymbol): Problem[] {
  if (entity.chunk.templated) return [];
  return entity.duplicates.flatMap((member): Problem[] => {
    const first = entity.members.get(member.name);
    // In JavaScript, a map with the same key twice is reported as a duplicate key already.
    if (!first || member.name === '' || (entity.chunk.kind === 'script' && first.kind === member.kind)) return [];
    const { nameNode } = member;
    const related = [
      {
        chunk: entity.chunk,
        start: first.nameNode.start,
        end: first.nameNode.end,
        message: `The ${nounOfKind(first.kind)}.`,
      },
    ];
    return [
      {
        code: 'duplicate-name',
        start: nameNode.start,
        end: nameNode.end,
        message: `\`${member.name}\` is already the name of a ${nounOfKind(first.kind)} of \`${entity.name}\`.`,
        related,
        fix: renaming(nameNode, entity.chunk.text, (name) => entity.members.has(name)),
      },
    ];
  });
}

/** Reports granularities in pre-aggregations that their time dimension does not have. */
function checkPreAggregations(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const problems: Problem[] = [];
  for (const member of entity.members.values()) {
    if (member.kind !== 'preAggregation') continue;
    const granularity = findPair(member.node, 'granularity')?.value;
    const time = entity.references.find(
      ({ memberName, key }) => memberName === member.nameNode && key === 'time_dimension',
    );
    if (granularity?.kind !== 'scalar' || granularity.style === 'code' || !time) continue;
    const resolution = resolve(time, entity, index);
    const last = resolution.referents.at(-1);
    if (last?.is !== 'member' || last.member.member.isOpen) continue;
    const known = resolve(
      {
        ...time,
        segments: [...time.segments, { text: granularity.value, start: granularity.start, end: granularity.end }],
      },
      entity,
      index,
    );
    if (known.unknown) problems.push(unknownGranularity(granularity, last.member, entity.chunk));
  }
  return problems;
}

function unknownGranularity(node: ScalarNode, { name, member }: Effective, { text }: Chunk): Problem {
  const { value, start, end } = node;
  const guess = nearestName(value, granularitiesOf(member));
  const hint = guess === undefined ? '' : ` Did you mean \`${guess}\`?`;
  return {
    code: 'unknown-granularity',
    start,
    end,
    message: `\`${value}\` is not a granularity of \`${name}\`.${hint}`,
    fix: guess === undefined ? undefined : replacing(node, text, guess),
  };
}

/** Checks that a member overrides only inherited members of its own kind. */
function checkInheritedNames(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const parent = entity.kind === 'cube' ? extendedParent(entity, index) : undefined;
  if (parent?.kind !== 'cube' || entity.chunk.templated) return [];
  const inherited = index.membersOf(parent).byName;
  return [...entity.members.values()].flatMap(({ kind, name, nameNode }): Problem[] => {
    const other = inherited.get(name);
    if (!other || other.kind === kind || other.member.owner.chunk.templated) return [];
    const { chunk } = other.member.owner;
    const { start, end } = other.member.nameNode;
    const message = `\`${name}\` is the name of a ${nounOfKind(other.kind)} that \`${entity.name}\` inherits from \`${parent.name}\`.`;
    const related = [{ chunk, start, end, message: `The ${nounOfKind(other.kind)}.` }];
    return [{ code: 'duplicate-name', start: nameNode.start, end: nameNode.end, message, related }];
  });
}

/** Checks that access policies name members of their own cube only. */
function checkPolicyPaths(entity: EntitySymbol): Problem[] {
  return entity.references.flatMap((reference): Problem[] => {
    const [head] = reference.segments;
    const isPolicy = reference.shape === 'memberLevel' || reference.shape === 'memberMasking';
    if (!isPolicy || reference.segments.length < 2 || head?.text === entity.name) return [];
    // What a script declares is not a cube: `KINDS.sum`.
    if (head && entity.chunk.kind === 'script' && entity.chunk.locals.has(head.text)) return [];
    return [
      {
        code: 'path-in-name',
        start: reference.start,
        end: reference.end,
        message: `An access policy takes members of \`${entity.name}\` itself, not paths.`,
      },
    ];
  });
}
