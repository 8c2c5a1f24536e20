import type { Problem } from '../codes.ts';
import { parentOf } from '../effective.ts';
import type { ModelIndex } from '../index.ts';
import { resolve } from '../resolve.ts';
import type { EntitySymbol, JoinSymbol, MemberSymbol } from '../symbols.ts';
import { findPair } from '../syntax/tree.ts';

/** Rules of a cube (and of what every entity has) that need more than its shape. */
export function checkCube(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const problems: Problem[] = [
    ...checkNames(entity, index),
    ...checkMemberNames(entity),
    ...checkExtends(entity, index),
  ];
  if (entity.kind === 'cube') problems.push(...checkJoins(entity, index), ...checkCircles(entity, index));
  problems.push(...checkPreAggregations(entity, index), ...checkPolicyPaths(entity));
  return problems;
}

function checkNames(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const { nameNode, name } = entity;
  if (!nameNode || entity.dynamic || entity.part.templated || entity.entity.conditional || entity.kind === 'viewGroup')
    return [];
  const others = index
    .named(name)
    .filter((other) => other !== entity && !other.part.templated && !other.entity.conditional);
  const [first] = others;
  if (!first?.nameNode) return [];
  const related = [
    { part: first.part, start: first.nameNode.start, end: first.nameNode.end, message: `The other ${first.kind}.` },
  ];
  return [
    {
      code: 'duplicate-name',
      start: nameNode.start,
      end: nameNode.end,
      message: `Another ${first.kind} is called \`${name}\`, too: cubes and views share one namespace.`,
      related,
    },
  ];
}

function checkMemberNames(entity: EntitySymbol): Problem[] {
  if (entity.part.templated) return [];
  return entity.duplicates.flatMap((member): Problem[] => {
    const first = entity.members.get(member.name);
    // Two keys of one map in JavaScript are a duplicate key already.
    if (!first || member.name === '' || (entity.part.kind === 'script' && first.kind === member.kind)) return [];
    const { nameNode } = member;
    const related = [
      { part: entity.part, start: first.nameNode.start, end: first.nameNode.end, message: `The ${first.kind}.` },
    ];
    return [
      {
        code: 'duplicate-name',
        start: nameNode.start,
        end: nameNode.end,
        message: `\`${member.name}\` is the name of a ${first.kind} of \`${entity.name}\` already.`,
        related,
      },
    ];
  });
}

function checkExtends(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const { extends: path, kind } = entity;
  if (!path) return [];
  const seen = new Set<EntitySymbol>();
  for (let at: EntitySymbol | undefined = entity; at; at = extended(at, index)) {
    if (seen.has(at)) {
      const message = at === entity ? 'itself' : `\`${at.name}\`, which extends itself`;
      return [{ code: 'circular-extends', start: path.start, end: path.end, message: `This extends ${message}.` }];
    }
    seen.add(at);
  }
  return kind === 'viewGroup' ? [] : [...inheritedKind(entity, index), ...inheritedTables(entity, index)];
}

/** What an entity extends, be it itself. */
function extended({ extends: path, kind }: EntitySymbol, index: ModelIndex): EntitySymbol | undefined {
  const target = path?.segments.length === 1 ? index.entity(path.segments[0]?.text ?? '') : undefined;
  return target?.kind === kind ? target : undefined;
}

/** What extends a view is a view to the engine, and a view has no members of its own: not even inherited ones. */
function inheritedKind(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const parent = parentOf(entity, index);
  const { extends: path, kind } = entity;
  if (!path || !parent || parent.kind === kind || parent.kind === 'viewGroup') return [];
  const { start, end } = path;
  if (kind === 'cube') {
    const table = findPair(entity.entity.node, 'sql', 'sql_table', 'sqlTable');
    const message = `\`${parent.name}\` is a view, and so is what extends it: it cannot have \`${table?.key.value ?? ''}\`.`;
    return table ? [{ code: 'misplaced-key', start, end, message }] : [];
  }
  const own = [...index.membersOf(parent).byName.values()].find(
    ({ kind: member }) => member === 'dimension' || member === 'measure' || member === 'segment',
  );
  const message = `\`${parent.name}\` is a cube: a view cannot inherit its members. List it under \`cubes\` instead.`;
  return own && !entity.members.has(own.name) ? [{ code: 'view-own-member', start, end, message }] : [];
}

/** `{parent}.column` in an inherited member is a column of another cube to the child. */
function inheritedTables(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const parent = parentOf(entity, index);
  if (!entity.extends || entity.kind !== 'cube' || parent?.kind !== 'cube') return [];
  for (const reference of parent.references) {
    const { memberName, segments } = reference;
    const isRaw =
      reference.form === 'sql' &&
      reference.checked &&
      reference.whole &&
      segments.length === 1 &&
      segments[0]?.text === parent.name;
    if (!isRaw || !memberName || entity.members.has(memberName.value)) continue;
    const related = [{ part: parent.part, start: reference.start, end: reference.end, message: 'Here.' }];
    const message = `\`${entity.name}\` inherits \`${memberName.value}\`, which reads columns of \`{${parent.name}}\`: write \`{CUBE}\` there instead.`;
    return [{ code: 'foreign-column', start: entity.extends.start, end: entity.extends.end, message, related }];
  }
  return [];
}

function checkJoins(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const problems: Problem[] = [];
  const seen = new Map<string, JoinSymbol>();
  for (const join of entity.joins) {
    const { nameNode, name } = join;
    const first = seen.get(name);
    if (!first) seen.set(name, join);
    // Two keys of one object in JavaScript are a duplicate key already.
    else if (!entity.part.templated && (entity.part.kind !== 'script' || join.has('name'))) {
      const related = [
        { part: entity.part, start: first.nameNode.start, end: first.nameNode.end, message: 'The first join.' },
      ];
      problems.push({
        code: 'duplicate-join',
        start: nameNode.start,
        end: nameNode.end,
        message: `\`${entity.name}\` joins to \`${name}\` already: only one join per pair of cubes is possible.`,
        related,
      });
    }
    problems.push(...checkPrimaryKeys(entity, join, index), ...checkJoinTarget(entity, join, index));
  }
  return problems;
}

/** Joins multiply rows: what is aggregated on either side needs a primary key (§3). */
function checkPrimaryKeys(entity: EntitySymbol, join: JoinSymbol, index: ModelIndex): Problem[] {
  const target = index.entity(join.name);
  const { start, end } = join.nameNode;
  for (const cube of [entity, target]) {
    if (!cube || cube.kind === 'viewGroup' || !needsKey(cube, index)) continue;
    return [
      {
        code: 'missing-primary-key',
        start,
        end,
        message: `\`${cube.name}\` needs a dimension with \`primary_key: true\`: it takes part in a join and has measures.`,
        related: noKey(cube),
      },
    ];
  }
  return [];
}

function noKey({ nameNode, part }: EntitySymbol): Problem['related'] {
  return nameNode && [{ part, start: nameNode.start, end: nameNode.end, message: 'This cube has none.' }];
}

/** Types of measures that count a row once for each match of a join. */
export const AGGREGATES: ReadonlySet<string> = new Set(['sum', 'avg', 'count', 'number']);

function needsKey(cube: EntitySymbol, index: ModelIndex): boolean {
  const members = index.membersOf(cube);
  if (members.open) return false;
  let counts = false;
  for (const { kind, member } of members.byName.values()) {
    // What a view shows of a key is a key no more.
    if (kind === 'dimension' && cube.kind === 'cube' && isKey(member)) return false;
    if (kind === 'measure' && AGGREGATES.has(member.text('type') ?? '')) counts = true;
  }
  return counts;
}

/** Anything but a plain `false` may be a key. */
function isKey(member: MemberSymbol): boolean {
  return (
    member.isOpen || (member.has('primary_key', 'primaryKey') && member.text('primary_key', 'primaryKey') !== 'false')
  );
}

function checkJoinTarget(entity: EntitySymbol, join: JoinSymbol, index: ModelIndex): Problem[] {
  if (!index.entity(join.name) || entity.part.kind === 'script') return [];
  const inside = entity.references.filter(({ memberName, form }) => memberName === join.nameNode && form === 'sql');
  const mentions = inside.some(({ segments }) => segments.some(({ text }) => text === join.name));
  if (inside.length === 0 || mentions) return [];
  const { start, end } = join.nameNode;
  return [
    {
      code: 'join-without-target',
      start,
      end,
      message: `The condition of this join never mentions \`${join.name}\`: every row would match every row.`,
    },
  ];
}

/** Measures and dimensions of one cube that refer to each other in a circle. */
function checkCircles(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const edges = new Map<string, { readonly to: string; readonly start: number; readonly end: number }[]>();
  for (const reference of entity.references) {
    if (reference.form !== 'sql' || reference.key !== 'sql' || !reference.memberName || reference.shape === 'join')
      continue;
    const last = resolve(reference, entity, index).meanings.at(-1);
    if (last?.is !== 'member' || last.entity !== entity) continue;
    const from = edges.get(reference.memberName.value) ?? [];
    from.push({ to: last.member.name, start: reference.start, end: reference.end });
    edges.set(reference.memberName.value, from);
  }
  const problems: Problem[] = [];
  const done = new Set<string>();
  for (const name of edges.keys()) {
    const circle = findCircle(name, edges, done, []);
    if (circle)
      problems.push({
        code: 'circular-reference',
        start: circle.start,
        end: circle.end,
        message: `This reference closes a circle: ${circle.names.join(' → ')}. Queries of these members fail.`,
      });
  }
  return problems;
}

interface Circle {
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
}

function findCircle(
  name: string,
  edges: ReadonlyMap<string, readonly { readonly to: string; readonly start: number; readonly end: number }[]>,
  done: Set<string>,
  path: readonly string[],
): Circle | undefined {
  if (done.has(name)) return undefined;
  for (const { to, start, end } of edges.get(name) ?? []) {
    const from = [...path, name].indexOf(to);
    if (from !== -1) return { names: [...[...path, name].slice(from), to], start, end };
    const found = findCircle(to, edges, done, [...path, name]);
    if (found) return found;
  }
  done.add(name);
  return undefined;
}

/** Granularities of pre-aggregations that their time dimension does not have. */
function checkPreAggregations(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const problems: Problem[] = [];
  for (const member of entity.members.values()) {
    if (member.kind !== 'preAggregation') continue;
    const granularity = member.node.pairs.find(({ key }) => key.value === 'granularity')?.value;
    const time = entity.references.find(
      ({ memberName, key }) => memberName === member.nameNode && key === 'time_dimension',
    );
    if (granularity?.kind !== 'scalar' || granularity.style === 'code' || !time) continue;
    const resolution = resolve(time, entity, index);
    const last = resolution.meanings.at(-1);
    if (last?.is !== 'member' || last.member.member.isOpen) continue;
    const known = resolve(
      {
        ...time,
        segments: [...time.segments, { text: granularity.value, start: granularity.start, end: granularity.end }],
      },
      entity,
      index,
    );
    if (known.unknown)
      problems.push({
        code: 'unknown-granularity',
        start: granularity.start,
        end: granularity.end,
        message: `\`${granularity.value}\` is not a granularity of \`${last.member.name}\`.`,
      });
  }
  return problems;
}

/** Access policies name members of their own cube only. */
function checkPolicyPaths(entity: EntitySymbol): Problem[] {
  return entity.references.flatMap((reference): Problem[] => {
    const [head] = reference.segments;
    const isPolicy = reference.shape === 'memberLevel' || reference.shape === 'memberMasking';
    if (!isPolicy || reference.segments.length < 2 || head?.text === entity.name) return [];
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
